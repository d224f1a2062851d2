import { h, send } from "./dom.js";
import { iconButton } from "./icons.js";

/** @import {View} from "./types.js" */
/** @import {IconName} from "./icons.js" */

/**
 * What a button needs: nothing, a person who may change the match, or a role to choose for.
 * @typedef {"" | "owner" | "role"} Need
 * @typedef {[name: string, words: string, need?: Need, icon?: string]} Action the icon has the same name where none is given
 */

/** @type {Action[]} */
const BAR = [
  ["first", "To the start", "owner"],
  ["undo", "Undo (Ctrl+Z)", "owner"],
  ["redo", "Redo (Ctrl+Y)", "owner"],
  ["last", "To the end", "owner"],
  ["hint", "Hint", "role"],
  ["flip", "Turn the board"],
  ["tilt", "Tilt the board"],
  ["full", "Full screen"],
];

/** @type {Action[]} */
const MENU = [
  ["new", "New match", "", "plus"],
  ["restart", "Restart", "owner"],
  ["pause", "Pause", "owner"],
  ["resign", "Resign", "role", "flag"],
  ["link", "Copy a link for spectators"],
  ["text", "Copy the moves as text", "", "link"],
  ["game", "Copy a link that holds the match", "", "link"],
  ["save", "Save the match"],
  ["svg", "Board as SVG", "", "save"],
  ["png", "Board as PNG", "", "save"],
  ["leave", "To the games", "", "undo"],
  ["remove", "Delete the match", "owner"],
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
  #button([name, words, , icon = name], shown) {
    const act = () => {
      this.#menu.open = false;
      send(this, "action", name);
    };
    const button = iconButton(/** @type {IconName} */ (icon), words, act, { shown, class: shown ? "item" : "" });
    button.dataset.action = name;
    this.#buttons.set(name, button);
    return button;
  }

  /**
   * @param {View} view
   * @param {{isOwner: boolean, role: string, tilted: boolean}} now
   */
  update(view, { isOwner, role, tilted }) {
    const holds = { "": true, owner: isOwner, role: role !== "" };
    for (const [name, , need = ""] of [...BAR, ...MENU]) this.#set(name, holds[need]);
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
