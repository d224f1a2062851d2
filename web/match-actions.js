/** What the buttons of a match do beyond messages to the server. */
import { api } from "./api.js";
import { downloadPng, downloadSvg } from "./board-export.js";
import { confirmed } from "./dialogs.js";
import { download } from "./dom.js";
import { copy, tellProblem } from "./messages.js";
import { newMatch } from "./new-match.js";
import { pack } from "./packed.js";
import { keepMatchKey } from "./storage.js";
import { moveWords } from "./words.js";

/** @import {View} from "./types.js" */
/** @import {BoardElement} from "./board.js" */

/**
 * Asks for a new match of the same game. The match that runs is paused meanwhile.
 * @param {View} view
 * @param {(on: boolean) => unknown} pause
 */
export async function newMatchLike(view, pause) {
  const wasPaused = view.is_paused;
  if (!wasPaused) pause(true);
  try {
    const rules = await api.rules(view.id);
    const roles = view.roles.map((player) => player.role);
    const shipped = (await api.games()).find((game) => game.name === view.game);
    const isShipped = shipped && (await api.game(shipped.name)).rules === rules;
    const source = isShipped ? { game: view.game } : { name: view.game, rules };
    await newMatch({ source, title: view.title, roles, limit: view.limit?.seconds, onClose: () => wasPaused || pause(false) });
  } catch (error) {
    if (!wasPaused) pause(false);
    tellProblem(error);
  }
}

/** @param {View} view */
export function copyLink(view) {
  copy(`${location.origin}/match/${view.id}`, "The link for spectators is copied.");
}

/** @param {View} view */
export function copyMoves(view) {
  const roles = view.roles.map((player) => player.role).join(" – ");
  const moves = view.history.map((entry, place) => `${place + 1}. ${moveWords(entry)}`);
  const goals = view.roles.some((player) => player.goal !== null) ? `\n${view.roles.map((player) => player.goal).join(" – ")}` : "";
  copy(`${view.title}\n${roles}\n\n${moves.join("  ")}${goals}\n`, "The moves are copied.");
}

/** @param {View} view */
export async function copyGame(view) {
  try {
    const moves = view.history.map((entry) => entry.moves);
    const packed = await pack({ name: view.game, rules: await api.rules(view.id), moves });
    copy(`${location.origin}/#match=${packed}`, "The link is copied. Whoever opens it has a match of their own.");
  } catch (error) {
    tellProblem(error);
  }
}

/** @param {View} view */
export async function saveMatch(view) {
  try {
    const record = await api.record(view.id);
    download(`${view.game}-${view.id.slice(0, 8)}.json`, new Blob([JSON.stringify(record, null, 1)], { type: "application/json" }));
  } catch (error) {
    tellProblem(error);
  }
}

/**
 * @param {BoardElement} board
 * @param {View} view
 * @param {"svg" | "png"} kind
 */
export async function downloadBoard(board, view, kind) {
  const name = `${view.game}-${view.ply}`;
  try {
    if (board.squares.size === 0) throw new Error("this position has no board");
    if (kind === "svg") downloadSvg(board.drawing, name);
    else await downloadPng(board.drawing, name);
  } catch (error) {
    tellProblem(error);
  }
}

/** @param {HTMLElement} element */
export async function toggleFullScreen(element) {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await element.requestFullscreen();
  } catch {
    tellProblem(new Error("the browser refuses full screen"));
  }
}

/**
 * @param {View} view
 * @param {string | null} key
 */
export async function removeMatch(view, key) {
  if (!(await confirmed("Delete this match for good?", "Delete"))) return;
  try {
    await api.remove(view.id, key);
    keepMatchKey(view.id, null);
    location.assign("/");
  } catch (error) {
    tellProblem(error);
  }
}
