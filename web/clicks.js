/** Moves made by clicks: a move is a path of squares, and clicks walk along the paths of all legal moves. */

/** @import {Move} from "./types.js" */

/**
 * What a click leads to: a move, several moves to choose from, or another path.
 * @typedef {{kind: "play", move: Move} | {kind: "choose", moves: Move[], path: string[]}
 *   | {kind: "path", path: string[]}} ClickResult
 */

/**
 * @param {string[]} whole
 * @param {string[]} start
 */
const startsWith = (whole, start) => start.every((square, place) => whole[place] === square);

/**
 * The moves that a path of clicks may still become.
 * @param {Move[]} moves
 * @param {string[]} path
 */
export function candidates(moves, path) {
  return moves.filter((move) => move.clicks.length >= Math.max(1, path.length) && startsWith(move.clicks, path));
}

/**
 * The moves that a path of clicks is, whole.
 * @param {Move[]} moves
 * @param {string[]} path
 */
export function completed(moves, path) {
  return candidates(moves, path).filter((move) => move.clicks.length === path.length);
}

/**
 * The squares that go on from a path.
 * @param {Move[]} moves
 * @param {string[]} path
 */
export function continuations(moves, path) {
  const next = candidates(moves, path).map((move) => move.clicks[path.length]);
  return [...new Set(next.filter((square) => square !== undefined))];
}

/**
 * @param {Move[]} moves
 * @param {string[]} path
 * @returns {ClickResult}
 */
function finish(moves, path) {
  const whole = completed(moves, path);
  return whole.length === 1 ? { kind: "play", move: whole[0] } : { kind: "choose", moves: whole, path };
}

/**
 * What a click on a square does.
 * @param {Move[]} moves the legal moves
 * @param {string[]} path the squares clicked before
 * @param {string} square
 * @param {boolean} confirm whether a move of one square asks for a second click on it
 * @returns {ClickResult}
 */
export function click(moves, path, square, confirm) {
  const longer = [...path, square];
  const possible = candidates(moves, longer);
  if (possible.length > 0) {
    const goesOn = possible.some((move) => move.clicks.length > longer.length);
    const waits = goesOn || (confirm && longer.length === 1);
    return waits ? { kind: "path", path: longer } : finish(moves, longer);
  }
  const isSame = path.at(-1) === square;
  if (isSame && completed(moves, path).length > 0) return finish(moves, path);
  if (isSame || path.length === 0) return { kind: "path", path: [] };
  return click(moves, [], square, confirm);
}

/**
 * What dragging from one square to another does.
 * @param {Move[]} moves
 * @param {string} from
 * @param {string} to
 * @returns {ClickResult}
 */
export function drag(moves, from, to) {
  const first = click(moves, [], from, true);
  return first.kind === "path" && first.path.length > 0 && from !== to
    ? click(moves, first.path, to, false)
    : first;
}
