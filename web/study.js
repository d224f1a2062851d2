/** Goes through all positions of a game and lets the analysis look at each. */

/** @import {ClientMessage, Thinking, View} from "./types.js" */

/** How long the analysis looks at a position, in milliseconds, unless it finds the exact value before. */
const LOOK = 900;

export class Study {
  #timer = 0;
  #ply = -1;
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
    if (this.isRunning && thinking.ply === this.#ply && thinking.exact) this.#next();
  }

  /** @param {number} ply */
  #go(ply) {
    this.#ply = ply;
    this.send({ type: "goto", ply });
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#next(), LOOK);
  }

  #next() {
    if (!this.isRunning) return;
    if (this.#ply < this.#last) return this.#go(this.#ply + 1);
    const end = this.#end;
    this.stop();
    this.send({ type: "goto", ply: end });
  }
}
