import { h, send } from "./dom.js";
import { iconButton } from "./icons.js";

/** @import {View} from "./types.js" */
/** @import {IconName} from "./icons.js" */

/**
 * What a button needs: nothing, a person who may change the match, or a role to choose for.
 * @typedef {"nothing" | "owner" | "role"} Need
 * @typedef {{name: string, icon: IconName, words: string, need: Need}} Action
 */

/** @type {Action[]} */
const BAR = [
  { name: "first", icon: "first", words: "To the start", need: "owner" },
  { name: "undo", icon: "undo", words: "Undo (Ctrl+Z)", need: "owner" },
  { name: "redo", icon: "redo", words: "Redo (Ctrl+Y)", need: "owner" },
  { name: "last", icon: "last", words: "To the end", need: "owner" },
  { name: "hint", icon: "hint", words: "Hint", need: "role" },
  { name: "flip", icon: "flip", words: "Turn the board", need: "nothing" },
  { name: "tilt", icon: "tilt", words: "Tilt the board", need: "nothing" },
  { name: "full", icon: "full", words: "Full screen", need: "nothing" },
];

/** @type {Action[]} */
const MENU = [
  { name: "new", icon: "plus", words: "New match", need: "nothing" },
  { name: "restart", icon: "restart", words: "Restart", need: "owner" },
  { name: "pause", icon: "pause", words: "Pause", need: "owner" },
  { name: "resign", icon: "flag", words: "Resign", need: "role" },
  { name: "link", icon: "link", words: "Copy a link for spectators", need: "nothing" },
  { name: "text", icon: "link", words: "Copy the moves as text", need: "nothing" },
  { name: "save", icon: "save", words: "Save the match", need: "nothing" },
  { name: "svg", icon: "save", words: "Board as SVG", need: "nothing" },
  { name: "png", icon: "save", words: "Board as PNG", need: "nothing" },
  { name: "leave", icon: "undo", words: "To the games", need: "nothing" },
  { name: "remove", icon: "remove", words: "Delete the match", need: "owner" },
];

/**
 * What can be done with a match and its board, as buttons.
 *
 * Events: `action` with a name of the lists above.
 */
export class MatchToolbar extends HTMLElement {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  #menu = h("details", { class: "menu" });

  connectedCallback() {
    if (this.#buttons.size > 0) return;
    const bar = BAR.map((action) => this.#button(action, false));
    const items = MENU.map((action) => this.#button(action, true));
    this.#menu.append(
      h("summary", { class: "button icon-only", "aria-label": "More", title: "More" }, "⋯"),
      h("div", { class: "menu-items" }, ...items),
    );
    this.append(h("div", { class: "toolbar", role: "group", "aria-label": "Match" }, ...bar, this.#menu));
    this.#menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#menu.open = false;
      this.#menu.querySelector("summary")?.focus();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!(event.target instanceof Node && this.#menu.contains(event.target))) this.#menu.open = false;
    });
  }

  /**
   * @param {Action} action
   * @param {boolean} shown whether the words stand beside the icon
   */
  #button(action, shown) {
    const act = () => {
      this.#menu.open = false;
      send(this, "action", action.name);
    };
    const button = iconButton(action.icon, action.words, act, { shown, class: shown ? "item" : "" });
    button.dataset.action = action.name;
    this.#buttons.set(action.name, button);
    return button;
  }

  /**
   * @param {View} view
   * @param {{isOwner: boolean, role: string, tilted: boolean}} now
   */
  update(view, { isOwner, role, tilted }) {
    const holds = { nothing: true, owner: isOwner, role: role !== "" };
    for (const { name, need } of [...BAR, ...MENU]) this.#set(name, holds[need]);
    this.#set("first", isOwner && view.ply > 0);
    this.#set("undo", isOwner && view.ply > 0);
    this.#set("redo", isOwner && view.ply < view.plies);
    this.#set("last", isOwner && view.ply < view.plies);
    this.#set("pause", isOwner && !view.is_over);
    this.#buttons.get("tilt")?.setAttribute("aria-pressed", String(tilted));
    const words = this.#buttons.get("pause")?.querySelector("span");
    if (words) words.textContent = view.is_paused ? "Go on" : "Pause";
  }

  /**
   * @param {string} name
   * @param {boolean} enabled
   */
  #set(name, enabled) {
    const button = this.#buttons.get(name);
    // `aria-disabled` keeps the focus on a button that an action has just switched off.
    if (button) button.setAttribute("aria-disabled", String(!enabled));
  }
}

customElements.define("kolibri-toolbar", MatchToolbar);
