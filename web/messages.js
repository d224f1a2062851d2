/** Short messages: shown for some seconds and read out by screen readers. */
import { h } from "./dom.js";
import { iconButton } from "./icons.js";

const STAY = 6_000;

/**
 * @param {string} words
 * @param {{help?: string | null, isProblem?: boolean}} [more]
 */
export function tell(words, { help = null, isProblem = false } = {}) {
  const place = document.querySelector("#messages");
  const message = h(
    "div",
    { class: `message ${isProblem ? "problem" : ""}`, role: isProblem ? "alert" : "status" },
    h("p", {}, words, help ? h("small", {}, help) : null),
    iconButton("close", "Close the message", () => message.remove(), { class: "quiet" }),
  );
  place?.append(message);
  setTimeout(() => message.remove(), STAY);
}

/** @param {unknown} error */
export function tellProblem(error) {
  const { message, help } = /** @type {{message?: string, help?: string | null}} */ (error ?? {});
  tell(message ?? String(error), { help: help ?? null, isProblem: true });
}

/**
 * Says something to screen readers alone.
 * @param {string} words
 */
export function announce(words) {
  const place = document.querySelector("#announcements");
  if (place && place.textContent !== words) place.textContent = words;
}

/**
 * Copies a text; where the browser refuses, shows it so that it can be copied by hand.
 * @param {string} text
 * @param {string} done what to say then
 */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    tell(done);
  } catch {
    tell("Copy this:", { help: text });
  }
}
