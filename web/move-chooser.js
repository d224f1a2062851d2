import { preview } from "./board-marks.js";
import { candidates, click, completed, continuations, drag } from "./clicks.js";
import { detail, h, send } from "./dom.js";
import { firstPiece } from "./figures.js";
import { moveButtons } from "./move-list.js";
import { isOfRole } from "./picture.js";
import { settings } from "./storage.js";

/** @import {Arrow, Move, View} from "./types.js" */
/** @import {BoardElement} from "./board.js" */
/** @import {Square} from "./picture.js" */
/** @import {ClickResult} from "./clicks.js" */

/** Lets a person choose a move of one role by squares, or by buttons where squares do not say which. */
export class MoveChooser {
  /** @type {string[]} */
  #path = [];
  /** @type {Move[]} */
  #moves = [];
  #role = "";
  #number = 0;
  /** @type {Arrow[]} */
  #arrows = [];
  /** @type {Move | null} */
  #pointed = null;
  /** Whether other roles of this person are to choose, too. */
  #isOneOfSeveral = false;
  /** The ply and role for which the path holds. */
  #place = "";

  /**
   * @param {BoardElement} board
   * @param {HTMLElement} tray where buttons for moves appear
   * @param {(role: string, move: Move) => void} play
   */
  constructor(board, tray, play) {
    this.board = board;
    this.tray = tray;
    this.play = play;
    board.addEventListener("square", (event) => this.#take(click(this.#moves, this.#path, detail(event), settings().confirm)));
    board.addEventListener("drag-squares", (event) => this.#take(drag(this.#moves, detail(event).from, detail(event).to)));
    board.addEventListener("cancel", () => this.#take({ kind: "path", path: [] }));
    board.addEventListener("why-square", (event) => this.#ask(detail(event)));
    board.addEventListener("hover-square", (event) => this.#hover(detail(event)));
    board.addEventListener("focusin", (event) => {
      const group = event.target instanceof Element ? event.target.closest("g.square") : null;
      this.#hover(group?.getAttribute("data-square") ?? null);
    });
  }

  get role() {
    return this.#role;
  }

  /**
   * @param {View} view
   * @param {string} role the role that chooses now, or an empty text
   */
  update(view, role) {
    this.#role = role;
    this.#number = view.roles.findIndex((player) => player.role === role);
    this.#moves = view.moves[role] ?? [];
    this.#isOneOfSeveral = view.roles.filter((player) => player.is_mine && view.choosing.includes(player.role)).length > 1;
    const place = `${view.version}/${role}/${view.ply}`;
    if (place !== this.#place) this.#path = [];
    this.#place = place;
    this.#pointed = null;
    this.#draw();
    this.#drawTray(completed(this.#moves, this.#path));
  }

  /** @param {Arrow[]} arrows of an analysis or a hint */
  showArrows(arrows) {
    if (JSON.stringify(arrows) === JSON.stringify(this.#arrows)) return;
    this.#arrows = arrows;
    this.#draw();
  }

  /** @param {Move | null} move that the pointer rests on in a list */
  point(move) {
    this.#pointed = move;
    this.#draw();
  }

  /**
   * Asks why a square is lit: why the first move by way of it is legal.
   * @param {string} square
   */
  #ask(square) {
    const [move] = [...candidates(this.#moves, [...this.#path, square]), ...candidates(this.#moves, [square])];
    if (move) send(this.board, "why", { role: this.#role, move: move.move });
  }

  /** @param {ClickResult} result */
  #take(result) {
    preview(null, null, this.board);
    if (result.kind === "play") {
      this.#path = [];
      this.#draw();
      this.play(this.#role, result.move);
      return;
    }
    this.#path = result.path;
    this.#draw();
    this.#drawTray(result.kind === "choose" ? result.moves : completed(this.#moves, this.#path));
  }

  /**
   * Buttons for moves that the clicked squares are already, and for moves without squares.
   * @param {Move[]} chosen
   */
  #drawTray(chosen) {
    const choose = (/** @type {Move} */ move) => this.play(this.#role, move);
    const without = this.#path.length === 0 ? this.#moves.filter((move) => move.clicks.length === 0) : [];
    const hasBoard = this.board.squares.size > 0;
    const parts = [];
    if (chosen.length > 0) parts.push(h("span", { class: "faint" }, chosen.length > 1 ? "Which one?" : "Or play:"), moveButtons(chosen, "Moves of these squares", choose));
    if (without.length > 0 && this.#isOneOfSeveral) parts.push(h("span", {}, `${this.#role}:`));
    // A long list without squares stands in the list of all moves, where it can be filtered.
    if (without.length > 0 && (without.length <= 24 || !hasBoard)) parts.push(moveButtons(without, `Moves of ${this.#role}`, choose));
    this.tray.replaceChildren(...parts);
    this.tray.classList.toggle("large", !hasBoard && without.length <= 6);
    if (chosen.length > 1) this.tray.querySelector("button")?.focus();
  }

  #draw() {
    const isShown = settings().highlight;
    const pointed = this.#pointed?.clicks ?? [];
    const starts = this.#path.length === 0;
    const next = continuations(this.#moves, this.#path);
    const sources = starts ? next : continuations(this.#moves, []);
    this.board.mark({
      selected: this.#path,
      destinations: isShown && !starts ? next : [],
      sources,
      hinted: pointed,
      arrows: [...this.#arrows, ...(pointed.length > 1 ? [{ kind: /** @type {const} */ ("reply"), from: pointed[0], to: pointed[pointed.length - 1] }] : [])],
    });
    const alone = completed(this.#moves, this.#path).length > 0 ? this.board.squares.get(this.#path.at(-1) ?? "") : undefined;
    if (alone && !alone.piece) preview(alone, this.#ownPiece(), this.board);
  }

  /**
   * Shows the piece translucently where it would go.
   * @param {string | null} id
   */
  #hover(id) {
    const square = id === null ? undefined : this.board.squares.get(id);
    const from = this.board.squares.get(this.#path[0] ?? "");
    const isNext = id !== null && continuations(this.#moves, this.#path).includes(id);
    if (!square || !isNext || !settings().highlight) return preview(null, null, this.board);
    const isWhole = completed(this.#moves, [...this.#path, square.id]).length > 0;
    const like = from?.piece ? from : isWhole && !square.piece ? this.#ownPiece() : null;
    preview(square, like, this.board);
  }

  /** A piece of the role, as far as names tell. */
  #ownPiece() {
    const own = (/** @type {Square} */ { piece, content }) => piece !== null && isOfRole(content, this.#role);
    return [...this.board.squares.values()].find(own) ?? firstPiece(this.#role, this.#number);
  }
}
