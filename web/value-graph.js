import { s, send } from "./dom.js";
import { points } from "./words.js";

/** @import {Known, Blunder} from "./values.js" */

const WIDTH = 320;
const HEIGHT = 80;

/**
 * The values over the game, as a graph whose points lead to their positions.
 *
 * Events: `goto` with a ply.
 */
export class ValueGraph extends HTMLElement {
  /**
   * @param {(Known | null)[]} values
   * @param {number} ply the position shown
   * @param {Map<number, Blunder>} blunders
   * @param {string} role whose values they are
   */
  update(values, ply, blunders, role) {
    const known = values.filter((value) => value !== null).length;
    this.hidden = known < 2;
    if (this.hidden) return;
    const last = Math.max(1, values.length - 1);
    const x = (/** @type {number} */ place) => 6 + (place / last) * (WIDTH - 12);
    const y = (/** @type {number} */ value) => 5 + (1 - value / 100) * (HEIGHT - 10);
    const points = values.flatMap((value, place) => (value ? [{ place, x: x(place), y: y(value.value), value }] : []));
    const line = points.map((point, number) => `${number ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("");
    const area = `${line}L${points.at(-1)?.x.toFixed(1)} ${HEIGHT - 5}L${points[0].x.toFixed(1)} ${HEIGHT - 5}z`;
    const picture = s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": `Value for ${role} over the game` },
      s("path", { class: "area", d: area }),
      s("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      s("path", { class: "now", d: `M${x(ply).toFixed(1)} 0V${HEIGHT}` }),
      s("path", { class: "line", d: line }),
      ...points.map((point) => this.#point(point, blunders.get(point.place))),
    );
    picture.addEventListener("click", (event) => {
      const { left, width } = picture.getBoundingClientRect();
      const place = ((event.clientX - left) / width * WIDTH - 6) / (WIDTH - 12) * last;
      if (event.detail > 0) send(this, "goto", Math.min(last, Math.max(0, Math.round(place))));
    });
    this.replaceChildren(picture);
  }

  /**
   * @param {{place: number, x: number, y: number, value: Known}} point
   * @param {Blunder | undefined} blunder
   */
  #point({ place, x, y, value }, blunder) {
    const words = `after ${place} plies: ${points(value.value)}${value.exact ? ", exact" : ""}${blunder ? `, ${blunder.words}` : ""}`;
    const go = () => send(this, "goto", place);
    const key = (/** @type {any} */ event) => {
      if (event.key === "Enter" || event.key === " ") go();
    };
    const properties = {
      class: `dot ${blunder ? "bad" : ""}`,
      cx: x,
      cy: y,
      r: blunder ? 4 : 2.5,
      tabindex: "0",
      role: "button",
      "aria-label": words,
      on: { keydown: key },
    };
    return s("circle", properties, s("title", {}, words));
  }
}

customElements.define("kolibri-value-graph", ValueGraph);
