import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { changeSettings, settings } from "./storage.js";

/** @import {Settings} from "./storage.js" */

/** @typedef {"highlight" | "confirm" | "motion" | "sound" | "tilt" | "numbers"} Switch */

/** @type {Record<Switch, string>} */
const SWITCHES = {
  highlight: "Show where a piece can go",
  confirm: "Ask for a second click where one square is a move",
  motion: "Animate moves",
  tilt: "Tilt the board",
  numbers: "Number the squares of draughts",
  sound: "Sound",
};

const KEYS = "Keys: arrows, Enter and ? (why) on the board; left and right through the moves elsewhere; Ctrl+Z and Ctrl+Y.";

const THEMES = { system: "As the system", light: "Light", dark: "Dark" };

export function openSettings() {
  const now = settings();
  const names = /** @type {Switch[]} */ (Object.keys(SWITCHES));
  const switches = names.map((name) => {
    const box = h("input", { type: "checkbox", on: { change: () => changeSettings({ [name]: box.checked }) } });
    box.checked = now[name];
    return h("label", { class: "check" }, box, h("span", {}, SWITCHES[name]));
  });
  const theme = h("select", { on: { change: () => changeSettings({ theme: /** @type {Settings["theme"]} */ (theme.value) }) } });
  theme.append(...Object.entries(THEMES).map(([value, words]) => h("option", { value }, words)));
  theme.value = now.theme;
  dialog("Settings", [h("div", { class: "switches" }, h("label", {}, h("span", {}, "Colours "), theme), ...switches), h("p", { class: "faint" }, KEYS)], { class: "small" });
}
