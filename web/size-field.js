import { h } from "./dom.js";

/** @import {Family, FamilyParameter, Size} from "./types.js" */

/** The size of a game that comes in many. */
export class SizeField {
  /** @type {Map<string, HTMLInputElement>} */
  #inputs = new Map();
  element;

  /** @param {Family} family */
  constructor(family) {
    this.family = family;
    const fields = family.parameters.map((parameter) => {
      const { name, meaning } = parameter;
      const input = h("input", { ...kindOf(parameter), value: parameter.default, required: true });
      this.#inputs.set(name, input);
      return h("label", { title: meaning }, h("span", {}, name), input);
    });
    const presets = family.presets.map((preset) => {
      const words = presetWords(preset);
      return h("button", { type: "button", class: "button", on: { click: () => this.set(preset) } }, words);
    });
    this.element = h(
      "fieldset",
      { class: "size-field" },
      h("legend", {}, "Size"),
      presets.length > 0 ? h("div", { class: "row presets" }, ...presets) : null,
      h("div", { class: "fields" }, ...fields),
    );
  }

  /** @param {Size} values */
  set(values) {
    for (const [name, input] of this.#inputs) input.value = String(values[name] ?? input.value);
  }

  reset() {
    for (const input of this.#inputs.values()) input.value = input.defaultValue;
  }

  /** @returns {Size} */
  get values() {
    /** @param {HTMLInputElement} input */
    const value = (input) => (input.type === "number" ? input.valueAsNumber : input.value.split(",").map(Number));
    return Object.fromEntries([...this.#inputs].map(([name, input]) => [name, value(input)]));
  }

  /** Whether this is the size of the shipped game. */
  get isDefault() {
    const { values } = this;
    return this.family.parameters.every((parameter) => String(values[parameter.name]) === String(parameter.default));
  }
}

/** @param {FamilyParameter} parameter */
function kindOf({ meaning, least, most, length }) {
  if (!length) return { type: "number", min: least, max: most };
  return { type: "text", pattern: String.raw`\s*\d+\s*(,\s*\d+\s*)*`, title: `${meaning}, separated by commas` };
}

/** @param {Size} preset */
function presetWords({ width, height, ...others }) {
  const words = Object.entries(others).map(([name, value]) => `${name} ${value}`);
  return (width ? [`${width}×${height}`, ...words] : words).join(", ");
}
