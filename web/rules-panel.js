import { ApiError, api } from "./api.js";
import { h } from "./dom.js";
import { opening, ruleParts } from "./rule-parts.js";

/** The rules of a match by their parts, with a count of each. */
export class RulesPanel extends HTMLElement {
  /** @type {Promise<void> | null} */
  #loaded = null;

  /**
   * Fetches the rules when they are looked at for the first time.
   * @param {string} id the match
   */
  open(id) {
    return (this.#loaded ??= this.#load(id));
  }

  /** @param {string} id the match */
  async #load(id) {
    this.replaceChildren(h("p", { class: "faint", role: "status" }, "Loading …"));
    try {
      this.show(await api.rules(id));
    } catch (error) {
      this.#loaded = null;
      const words = error instanceof ApiError ? error.message : String(error);
      this.replaceChildren(h("p", { class: "problem", role: "alert" }, words));
    }
  }

  /**
   * Shows the clause that begins at a line, or around it.
   * @param {string} id the match
   * @param {number} line
   */
  async showLine(id, line) {
    await this.open(id);
    const before = /** @type {HTMLLIElement[]} */ ([...this.querySelectorAll(".rule-part li")]).filter((item) => item.value <= line);
    const item = before.sort((a, b) => b.value - a.value)[0];
    const part = item?.closest("details");
    if (!part) return;
    part.open = true;
    item.tabIndex = -1;
    item.focus();
    item.scrollIntoView({ block: "center" });
  }

  /** @param {string} text */
  show(text) {
    const comment = opening(text);
    const parts = ruleParts(text).map((part) =>
      h(
        "details",
        { class: "rule-part" },
        h("summary", {}, h("strong", {}, part.title), " ", h("span", { class: "count" }, String(part.clauses.length)), h("small", {}, part.meaning)),
        h("ol", {}, ...part.clauses.map(({ line, text: clause }) => h("li", { value: line }, h("pre", {}, clause)))),
      ),
    );
    this.replaceChildren(
      comment === "" ? "" : h("details", { class: "rule-part" }, h("summary", {}, h("strong", {}, "What the file says of the game")), h("pre", { class: "comment" }, comment)),
      ...parts,
      h("details", { class: "rule-part" }, h("summary", {}, h("strong", {}, "Whole text")), h("pre", { class: "whole", tabindex: "0" }, text)),
    );
  }
}

customElements.define("kolibri-rules", RulesPanel);
