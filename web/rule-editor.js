import { ApiError, api } from "./api.js";
import { debounce, h } from "./dom.js";
import { iconButton } from "./icons.js";
import { tellProblem } from "./messages.js";
import { newMatch } from "./new-match.js";
import { stillPicture } from "./picture.js";
import { SourceText } from "./source-text.js";
import { read, write } from "./storage.js";

/** @import {CheckResult, Finding} from "./types.js" */

/** How long the text stays unchanged before it is checked, in milliseconds. */
const REST = 250;

const EXAMPLE = `; A small game to begin with: take one or two of seven sticks; whoever takes the last one wins.
(role first)
(role second)

(opponent first second)
(opponent second first)

(minus 7 1 6) (minus 6 1 5) (minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0)
(minus 7 2 5) (minus 6 2 4) (minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)

(init (sticks 7))
(init (control first))

(<= (legal ?p (take ?k)) (true (control ?p)) (true (sticks ?n)) (minus ?n ?k ?rest))
(<= (legal ?p noop) (true (control ?q)) (opponent ?p ?q))

(<= (next (sticks ?rest)) (does ?p (take ?k)) (true (sticks ?n)) (minus ?n ?k ?rest))
(<= (next (control ?q)) (true (control ?p)) (opponent ?p ?q))

(<= terminal (true (sticks 0)))
(<= (goal ?p 100) (true (sticks 0)) (true (control ?q)) (opponent ?p ?q))
(<= (goal ?p 0) (true (sticks 0)) (true (control ?p)))
`;

/** Rules as text, with what the checker finds while they are written, and the first position. */
export class RuleEditor extends HTMLElement {
  #name = h("input", { type: "text", "aria-label": "Name of the game", maxlength: 60, spellcheck: "false" });
  #source = new SourceText(() => this.#changed());
  #findings = h("ol", { class: "findings", "aria-label": "Findings" });
  #state = h("p", { class: "faint", role: "status" });
  #picture = h("div", { class: "preview-picture" });
  #play = iconButton("play", "Play this", () => this.#start(), { shown: true, class: "primary", disabled: true });
  /** @type {string[]} */
  #roles = [];
  /** @type {AbortController | null} */
  #running = null;
  #later = debounce(REST, () => this.#check());

  connectedCallback() {
    if (this.#name.isConnected) return;
    document.title = "Rules – Kolibri";
    const draft = read("draft", { name: "my-game", rules: EXAMPLE });
    this.replaceChildren(
      h("div", { class: "editor-head" }, h("h1", {}, "Rules"), h("label", {}, "Name ", this.#name), h("span", { class: "space" }), this.#play),
      h("div", { class: "editor-text" }, this.#source.element),
      h("aside", { "aria-label": "What the checker says" }, h("h2", {}, "First position"), this.#picture, h("h2", {}, "Findings"), this.#state, this.#findings),
    );
    this.#name.addEventListener("input", () => this.#keep());
    this.set(draft.name, draft.rules);
  }

  /**
   * @param {string} name
   * @param {string} rules
   */
  set(name, rules) {
    this.#name.value = name;
    this.#source.text = rules;
    this.#keep();
    this.#check();
  }

  #keep() {
    write("draft", { name: this.#name.value, rules: this.#source.text });
  }

  #changed() {
    this.#keep();
    this.#play.disabled = true;
    this.#later();
  }

  /** Asks for the findings; an answer to an older text is not waited for. */
  async #check() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    // What is played is what was checked.
    this.#play.disabled = true;
    this.#state.textContent = "Checking …";
    try {
      const result = await api.check(this.#source.text, running.signal);
      if (running === this.#running) this.#show(result);
    } catch (error) {
      if (running.signal.aborted) return;
      const { message, findings } = error instanceof ApiError ? error : new ApiError(String(error), null, []);
      this.#show({ findings, roles: null, picture: null });
      this.#state.textContent = message;
    }
  }

  /** @param {CheckResult} result */
  #show({ findings, roles, picture }) {
    const errors = findings.filter((finding) => finding.severity === "error").length;
    this.#roles = roles ?? [];
    this.#play.disabled = errors > 0 || roles === null;
    this.#source.findings = findings;
    this.#state.textContent = summary(errors, findings.length - errors);
    this.#findings.replaceChildren(...findings.map((finding) => this.#item(finding)));
    this.#picture.replaceChildren(picture !== null ? stillPicture(picture, this.#roles) : h("p", { class: "faint" }, "No position: the rules have errors."));
  }

  /** @param {Finding} finding */
  #item(finding) {
    const words = [
      h("span", { class: `tag ${finding.severity}` }, finding.severity),
      h("span", { class: "faint" }, ` ${finding.line}:${finding.column} `),
      h("span", {}, finding.message),
      finding.help ? h("small", {}, finding.help) : null,
    ];
    return h("li", {}, h("button", { type: "button", class: "finding", on: { click: () => this.#source.select(finding) } }, ...words));
  }

  async #start() {
    const name = this.#name.value.trim() || "my-game";
    try {
      await newMatch({ source: { name, rules: this.#source.text }, title: name, roles: this.#roles });
    } catch (error) {
      tellProblem(error);
    }
  }
}

/**
 * @param {number} errors
 * @param {number} warnings
 */
function summary(errors, warnings) {
  const some = (/** @type {number} */ number, /** @type {string} */ word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  if (errors + warnings === 0) return "No errors, no warnings.";
  return `${some(errors, "error")}, ${some(warnings, "warning")}`;
}

customElements.define("kolibri-editor", RuleEditor);
