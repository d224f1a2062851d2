/** What is known of the values of the positions of a match, and which moves lost much. */

import { read, write } from "./storage.js";
import { points, valueOfFirst } from "./words.js";

/** @import {Thinking, View} from "./types.js" */

/**
 * @typedef {{value: number, depth: number, exact: boolean}} Known the value for the first role
 * @typedef {{sign: string, words: string}} Blunder
 */

const SIGNS = [
  { least: 50, sign: "??" },
  { least: 25, sign: "?" },
  { least: 10, sign: "?!" },
];

/** Values by the moves that lead to a position: they stay true for variations. */
export class Values {
  /** @type {Map<string, Known>} */
  #known;
  #name;

  /** @param {string} id the match */
  constructor(id) {
    this.#name = `values.${id}`;
    this.#known = new Map(read(this.#name, /** @type {[string, Known][]} */ ([]), sessionStorage));
  }

  /**
   * @param {View} view
   * @param {Thinking} thinking
   */
  learn(view, thinking) {
    const value = valueOfFirst(view, thinking);
    if (value === null || thinking.ply > view.history.length) return;
    const place = path(view, thinking.ply);
    const old = this.#known.get(place);
    const isWorse = old && (old.exact || old.depth > thinking.depth) && !thinking.exact;
    if (isWorse) return;
    this.#known.set(place, { value, depth: thinking.depth, exact: thinking.exact });
    write(this.#name, [...this.#known], sessionStorage);
  }

  /**
   * The value of the position after a number of plies of the shown line.
   * @param {View} view
   * @param {number} ply
   * @returns {Known | null}
   */
  at(view, ply) {
    const goal = view.roles[0]?.goal;
    if (view.is_over && ply === view.ply && goal !== null && goal !== undefined) {
      return { value: goal, depth: 0, exact: true };
    }
    return this.#known.get(path(view, ply)) ?? null;
  }

  /**
   * Values of the shown line by ply.
   * @param {View} view
   * @returns {(Known | null)[]}
   */
  line(view) {
    return Array.from({ length: view.plies + 1 }, (_, ply) => this.at(view, ply));
  }

  /**
   * Moves after which the mover stands much worse, by the ply after them.
   * @param {View} view
   * @returns {Map<number, Blunder>}
   */
  blunders(view) {
    const line = this.line(view);
    /** @type {Map<number, Blunder>} */
    const found = new Map();
    view.history.forEach(({ by }, place) => {
      const [before, after] = [line[place], line[place + 1]];
      if (!before || !after || by === null || by > 1) return;
      const loss = (by === 0 ? 1 : -1) * (before.value - after.value);
      const rank = SIGNS.find(({ least }) => loss >= least);
      if (rank) found.set(place + 1, { sign: rank.sign, words: `loses ${points(Math.round(loss))} points` });
    });
    return found;
  }
}

/**
 * @param {View} view
 * @param {number} ply
 */
function path(view, ply) {
  return view.history.slice(0, ply).map((entry) => entry.moves.join(",")).join(";");
}
