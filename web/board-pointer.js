import { preview } from "./board-marks.js";
import { send } from "./dom.js";

/** @import {Square} from "./picture.js" */

/**
 * @typedef {{squareAt: (target: EventTarget | null) => string | null, square: (id: string) => Square | undefined,
 *   canDrag: (id: string) => boolean}} Squares
 */

/** How far a pointer goes before it drags instead of clicking, in pixels. */
const SLACK = 6;

/**
 * Turns what a mouse, a pen or a finger does on a board into `square` and `drag-squares`.
 * @param {HTMLElement} board
 * @param {Squares} squares
 */
export function followPointer(board, squares) {
  /** @type {{id: string, x: number, y: number, pointer: number, copy: SVGGElement | null} | null} */
  let held = null;

  board.addEventListener("pointerdown", (event) => {
    const id = squares.squareAt(event.target);
    if (id === null || event.button !== 0) return;
    held = { id, x: event.clientX, y: event.clientY, pointer: event.pointerId, copy: null };
  });

  board.addEventListener("pointermove", (event) => {
    if (!held || held.pointer !== event.pointerId) return hover(event);
    const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLACK;
    if (!held.copy && isFar && squares.canDrag(held.id)) begin();
    if (held.copy) follow(event);
  });

  board.addEventListener("pointerup", (event) => {
    if (!held || held.pointer !== event.pointerId) return;
    const { id, copy } = held;
    release();
    const target = squares.squareAt(document.elementFromPoint(event.clientX, event.clientY));
    if (copy && target !== null && target !== id) send(board, "drag-squares", { from: id, to: target });
    else if (target === id && !copy) send(board, "square", id);
  });

  // Screen readers click without a pointer.
  board.addEventListener("click", (event) => {
    const id = squares.squareAt(event.target);
    if (event.detail === 0 && id !== null) send(board, "square", id);
  });

  board.addEventListener("pointercancel", release);
  board.addEventListener("pointerleave", () => held || preview(null, null, board));
  // Pieces are dragged by the page; the browser would drag a picture of the selection.
  board.addEventListener("dragstart", (event) => event.preventDefault());

  function begin() {
    const square = held && squares.square(held.id);
    if (!held || !square?.piece) return;
    held.copy = /** @type {SVGGElement} */ (square.piece.cloneNode(true));
    held.copy.classList.add("ghost", "dragged");
    square.group.parentNode?.append(held.copy);
    square.group.classList.add("lifted");
    board.setPointerCapture(held.pointer);
  }

  /** @param {PointerEvent} event */
  function follow(event) {
    const matrix = held?.copy?.parentNode instanceof SVGGElement ? held.copy.parentNode.getScreenCTM() : null;
    if (!held?.copy || !matrix) return;
    const way = new DOMMatrix([matrix.a, matrix.b, matrix.c, matrix.d, 0, 0]).inverse();
    const { x, y } = way.transformPoint({ x: event.clientX - held.x, y: event.clientY - held.y });
    held.copy.setAttribute("transform", `translate(${x} ${y})`);
  }

  function release() {
    held?.copy?.remove();
    for (const lifted of board.querySelectorAll(".lifted")) lifted.classList.remove("lifted");
    held = null;
  }

  /** @param {PointerEvent} event */
  function hover(event) {
    if (event.pointerType === "touch") return;
    const id = squares.squareAt(event.target);
    send(board, "hover-square", id);
  }
}
