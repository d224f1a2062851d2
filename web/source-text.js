import { h } from "./dom.js";

/** @import {Finding} from "./types.js" */

/**
 * A text area with line numbers, whose findings are underlined and explained at the ends of their lines. A layer below
 * the text area, with the same letters, shows them; the text area itself stays an ordinary one.
 */
export class SourceText {
  #area = h("textarea", { "aria-label": "Rules", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off" });
  #layer = h("pre", { class: "source-layer", "aria-hidden": "true" });
  #numbers = h("pre", { class: "source-numbers", "aria-hidden": "true" });
  /** @type {Finding[]} */
  #findings = [];
  element = h("div", { class: "source" }, this.#numbers, h("div", { class: "source-body" }, this.#layer, this.#area));

  /** @param {() => void} changed */
  constructor(changed) {
    this.#area.addEventListener("input", () => {
      // Places of old findings are wrong as soon as lines move; their lines are right until then.
      this.#draw();
      changed();
    });
    this.#area.addEventListener("scroll", () => this.#scroll());
  }

  get text() {
    return this.#area.value;
  }

  set text(text) {
    this.#area.value = text;
    this.#findings = [];
    this.#area.scrollTop = 0;
    this.#draw();
  }

  /** @param {Finding[]} findings */
  set findings(findings) {
    this.#findings = findings;
    this.#draw();
  }

  /**
   * Selects the place of a finding.
   * @param {Finding} finding
   */
  select(finding) {
    const [start, end] = range(this.text, finding);
    this.#area.focus();
    this.#area.setSelectionRange(start, end);
    const height = this.#area.scrollHeight / Math.max(1, this.text.split("\n").length);
    this.#area.scrollTop = Math.max(0, (finding.line - 4) * height);
  }

  #scroll() {
    const { scrollTop, scrollLeft } = this.#area;
    this.#layer.scrollTo({ top: scrollTop, left: scrollLeft, behavior: "instant" });
    this.#numbers.scrollTo({ top: scrollTop, behavior: "instant" });
  }

  #draw() {
    const lines = this.text.split("\n");
    const byLine = grouped(this.#findings);
    const drawn = lines.flatMap((line, place) => [...drawLine(line, byLine.get(place + 1) ?? []), "\n"]);
    this.#layer.replaceChildren(...drawn);
    this.#numbers.textContent = lines.map((_, place) => place + 1).join("\n");
    this.#scroll();
  }
}

/** @param {Finding[]} findings */
function grouped(findings) {
  /** @type {Map<number, Finding[]>} */
  const groups = new Map();
  for (const finding of findings) groups.set(finding.line, [...(groups.get(finding.line) ?? []), finding]);
  return groups;
}

/**
 * @param {string} line
 * @param {Finding[]} findings those that begin in the line
 * @returns {(string | Node)[]}
 */
function drawLine(line, findings) {
  const [first] = findings;
  if (!first) return [line];
  const start = first.column - 1;
  const end = first.end_line === first.line ? Math.max(first.end_column - 1, start + 1) : line.length;
  const others = findings.length > 1 ? ` (and ${findings.length - 1} more)` : "";
  return [
    line.slice(0, start),
    h("mark", { class: first.severity }, line.slice(start, end) || " "),
    line.slice(end),
    h("span", { class: `inline-finding ${first.severity}` }, `  ${first.message}${others}`),
  ];
}

/**
 * @param {string} text
 * @param {Finding} finding
 * @returns {[number, number]}
 */
function range(text, finding) {
  const lines = text.split("\n");
  const at = (/** @type {number} */ line, /** @type {number} */ column) =>
    lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0) + column - 1;
  return [at(finding.line, finding.column), at(finding.end_line, finding.end_column)];
}
