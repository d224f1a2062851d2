import "./gallery.js";
import "./match-page.js";
import "./rule-editor.js";
import { detail, find, h } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { openPacked, takeFiles } from "./open-file.js";
import { openSettings } from "./settings-dialog.js";
import { applyTheme, changeSettings, isDark, keepMatchKey } from "./storage.js";

/** @import {MatchPage} from "./match-page.js" */
/** @import {RuleEditor} from "./rule-editor.js" */

const main = find("main");

/** The match that the address names, if it names one. */
function matchOfAddress() {
  const [, id] = /^\/match\/([^/]+)$/.exec(location.pathname) ?? [];
  return id === undefined ? null : decodeURIComponent(id);
}

/**
 * A secret key leaves the address as soon as it is read, so that the address can be passed on to spectators.
 * @param {string} id
 */
function takeKey(id) {
  const key = new URLSearchParams(location.search).get("key");
  if (key === null) return;
  keepMatchKey(id, { key }, sessionStorage);
  history.replaceState(null, "", location.pathname);
}

function showPage() {
  const id = matchOfAddress();
  if (id !== null) return showMatch(id);
  const [, packed] = /^#match=(.+)/.exec(location.hash) ?? [];
  if (packed) openPacked(packed);
  const name = location.hash === "#write" ? "kolibri-editor" : "kolibri-gallery";
  if (main.firstElementChild?.localName !== name) main.replaceChildren(document.createElement(name));
}

/** @param {string} id */
function showMatch(id) {
  takeKey(id);
  const page = /** @type {MatchPage} */ (document.createElement("kolibri-match"));
  main.replaceChildren(page);
  page.open(id);
}

/** @param {Event} event with the name and the rules */
function editRules(event) {
  const { name, rules } = detail(event);
  if (matchOfAddress() !== null) history.pushState(null, "", "/");
  history.pushState(null, "", "/#write");
  showPage();
  /** @type {RuleEditor} */ (find("kolibri-editor")).set(name, rules);
}

function showHeader() {
  const theme = iconButton(isDark() ? "sun" : "moon", "Light or dark", () => {
    changeSettings({ theme: isDark() ? "light" : "dark" });
  });
  const draw = () => theme.replaceChildren(icon(isDark() ? "sun" : "moon"));
  addEventListener("settings", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    applyTheme();
    draw();
  });
  const settings = h("button", { type: "button", class: "button", on: { click: openSettings } }, "Settings");
  find("#head-actions").append(theme, settings);
}

showHeader();
takeFiles();
showPage();
addEventListener("hashchange", showPage);
addEventListener("popstate", () => (matchOfAddress() === null ? showPage() : location.reload()));
document.addEventListener("edit-rules", editRules);
