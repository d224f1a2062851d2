/** Sounds, made by the browser: off until the person wants them. */
import { settings } from "./storage.js";

/** @type {AudioContext | null} */
let context = null;

/**
 * @param {number} pitch in hertz
 * @param {number} start seconds from now
 * @param {number} length in seconds
 */
function tone(pitch, start, length) {
  context ??= new AudioContext();
  const begin = context.currentTime + start;
  const [voice, loudness] = [context.createOscillator(), context.createGain()];
  voice.type = "triangle";
  voice.frequency.value = pitch;
  loudness.gain.setValueAtTime(0.18, begin);
  loudness.gain.exponentialRampToValueAtTime(0.001, begin + length);
  voice.connect(loudness).connect(context.destination);
  voice.start(begin);
  voice.stop(begin + length);
}

/** @param {"move" | "answer" | "end"} kind */
export function play(kind) {
  if (!settings().sound) return;
  if (kind === "move") tone(330, 0, 0.09);
  if (kind === "answer") tone(262, 0, 0.12);
  if (kind === "end") for (const [place, pitch] of [392, 494, 587].entries()) tone(pitch, place * 0.14, 0.3);
}
