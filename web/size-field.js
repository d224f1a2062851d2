import { h } from "./dom.js";

/** @import {Family} from "./types.js" */

/** The size of a game that comes in many. */
export class SizeField {
  /** @type {Map<string, HTMLInputElement>} */
  #inputs = new Map();
  element;

  /** @param {Family} family */
  constructor(family) {
    this.family = family;
    const fields = family.parameters.map((parameter) => {
      const { name, meaning, least, most } = parameter;
      const input = h("input", { type: "number", min: least, max: most, value: parameter.default, required: true });
      this.#inputs.set(name, input);
      return h("label", { title: meaning }, h("span", {}, name.replaceAll("_", " ")), input);
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

  /** @param {Record<string, number>} values */
  set(values) {
    for (const [name, value] of Object.entries(values)) {
      const input = this.#inputs.get(name);
      if (input) input.value = String(value);
    }
  }

  reset() {
    this.set(Object.fromEntries(this.family.parameters.map((parameter) => [parameter.name, parameter.default])));
  }

  /** @returns {Record<string, number>} */
  get values() {
    return Object.fromEntries([...this.#inputs].map(([name, input]) => [name, input.valueAsNumber]));
  }

  /** Whether this is the size of the shipped game. */
  get isDefault() {
    const { values } = this;
    return this.family.parameters.every((parameter) => values[parameter.name] === parameter.default);
  }
}

/** @param {Record<string, number>} preset */
function presetWords(preset) {
  const { width, height, ...others } = preset;
  const size = width !== undefined && height !== undefined ? [`${width}×${height}`] : [];
  const rest = Object.entries(width !== undefined && height !== undefined ? others : preset);
  return [...size, ...rest.map(([name, value]) => `${name} ${value}`)].join(", ");
}
