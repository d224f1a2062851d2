import { h, send } from "./dom.js";
import { jointWords, moverOf, moveWords, roleClass } from "./words.js";

/** @import {Branch, View} from "./types.js" */
/** @import {Blunder} from "./values.js" */

/**
 * The moves of the game; each leads to the position after it. Variations stand below the move they replace.
 *
 * Events: `goto` with a ply, `line` with a {@link Branch}.
 */
export class HistoryList extends HTMLElement {
  #drawn = "";

  /**
   * @param {View} view
   * @param {Map<number, Blunder>} blunders by the ply after the move
   */
  update(view, blunders) {
    const drawn = JSON.stringify([view.ply, view.history, view.branches, [...blunders]]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const items = [this.#start(view), ...view.history.map((_, place) => this.#entry(view, place, blunders.get(place + 1)))];
    const list = h("ol", { class: "history", "aria-label": "Moves of the game" }, ...items);
    const hadFocus = this.contains(document.activeElement);
    this.replaceChildren(list);
    const current = /** @type {HTMLElement | null} */ (list.querySelector('[aria-current="step"]'));
    if (hadFocus) current?.focus();
    // Just before the frame is drawn: before, the page would be laid out once more.
    if (current) requestAnimationFrame(() => (list.scrollTop = current.offsetTop - list.clientHeight / 2));
  }

  /** @param {View} view */
  #start(view) {
    return h("li", {}, this.#button(view, 0, "Start"), ...this.#branches(view, 0));
  }

  /**
   * @param {View} view
   * @param {number} place
   * @param {Blunder | undefined} blunder
   */
  #entry(view, place, blunder) {
    const entry = view.history[place];
    const mover = moverOf(entry);
    const role = mover === null ? "" : roleClass(view.roles[mover]?.role ?? "", mover);
    const button = this.#button(view, place + 1, moveWords(entry), place + 1 > view.ply);
    button.prepend(h("span", { class: "number" }, `${place + 1}`), h("span", { class: `swatch ${role}`, "aria-hidden": "true" }));
    if (blunder) button.append(h("span", { class: "blunder", title: blunder.words }, blunder.sign));
    return h("li", {}, button, ...this.#branches(view, place + 1));
  }

  /**
   * @param {View} view
   * @param {number} ply
   * @param {string} words
   * @param {boolean} [isAhead]
   */
  #button(view, ply, words, isAhead = false) {
    const properties = {
      type: "button",
      class: `step ${isAhead ? "ahead" : ""}`,
      "aria-current": ply === view.ply ? "step" : null,
      on: { click: () => send(this, "goto", ply) },
    };
    return h("button", properties, h("span", { class: "words" }, words));
  }

  /**
   * @param {View} view
   * @param {number} ply
   */
  #branches(view, ply) {
    const here = view.branches.filter((branch) => branch.ply === ply);
    return here.map((branch) => {
      const open = { click: () => send(this, "line", branch) };
      return h("button", { type: "button", class: "step variation", on: open }, h("span", {}, `↳ instead: ${jointWords(branch.moves)}`));
    });
  }
}

customElements.define("kolibri-history", HistoryList);
