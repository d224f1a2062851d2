/** Goes through all positions of a game and lets the analysis look at each. */

/** @import {ClientMessage, Thinking, View} from "./types.js" */

/** How long the analysis looks at a position once it has a value, in milliseconds, unless the value is exact. */
const LOOK = 900;
/** How long it may be silent: a search learns before it begins, and others may be searching. */
const SILENCE = 15_000;

export class Study {
  #timer = 0;
  #ply = -1;
  #hasValue = false;
  #last = 0;
  #end = 0;

  /**
   * @param {(message: ClientMessage) => void} send
   * @param {(isRunning: boolean) => void} changed
   */
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
  }

  get isRunning() {
    return this.#ply >= 0;
  }

  /** @param {View} view */
  start(view) {
    this.#end = view.plies;
    this.#last = view.is_over ? view.plies - 1 : view.plies;
    this.send({ type: "analyse", on: true });
    this.#go(0);
    this.changed(true);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#ply = -1;
    this.send({ type: "analyse", on: false });
    this.changed(false);
  }

  /** @param {Thinking} thinking */
  think(thinking) {
    if (!this.isRunning || thinking.ply !== this.#ply) return;
    if (thinking.exact) return this.#next();
    if (!this.#hasValue) this.#wait(LOOK);
    this.#hasValue = true;
  }

  /** @param {number} ply */
  #go(ply) {
    this.#ply = ply;
    this.#hasValue = false;
    this.send({ type: "goto", ply });
    this.#wait(SILENCE);
  }

  /** @param {number} milliseconds until the next position */
  #wait(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#next(), milliseconds);
  }

  #next() {
    if (!this.isRunning) return;
    if (this.#ply < this.#last) return this.#go(this.#ply + 1);
    const end = this.#end;
    this.stop();
    this.send({ type: "goto", ply: end });
  }
}
