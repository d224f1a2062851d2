import { api } from "./api.js";
import { send } from "./dom.js";

/** @import {ClientMessage, PlayRequest, ServerMessage, View} from "./types.js" */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

/**
 * The socket of a match. It is opened again when it breaks, and a move that was on its way is sent once more if the
 * server has not played it.
 *
 * Events: `message` with a {@link ServerMessage}, `connected` with whether the socket is open.
 */
export class Connection extends EventTarget {
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = 0;
  #isClosed = false;
  /** A move that no view has shown yet, and the socket over which it went. */
  /** @type {{request: PlayRequest, socket: WebSocket | null} | null} */
  #pending = null;
  /** What analysis was asked for: the server forgets it with the socket. */
  /** @type {ClientMessage | null} */
  #analysis = null;

  /**
   * @param {string} id
   * @param {string | null} key
   */
  constructor(id, key) {
    super();
    this.id = id;
    this.key = key;
    // A phone that wakes up has lost its socket and should not wait for the timer.
    addEventListener("online", () => this.#reopenNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.#reopenNow());
    this.#open();
  }

  /** @param {ClientMessage} message */
  send(message) {
    const socket = this.#socket?.readyState === WebSocket.OPEN ? this.#socket : null;
    if (message.type === "play") this.#pending = { request: message, socket };
    if (message.type === "analyse") this.#analysis = message.on ? message : null;
    socket?.send(JSON.stringify(message));
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #open() {
    const socket = api.socket(this.id, this.key);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      send(this, "connected", true);
      if (this.#analysis) this.send(this.#analysis);
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.#lost(socket));
  }

  /** @param {WebSocket} socket */
  #lost(socket) {
    if (this.#isClosed || socket !== this.#socket) return;
    send(this, "connected", false);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  #reopenNow() {
    if (this.#isClosed || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#open();
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    if (message.type === "refused") this.#pending = null;
    if (message.type === "view") this.#settle(message);
    send(this, "message", message);
  }

  /**
   * Forgets the pending move if the view contains it or has passed it; sends it again over a new socket.
   * @param {View} view
   */
  #settle(view) {
    if (!this.#pending) return;
    const { request, socket } = this.#pending;
    const moves = view.moves[request.role] ?? [];
    const isOpen = view.ply === request.ply && moves.some((move) => move.move === request.move);
    if (!isOpen) this.#pending = null;
    else if (socket !== this.#socket) this.send(request);
  }
}
