import { h } from "./dom.js";
import { roleClass } from "./words.js";

/** @import {PlayerChoices, PlayerSetup} from "./types.js" */

/** Machines that think for a given time, on several threads. */
const TIMED = ["auto", "minimax", "mcts", "plain"];
const THREADED = ["auto", "minimax", "mcts"];

/**
 * What was chosen for a role, as it is remembered.
 * @typedef {{choice: string, name: string, time: number, threads: number}} PlayerValue
 */

/** Who plays a role: a person here, a person by a link, or a machine with its options. */
export class PlayerField {
  #name = h("input", { type: "text", maxlength: 40, placeholder: "Name", autocomplete: "off" });
  #choice = h("select", {});
  #time = h("input", { type: "number", min: 0.1, max: 600, step: "any", value: 1 });
  #threads = h("input", { type: "number", min: 1, value: 1 });
  #meaning = h("small", { class: "faint" });
  #options;
  element;

  /**
   * @param {string} role
   * @param {number} place
   * @param {PlayerChoices} choices
   */
  constructor(role, place, choices) {
    this.role = role;
    this.choices = choices;
    this.#threads.max = String(choices.most_threads);
    this.#choice.append(...choiceGroups(choices));
    this.#choice.setAttribute("aria-label", `Who plays ${role}`);
    this.#name.setAttribute("aria-label", `Name of the player of ${role}`);
    this.#choice.addEventListener("change", () => this.#show());
    this.#options = h(
      "div",
      { class: "options" },
      h("label", {}, "Seconds a move ", this.#time),
      h("label", {}, "Threads ", this.#threads),
    );
    this.element = h(
      "fieldset",
      { class: `player-field ${roleClass(role, place)}` },
      h("legend", {}, h("span", { class: "swatch", "aria-hidden": "true" }), role),
      h("div", { class: "row" }, this.#choice, this.#name),
      this.#options,
      this.#meaning,
    );
    this.set({ choice: place === 0 ? "human" : "machine:auto", name: "", time: 1, threads: 1 });
  }

  /** @param {PlayerValue} value */
  set({ choice, name, time, threads }) {
    this.#choice.value = choice;
    // A machine that was remembered may be unknown to this server.
    if (this.#choice.value === "") this.#choice.value = "human";
    this.#name.value = name;
    this.#time.value = String(time);
    this.#threads.value = String(Math.min(threads, this.choices.most_threads));
    this.#show();
  }

  /** @returns {PlayerValue} */
  get value() {
    const { value: choice } = this.#choice;
    return { choice, name: this.#name.value.trim(), time: this.#time.valueAsNumber || 1, threads: this.#threads.valueAsNumber || 1 };
  }

  /** @returns {PlayerSetup} */
  get setup() {
    const { choice, name, time, threads } = this.value;
    const named = name === "" || choice !== "human" ? {} : { name };
    if (choice === "human" || choice === "link") return { role: this.role, kind: choice, ...named };
    const [kind, machine] = choice.split(":");
    const options = kind === "level" ? [] : [
      TIMED.includes(machine) ? `time=${time}` : "",
      THREADED.includes(machine) && threads > 1 ? `threads=${threads}` : "",
    ].filter((option) => option !== "");
    const player = options.length > 0 ? `${machine}:${options.join(",")}` : machine;
    return { role: this.role, kind: "machine", player, ...named };
  }

  #show() {
    const [kind, machine = ""] = this.#choice.value.split(":");
    const isMachine = kind === "machine";
    this.#name.hidden = kind !== "human";
    const hasThreads = THREADED.includes(machine) && this.choices.most_threads > 1;
    const [time, threads] = /** @type {HTMLElement[]} */ ([...this.#options.children]);
    time.hidden = !(isMachine && TIMED.includes(machine));
    threads.hidden = !(isMachine && hasThreads);
    this.#options.hidden = time.hidden && threads.hidden;
    const all = [...this.choices.players, ...this.choices.levels];
    this.#meaning.textContent = kind === "link"
      ? "You get a secret link after the start. Whoever opens it plays this role."
      : all.find((choice) => choice.name === machine)?.meaning ?? "";
  }
}

/** @param {PlayerChoices} choices */
function choiceGroups({ players, levels }) {
  const options = (/** @type {string} */ kind, /** @type {{name: string}[]} */ of) =>
    of.map(({ name }) => h("option", { value: `${kind}:${name}` }, name));
  return [
    h("optgroup", { label: "People" }, h("option", { value: "human" }, "Person at this screen"), h("option", { value: "link" }, "Whoever opens a link")),
    h("optgroup", { label: "Machine, by level" }, ...options("level", levels)),
    h("optgroup", { label: "Machine, by kind" }, ...options("machine", players)),
  ];
}
