import { h, send } from "./dom.js";
import { iconButton } from "./icons.js";

/** @import {Move} from "./types.js" */

/** The most moves that are written out; the filter finds the others. */
const MOST_SHOWN = 300;
/** Longer moves, in letters, take a whole line. */
const LONG = 16;

/**
 * All legal moves of a role: a list that can be filtered, where typed text plays a move.
 *
 * Events: `play` with a move, `why` with a move, `point` with a move or `null` when the pointer or the focus rests on it.
 */
export class MoveList extends HTMLElement {
  /** @type {Move[]} */
  #moves = [];
  #role = "";
  #filter = h("input", {
    type: "search",
    placeholder: "Filter, or type a move and press Enter",
    "aria-label": "Filter the moves, or type a move",
    autocomplete: "off",
    spellcheck: "false",
    on: { input: () => this.#draw(), keydown: (/** @type {any} */ event) => this.#key(event) },
  });
  #list = h("ul", { class: "moves", "aria-label": "Legal moves" });
  #note = h("p", { class: "faint", role: "status" });

  connectedCallback() {
    if (this.#filter.isConnected) return;
    this.append(this.#filter, this.#note, this.#list);
  }

  /**
   * @param {string} role
   * @param {Move[]} moves
   */
  update(role, moves) {
    const isSame = role === this.#role && JSON.stringify(moves) === JSON.stringify(this.#moves);
    this.#role = role;
    this.#moves = moves;
    this.hidden = moves.length === 0;
    if (isSame) return;
    this.#filter.value = "";
    this.#draw();
  }

  #matching() {
    const words = this.#filter.value.toLowerCase().replace(/[()]/g, " ").split(/\s+/).filter((word) => word !== "");
    const text = (/** @type {Move} */ move) => ` ${move.text.toLowerCase().replace(/[()]/g, " ")}`;
    return this.#moves.filter((move) => words.every((word) => text(move).includes(` ${word}`) || (word.length > 1 && text(move).includes(word))));
  }

  #draw() {
    const found = this.#matching();
    const shown = found.slice(0, MOST_SHOWN).map((move) => this.#item(move));
    this.#list.replaceChildren(...shown);
    this.#list.classList.toggle("wide", found.some((move) => move.text.length > LONG));
    const all = this.#moves.length;
    const some = found.length === all ? `${all} ${all === 1 ? "move" : "moves"}` : `${found.length} of ${all} moves`;
    this.#note.textContent = `${some} of ${this.#role}${found.length > MOST_SHOWN ? `, the first ${MOST_SHOWN} are shown` : ""}`;
  }

  /** @param {Move} move */
  #item(move) {
    const point = () => send(this, "point", move);
    const leave = () => send(this, "point", null);
    const play = h(
      "button",
      {
        type: "button",
        class: "move",
        on: { click: () => send(this, "play", move), mouseenter: point, mouseleave: leave, focus: point, blur: leave },
      },
      move.text,
    );
    return h("li", {}, play, iconButton("why", `Why ${move.text}?`, () => send(this, "why", move), { class: "quiet" }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const typed = normal(this.#filter.value);
    const exact = this.#moves.filter((move) => normal(move.text) === typed || normal(move.move) === typed);
    const found = exact.length > 0 ? exact : this.#matching();
    if (typed !== "" && found.length === 1) send(this, "play", found[0]);
    else this.#note.textContent = found.length === 0 ? "No legal move has these words." : "Several moves have these words: type more.";
  }
}

/** @param {string} text */
const normal = (text) => text.toLowerCase().replace(/[()\s]+/g, " ").trim();

/**
 * Moves as buttons, for moves that no squares name and for choices between moves of the same squares.
 * @param {Move[]} moves
 * @param {string} label
 * @param {(move: Move) => void} choose
 * @returns {HTMLElement}
 */
export function moveButtons(moves, label, choose) {
  const buttons = moves.map((move) =>
    h("button", { type: "button", class: "button choice", on: { click: () => choose(move) } }, move.text),
  );
  return h("div", { class: "choices", role: "group", "aria-label": label }, ...buttons);
}


customElements.define("kolibri-moves", MoveList);
