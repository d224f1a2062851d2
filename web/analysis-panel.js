import { h, send } from "./dom.js";
import { iconButton } from "./icons.js";
import { changeSettings, settings } from "./storage.js";
import { plain, points, searchWords, valueOfFirst } from "./words.js";
import "./value-graph.js";

/** @import {BestLine, Hint, Thinking, View, Why} from "./types.js" */
/** @import {Values} from "./values.js" */
/** @import {ValueGraph} from "./value-graph.js" */

/** The most lines that a search looks for. */
const MOST_LINES = 5;

/**
 * What searches find: the value, the best lines, depth and speed; the values over the game; hints and reasons.
 *
 * Events: `analyse` with whether it shall run, `hint`, `why` with a move or `end`, `study` for all positions, `play` with
 * a move, `rule` with a line of the rules, and those of the graph.
 */
export class AnalysisPanel extends HTMLElement {
  /** @type {Thinking | null} */
  #latest = null;
  #isOn = false;
  #summary = h("div", { class: "search-summary", role: "status" });
  #reasons = h("div", { class: "reasons" });
  #buttons = h("div", { class: "row" });
  #count = h("select", { on: { change: () => this.#setCount() } });
  #graph = /** @type {ValueGraph} */ (document.createElement("kolibri-value-graph"));

  connectedCallback() {
    if (this.#summary.isConnected) return;
    this.#count.append(...Array.from({ length: MOST_LINES }, (_, place) => h("option", {}, place + 1)));
    this.#count.value = String(settings().lines);
    this.append(this.#buttons, this.#summary, this.#graph, this.#reasons);
  }

  get isOn() {
    return this.#isOn;
  }

  set isOn(on) {
    this.#isOn = on;
    if (!on) this.#latest = null;
  }

  /**
   * @param {View} view
   * @param {Values} values
   * @param {{role: string | null, mayStudy: boolean, isStudying: boolean}} now the role that may ask for a hint
   */
  update(view, values, now) {
    if (this.#latest && this.#latest.ply !== view.ply) this.#latest = null;
    const blunders = view.is_over || now.mayStudy ? values.blunders(view) : new Map();
    this.#graph.update({ values: values.line(view), ply: view.ply, blunders, role: view.roles[0]?.role ?? "" });
    this.#drawButtons(view.is_over, now);
    this.#drawSummary(view);
  }

  /** Whether values are shown over the game. */
  get knowsGame() {
    return !this.#graph.hidden;
  }

  /** @param {Thinking} thinking */
  think(thinking) {
    // A machine may think at the same time: the analysis that was asked for goes first.
    if (!this.#isOn || thinking.by === "analysis") this.#latest = thinking;
  }

  #setCount() {
    changeSettings({ lines: Number(this.#count.value) });
    if (this.#isOn) send(this, "analyse", true);
  }

  /**
   * @param {boolean} isOver
   * @param {{role: string | null, mayStudy: boolean, isStudying: boolean}} now
   */
  #drawButtons(isOver, { role, mayStudy, isStudying }) {
    const key = `${role}${isOver}${mayStudy}${isStudying}${this.#isOn}`;
    if (this.#buttons.dataset.drawn === key) return;
    this.#buttons.dataset.drawn = key;
    const focused = [...this.#buttons.children].indexOf(/** @type {Element} */ (document.activeElement));
    const analyse = iconButton("analyse", "Analyse", () => send(this, "analyse", !this.#isOn), { shown: true, pressed: this.#isOn });
    const hint = iconButton("hint", "Hint", () => send(this, "hint"), { shown: true, disabled: role === null });
    const words = isStudying ? "Stop" : "Analyse every position";
    const study = mayStudy ? iconButton(isStudying ? "close" : "analyse", words, () => send(this, "study"), { shown: true }) : "";
    const why = isOver ? iconButton("why", "Why is it over?", () => send(this, "why", { end: true }), { shown: true }) : "";
    const lines = h("label", {}, "Lines ", this.#count);
    this.#buttons.replaceChildren(analyse, hint, lines, study, why);
    if (focused >= 0) /** @type {HTMLElement} */ (this.#buttons.children[focused])?.focus();
  }

  /** @param {View} view */
  #drawSummary(view) {
    const thinking = this.#latest;
    if (!thinking) {
      const words = this.#isOn && !view.is_over ? "Searching …" : "Analysis shows values and best moves while you play.";
      this.#summary.replaceChildren(h("p", { class: "faint" }, words));
      return;
    }
    const features = thinking.features ?? [];
    const who = thinking.by === "analysis" ? "Analysis" : `${thinking.by} thinks`;
    this.#summary.replaceChildren(
      h(
        "p",
        {},
        h("strong", { class: "value" }, points(thinking.value)),
        ` for ${thinking.role} `,
        exactTag(thinking),
      ),
      h("ol", { class: "best-lines" }, ...(thinking.lines ?? [thinking]).map(lineItem)),
      h("p", { class: "faint" }, `${who} · ${searchWords(thinking)}`),
      h("p", { class: "faint", hidden: features.length === 0 }, `Why: ${features.map(([name, adds]) => `${name} ${adds < 0 ? "" : "+"}${adds.toFixed(2)}`).join(", ")}`),
    );
  }

  /** @param {Hint} hint */
  showHint(hint) {
    this.#reasons.replaceChildren(
      h("h2", {}, "Hint"),
      h("p", {}, h("strong", {}, plain(hint.move)), ` – value ${points(hint.value)} for ${hint.role}`),
      h(
        "div",
        { class: "row" },
        iconButton("play", "Play it", () => send(this, "play", hint), { shown: true }),
        iconButton("why", "Why?", () => send(this, "why", hint), { shown: true }),
      ),
    );
  }

  /** @param {Why} why */
  showReasons(why) {
    const lines = why.lines.length > 0 ? why.lines : ["The rules say nothing about it."];
    this.#reasons.replaceChildren(
      h("h2", {}, why.end ? "Why is it over?" : `Why ${plain(why.move ?? "")}?`),
      h("ul", { class: "reason-lines" }, ...lines.map((line) => this.#reason(line))),
    );
    // On a narrow screen the panel may lie below the window.
    this.#reasons.scrollIntoView({ block: "nearest" });
  }

  /**
   * A line of the rules that a reason names is a way to it.
   * @param {string} words
   */
  #reason(words) {
    const [, indent, line, rest] = /^(\s*)line (\d+)(:.*)$/s.exec(words) ?? [];
    if (line === undefined) return h("li", {}, words);
    const show = () => send(this, "rule", Number(line));
    return h("li", {}, indent, h("button", { type: "button", class: "to-rule", on: { click: show } }, `line ${line}`), rest);
  }

  forgetReasons() {
    this.#reasons.replaceChildren();
  }

  /**
   * The part of the bar that belongs to the first role, from 0 to 1, or `null` if no value is known.
   * @param {View} view
   * @param {Values} values
   */
  share(view, values) {
    const latest = this.#latest && valueOfFirst(view, this.#latest);
    const known = latest ?? values.at(view, view.ply)?.value ?? null;
    return known === null ? null : known / 100;
  }
}

/**
 * @param {BestLine} line
 * @param {number} rank
 */
function lineItem(line, rank) {
  const value = h("strong", {}, points(line.value));
  return h("li", { class: `rank-${rank}` }, value, exactTag(line), h("span", {}, line.line.map(plain).join(", ")));
}

/** @param {{exact: boolean}} found */
const exactTag = ({ exact }) => (exact ? h("span", { class: "tag exact" }, "exact") : null);

customElements.define("kolibri-analysis", AnalysisPanel);
