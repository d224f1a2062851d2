/** How things of a match are put into words and colours. */

/** @import {HistoryEntry, RoleView, Thinking, View} from "./types.js" */

export const COLOURS = "white light black dark red blue green yellow gold orange pink magenta purple teal".split(" ");

/**
 * The class that colours a role: its own colour if it is named by one.
 * @param {string} role
 * @param {number} place
 */
export function roleClass(role, place) {
  return COLOURS.includes(role) ? role : `side${place % 4}`;
}

/**
 * A term of the rules in few signs: `(mark 1 1)` → `mark 1 1`.
 * @param {string} term
 */
export function plain(term) {
  return term.startsWith("(") && term.endsWith(")") ? term.slice(1, -1) : term;
}

/**
 * The name of a game without what its title says besides: "Nim, with four heaps" → "Nim".
 * @param {string} title
 */
export function shortTitle(title) {
  const [name] = title.split(/, (?=(?:a|an|the|by|also|with|called)\b)|[:(]|\.(?:\s|$)/);
  return name.trim() || title;
}

/** @param {number} number */
export function count(number) {
  if (number < 10_000) return String(Math.round(number));
  const [divisor, unit] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  const scaled = number / divisor;
  return `${scaled < 100 ? scaled.toFixed(1) : Math.round(scaled)} ${unit}`;
}

/** @param {number} value */
export function points(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/**
 * @param {HistoryEntry} entry
 */
export function moveWords(entry) {
  return entry.by === null ? jointWords(entry.moves) : plain(entry.moves[entry.by]);
}

/**
 * A joint move without those who only wait.
 * @param {string[]} moves
 */
export function jointWords(moves) {
  return moves.map(plain).filter((move) => move !== "noop").join(" · ") || "noop";
}

/**
 * The number of the role that moved, if it was one: a move without a choice is the move of nobody to the server.
 * @param {HistoryEntry} entry
 * @returns {number | null}
 */
export function moverOf({ moves, by }) {
  const acting = moves.flatMap((move, place) => (move === "noop" ? [] : [place]));
  return by ?? (acting.length === 1 ? acting[0] : null);
}

/** @param {RoleView} player */
export function playerWords(player) {
  const kinds = { human: "human", machine: player.player ?? "machine", link: "invited by link" };
  return player.name ? `${player.name} (${kinds[player.kind]})` : kinds[player.kind];
}

/**
 * What happens now, in a sentence.
 * @param {View} view
 */
export function statusWords(view) {
  if (view.ended) return `The game is over. ${view.ended.text}`;
  if (view.is_paused) return "Paused.";
  return view.ply < view.plies ? `After ${view.ply} of ${view.plies} plies. ${turnWords(view)}`.trim() : turnWords(view);
}

/** @param {View} view */
function turnWords(view) {
  const choosing = view.roles.filter((player) => view.choosing.includes(player.role));
  const mine = choosing.filter((player) => player.is_mine && !player.has_chosen);
  if (mine.length > 0) return `Your move: ${mine.map((player) => player.role).join(", then ")}.`;
  const waiting = choosing.filter((player) => !player.has_chosen);
  const machines = waiting.every((player) => player.kind === "machine");
  // A machine does not go on from a position that was left: it would replace the moves after it.
  if (waiting.length === 0 || (machines && view.ply < view.plies)) return "";
  const names = waiting.map((player) => player.role).join(" and ");
  return machines ? `${names} is thinking.` : `Waiting for ${names}.`;
}

/**
 * A value as a number for the first role. Only in games of two are the values of the other one the opposite.
 * @param {View} view
 * @param {{role: string, value: number}} thinking
 * @returns {number | null}
 */
export function valueOfFirst(view, thinking) {
  const place = view.roles.findIndex((player) => player.role === thinking.role);
  if (place === 0) return thinking.value;
  return place === 1 && view.roles.length === 2 ? 100 - thinking.value : null;
}

/** @param {Thinking} thinking */
export function searchWords(thinking) {
  const parts = [`depth ${thinking.depth}`, `${count(thinking.nodes)} nodes`, `${count(thinking.rate)} nodes/s`];
  return parts.join(" · ");
}
