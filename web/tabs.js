import { h } from "./dom.js";

/**
 * @typedef {{name: string, content: HTMLElement}} Tab
 */

/**
 * Panels of which one is shown. Arrow keys lead from tab to tab.
 * @param {string} label
 * @param {Tab[]} tabs
 * @param {(name: string) => void} shown
 * @returns {{element: HTMLElement, open: (name: string) => void}}
 */
export function tabs(label, tabs, shown) {
  const buttons = tabs.map(({ name }) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` }, name));
  const panels = tabs.map(({ name, content }) =>
    h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, class: "panel", tabindex: "0" }, content),
  );

  /** @param {number} chosen */
  const open = (chosen) => {
    for (const [place, button] of buttons.entries()) {
      button.setAttribute("aria-selected", String(place === chosen));
      button.tabIndex = place === chosen ? 0 : -1;
      panels[place].hidden = place !== chosen;
    }
    shown(tabs[chosen].name);
  };

  for (const [place, button] of buttons.entries()) {
    button.addEventListener("click", () => open(place));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const next = (place + step + buttons.length) % buttons.length;
      open(next);
      buttons[next].focus();
    });
  }
  open(0);
  const element = h("div", { class: "tabs" }, h("div", { role: "tablist", "aria-label": label }, ...buttons), ...panels);
  return { element, open: (name) => open(tabs.findIndex((tab) => tab.name === name)) };
}
