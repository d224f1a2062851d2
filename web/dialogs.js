import { h } from "./dom.js";
import { iconButton } from "./icons.js";

/** @import {Child} from "./dom.js" */

/**
 * A modal dialogue. It takes itself away when it is closed.
 * @param {string} title
 * @param {Child[]} content
 * @param {{class?: string, onClose?: () => void}} [how]
 * @returns {HTMLDialogElement}
 */
export function dialog(title, content, how = {}) {
  const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const element = h(
    "dialog",
    { class: how.class ?? "", "aria-labelledby": heading.id },
    h("header", {}, heading, iconButton("close", "Close", () => element.close(), { class: "quiet" })),
    ...content,
  );
  element.addEventListener("close", () => {
    element.remove();
    how.onClose?.();
  });
  // A click beside the dialogue lands on the element itself, which has no padding of its own.
  element.addEventListener("pointerdown", (event) => event.target === element && element.close());
  document.body.append(element);
  element.showModal();
  return element;
}

/**
 * @param {string} question
 * @param {string} yes the word on the button that agrees
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const agree = h("button", { type: "button", class: "button primary" }, yes);
    const refuse = h("button", { type: "button", class: "button" }, "Cancel");
    const asked = dialog(question, [h("footer", {}, refuse, agree)], { class: "small", onClose: () => resolve(answer) });
    agree.addEventListener("click", () => {
      answer = true;
      asked.close();
    });
    refuse.addEventListener("click", () => asked.close());
    agree.focus();
  });
}
