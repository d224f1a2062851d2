import { ApiError, api } from "./api.js";
import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { iconButton } from "./icons.js";
import { beginMatch } from "./open-file.js";
import { PlayerField } from "./player-field.js";
import { SizeField } from "./size-field.js";
import { changeSettings, read, settings, write } from "./storage.js";
import { shortTitle } from "./words.js";

/** @import {GameSource} from "./types.js" */
/** @import {PlayerValue} from "./player-field.js" */

/**
 * @typedef {{source: GameSource, title: string, roles: string[], limit?: number, onClose?: () => void}} Wanted
 *   `limit`: the time limit that is proposed, in seconds
 */

/**
 * Asks who plays, and begins the match.
 * @param {Wanted} wanted
 */
export async function newMatch({ source, title, roles, limit: proposed, onClose }) {
  const name = "game" in source ? source.game : source.name;
  const [choices, families] = await Promise.all([api.players(), api.families()]);
  const family = "game" in source ? families.find((one) => one.name === name) : undefined;
  // The role `random` of GDL is chance, which the server draws.
  const fields = roles.filter((role) => role !== "random").map((role, place) => new PlayerField(role, place, choices));
  const size = family ? new SizeField(family) : null;
  const delay = h("input", { type: "number", min: 0, max: 10, step: 0.1, value: 0.5 });
  const limit = h("input", { type: "number", min: 1, max: 86_400, placeholder: "none", value: proposed });
  const highlight = h("input", { type: "checkbox", on: { change: () => changeSettings({ highlight: highlight.checked }) } });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const start = iconButton("play", "Start", () => {}, { shown: true, class: "primary" });
  start.type = "submit";

  const reset = () => {
    for (const [place, field] of fields.entries()) {
      field.set({ choice: place === 0 ? "human" : "machine:auto", name: "", time: 1, threads: 1 });
    }
    size?.reset();
    delay.value = "0.5";
    limit.value = "";
    changeSettings({ highlight: (highlight.checked = true) });
  };

  const swap = () => {
    const values = fields.map((field) => field.value);
    for (const [place, field] of fields.entries()) field.set(values[values.length - 1 - place]);
  };

  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    start.disabled = true;
    problem.hidden = true;
    try {
      const values = fields.map((field) => field.value);
      write(`players.${name}`, values);
      const sized = size && !size.isDefault ? await api.sized(name, size.values) : null;
      const players = fields.map((field) => field.setup);
      await beginMatch({ ...(sized ?? source), limit: limit.valueAsNumber || undefined, players, delay: delay.valueAsNumber || 0 });
    } catch (error) {
      const { message, help } = error instanceof ApiError ? error : new ApiError(String(error), null, []);
      problem.replaceChildren(message, ...(help ? [h("small", {}, help)] : []));
      problem.hidden = false;
      start.disabled = false;
    }
  };

  const remembered = read(`players.${name}`, /** @type {PlayerValue[]} */ ([]));
  for (const [place, field] of fields.entries()) if (remembered[place]) field.set(remembered[place]);
  highlight.checked = settings().highlight;
  const cancel = h("button", { type: "button", class: "button" }, "Cancel");
  const form = h(
    "form",
    { on: { submit: /** @type {EventListener} */ (submit) } },
    ...fields.map((field) => field.element),
    fields.length === 2 ? h("div", { class: "row" }, iconButton("flip", "Swap players", swap, { shown: true, class: "quiet" })) : null,
    size?.element,
    h(
      "fieldset",
      { class: "size-field" },
      h("legend", {}, "Play"),
      h("label", { class: "check" }, highlight, h("span", {}, "Show where pieces can go")),
      h("label", {}, h("span", {}, "Seconds between moves of machines"), delay),
      h("label", {}, h("span", {}, "Time limit of the match in seconds"), limit),
    ),
    problem,
    h("footer", {}, h("button", { type: "button", class: "button quiet", on: { click: reset } }, "Defaults"), cancel, start),
  );
  const opened = dialog(`New match: ${shortTitle(title)}`, [form], { class: "new-match", onClose: () => onClose?.() });
  cancel.addEventListener("click", () => opened.close());
}
