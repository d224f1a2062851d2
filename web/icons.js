import { h, s } from "./dom.js";

/** Outlines in a box of 24 by 24, drawn with a line of the text's colour. */
const PATHS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  first: "M18 6v12L9 12zM6 6v12",
  last: "M6 6v12l9-6zM18 6v12",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.7 1-2.5A6 6 0 0 0 12 3z",
  analyse: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  flip: "M7 4v14M4 7l3-3 3 3M17 20V6M14 17l3 3 3-3",
  tilt: "M7 6h10l4 12H3zM5 12h14M12 6v12",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  close: "m6 6 12 12M18 6 6 18",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  open: "M12 20V9M7 13l5-5 5 5M5 4h14",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7z",
  restart: "M4 4v6h6M5 10a8 8 0 1 1-1 5",
  flag: "M6 21V4h11l-2 4 2 4H6",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5",
  moon: "M20 14a8 8 0 0 1-10-10 8 8 0 1 0 10 10z",
  plus: "M12 5v14M5 12h14",
  edit: "M4 20h4L19 9l-4-4L4 16z",
  why: "M9 9a3 3 0 1 1 4 2.8c-.7.4-1 1-1 1.7v.5M12 17.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
};

/** @typedef {keyof typeof PATHS} IconName */

/**
 * @param {IconName} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}

/**
 * A button with an icon, and its words beside it or only for screen readers and as a tooltip.
 * @param {IconName} name
 * @param {string} words
 * @param {() => void} action
 * @param {{shown?: boolean, class?: string, pressed?: boolean, disabled?: boolean}} [how]
 * @returns {HTMLButtonElement}
 */
export function iconButton(name, words, action, how = {}) {
  const properties = {
    type: "button",
    class: `button ${how.shown ? "" : "icon-only"} ${how.class ?? ""}`,
    title: how.shown ? null : words,
    "aria-label": how.shown ? null : words,
    "aria-pressed": how.pressed === undefined ? null : String(how.pressed),
    disabled: how.disabled ?? false,
    on: { click: action },
  };
  return h("button", properties, icon(name), how.shown ? h("span", {}, words) : null);
}
