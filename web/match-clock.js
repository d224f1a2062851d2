import { h } from "./dom.js";

/** @import {Limit} from "./types.js" */

/** From here on, in seconds, the clock asks for attention. */
const SHORT = 30;

/** The time that a match may still last, counted down between two views. */
export class MatchClock {
  element = h("p", { class: "clock", role: "timer", "aria-label": "Time left", hidden: true });
  #timer = 0;
  /** @type {Limit | null} */
  #limit = null;
  #since = 0;

  /** @param {Limit | null} limit as the newest view has it */
  update(limit) {
    clearInterval(this.#timer);
    this.#limit = limit;
    this.#since = performance.now();
    this.element.hidden = limit === null;
    if (limit?.running) this.#timer = window.setInterval(() => this.#draw(), 200);
    this.#draw();
  }

  #draw() {
    if (!this.#limit) return;
    const passed = this.#limit.running ? (performance.now() - this.#since) / 1000 : 0;
    const left = Math.max(0, this.#limit.left - passed);
    const words = clockWords(left);
    if (this.element.textContent !== words) this.element.textContent = words;
    this.element.classList.toggle("short", left < SHORT);
    this.element.classList.toggle("running", this.#limit.running);
  }
}

/**
 * 75 seconds read `1:15`.
 * @param {number} seconds
 */
export function clockWords(seconds) {
  const whole = Math.ceil(seconds);
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `${hours > 0 ? `${hours}:${pad(minutes)}` : minutes}:${pad(whole % 60)}`;
}
