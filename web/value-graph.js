import { s, send } from "./dom.js";
import { points } from "./words.js";

/** @import {Known, Blunder} from "./values.js" */

const WIDTH = 320;
const HEIGHT = 80;
const SIDE = 6;

/** @typedef {{values: (Known | null)[], ply: number, blunders: Map<number, Blunder>, role: string}} Shown */

/**
 * The values over the game. A click, or an arrow key, leads to a position.
 *
 * Events: `goto` with a ply.
 */
export class ValueGraph extends HTMLElement {
  /** @type {Shown | null} */
  #shown = null;
  #picture = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "slider", tabindex: "0", "aria-valuemin": 0 });

  connectedCallback() {
    if (this.#picture.isConnected) return;
    this.append(this.#picture);
    this.#picture.addEventListener("click", (event) => this.#click(event));
    this.#picture.addEventListener("keydown", (event) => this.#key(event));
  }

  get #last() {
    return Math.max(1, (this.#shown?.values.length ?? 1) - 1);
  }

  /** @param {Shown} shown the values for a role by ply, the ply shown, and moves that lost much */
  update(shown) {
    this.#shown = shown;
    const { values, ply, blunders, role } = shown;
    this.hidden = values.filter((value) => value !== null).length < 2;
    if (this.hidden) return;
    const x = (/** @type {number} */ place) => SIDE + (place / this.#last) * (WIDTH - 2 * SIDE);
    const y = (/** @type {number} */ value) => 5 + (1 - value / 100) * (HEIGHT - 10);
    const known = values.flatMap((value, place) => (value ? [{ place, x: x(place), y: y(value.value) }] : []));
    const line = known.map((point, number) => `${number ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("");
    const area = `${line}L${known[known.length - 1].x.toFixed(1)} ${HEIGHT - 5}L${known[0].x.toFixed(1)} ${HEIGHT - 5}z`;
    const dots = known.map((point) => {
      const bad = blunders.has(point.place);
      return s("circle", { class: bad ? "dot bad" : "dot", cx: point.x, cy: point.y, r: bad ? 4 : 2.5 });
    });
    this.#picture.replaceChildren(
      s("path", { class: "area", d: area }),
      s("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      s("path", { class: "now", d: `M${x(ply).toFixed(1)} 0V${HEIGHT}` }),
      s("path", { class: "line", d: line }),
      ...dots,
    );
    this.#picture.setAttribute("aria-label", `Value for ${role} over the game`);
    this.#picture.setAttribute("aria-valuemax", String(this.#last));
    this.#picture.setAttribute("aria-valuenow", String(ply));
    this.#picture.setAttribute("aria-valuetext", wordsAt(shown));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const { left, width } = this.#picture.getBoundingClientRect();
    const place = ((((event.clientX - left) / width) * WIDTH - SIDE) / (WIDTH - 2 * SIDE)) * this.#last;
    this.#go(Math.round(place));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const ply = this.#shown?.ply ?? 0;
    const places = { ArrowLeft: ply - 1, ArrowRight: ply + 1, ArrowDown: ply - 1, ArrowUp: ply + 1, Home: 0, End: this.#last };
    if (!(event.key in places)) return;
    event.preventDefault();
    this.#go(places[/** @type {keyof typeof places} */ (event.key)]);
  }

  /** @param {number} ply */
  #go(ply) {
    send(this, "goto", Math.min(this.#last, Math.max(0, ply)));
  }
}

/** @param {Shown} shown */
function wordsAt({ values, ply, blunders }) {
  const value = values[ply];
  const words = value ? `${points(value.value)}${value.exact ? ", exact" : ""}` : "value not known";
  const blunder = blunders.get(ply);
  return `after ${ply} plies: ${words}${blunder ? `, the move before ${blunder.words}` : ""}`;
}

customElements.define("kolibri-value-graph", ValueGraph);
