import { ApiError, api } from "./api.js";
import { h } from "./dom.js";
import { opening, ruleParts } from "./rule-parts.js";

/** The rules of a match by their parts, with a count of each. */
export class RulesPanel extends HTMLElement {
  #id = "";

  /**
   * Fetches the rules when they are looked at for the first time.
   * @param {string} id the match
   */
  async open(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.replaceChildren(h("p", { class: "faint", role: "status" }, "Loading …"));
    try {
      this.show(await api.rules(id));
    } catch (error) {
      this.#id = "";
      const words = error instanceof ApiError ? error.message : String(error);
      this.replaceChildren(h("p", { class: "problem", role: "alert" }, words));
    }
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
