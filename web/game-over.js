import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { iconButton } from "./icons.js";
import { playerWords, roleClass } from "./words.js";

/** @import {View} from "./types.js" */

/** The result is shown when the last move has been seen. */
const WAIT = 800;

/**
 * @typedef {{restart: (() => void) | null, fresh: () => void, study: (() => void) | null, why: () => void}} Ways
 *   what can be done next; `null` for what this person may not do
 */

/** Shows the result once when a game ends, and not again when one looks back. */
export class GameOver {
  #timer = 0;
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  /** @type {boolean | null} */
  #wasOver = null;

  /**
   * @param {View} view
   * @param {Ways} ways
   */
  update(view, ways) {
    const isNew = this.#wasOver === false && view.is_over && view.ply === view.plies;
    // A game that is over when the page opens is looked at, not finished.
    this.#wasOver = view.is_over || (this.#wasOver === true && view.ply < view.plies);
    if (!view.is_over) this.#close();
    if (!isNew) return;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#show(view, ways), WAIT);
  }

  #close() {
    clearTimeout(this.#timer);
    this.#dialog?.close();
  }

  /**
   * @param {View} view
   * @param {Ways} ways
   */
  #show(view, ways) {
    const act = (/** @type {() => void} */ action) => () => {
      this.#close();
      action();
    };
    const rows = view.roles.map((player, place) =>
      h(
        "li",
        { class: `player ${roleClass(player.role, place)}` },
        h("span", { class: "swatch", "aria-hidden": "true" }),
        h("span", { class: "who" }, h("strong", {}, player.role), h("small", {}, playerWords(player))),
        h("span", { class: "state" }, player.goal === null ? "" : `${player.goal} points`),
      ),
    );
    this.#dialog = dialog(
      "The game is over",
      [
        h("p", { class: "row" }, h("strong", { class: "result" }, view.ended?.text ?? ""), iconButton("why", "Why?", act(ways.why), { shown: true, class: "quiet" })),
        h("ul", { class: "players" }, ...rows),
        h(
          "footer",
          {},
          ways.study ? iconButton("analyse", "Study", act(ways.study), { shown: true }) : null,
          iconButton("plus", "New match", act(ways.fresh), { shown: true }),
          ways.restart ? iconButton("restart", "Restart", act(ways.restart), { shown: true, class: "primary" }) : null,
        ),
      ],
      { class: "small game-over", onClose: () => (this.#dialog = null) },
    );
  }
}
