import { s } from "./dom.js";

/** @import {Arrow, Marks} from "./types.js" */
/** @import {Square} from "./picture.js" */

/** @type {Marks} */
export const NO_MARKS = { selected: [], destinations: [], sources: [], hinted: [], arrows: [] };

const HEAD = 9;
/** How wide arrows of weaker moves are, of the best one's width, by rank. */
const WIDTHS = [1, 0.72, 0.56, 0.44, 0.36];

/**
 * Marks squares by classes, and draws dots, previews and arrows over them.
 * @param {Map<string, Square>} squares
 * @param {Marks} marks
 */
export function drawMarks(squares, marks) {
  const groups = new Set([...squares.values()].map((square) => square.svg));
  for (const svg of groups) for (const old of svg.querySelectorAll(".mark-layer, .mark-dot")) old.remove();
  for (const { id, group } of squares.values()) {
    group.classList.toggle("selected", marks.selected.includes(id));
    group.classList.toggle("destination", marks.destinations.includes(id));
    group.classList.toggle("source", marks.sources.includes(id));
    group.classList.toggle("hinted", marks.hinted.includes(id));
  }
  for (const id of marks.destinations) {
    const square = squares.get(id);
    if (square) square.group.append(destinationMark(square));
  }
  // The best one comes last, above the others.
  for (const arrow of marks.arrows.toReversed()) drawArrow(squares, arrow);
}

/** @param {Square} square */
function destinationMark({ x, y, piece }) {
  return s("circle", { class: piece ? "mark-dot around" : "mark-dot", cx: x, cy: y, r: piece ? 17.5 : 6 });
}

/**
 * @param {Map<string, Square>} squares
 * @param {Arrow} arrow
 */
function drawArrow(squares, arrow) {
  const [from, to] = [squares.get(arrow.from), squares.get(arrow.to)];
  if (!from || !to) return;
  const rank = arrow.rank ?? 0;
  const layer = s("g", { class: `mark-layer arrow ${arrow.kind} rank-${rank}`, "aria-hidden": "true" });
  if (from === to || from.svg !== to.svg) {
    layer.append(s("circle", { class: "ring-mark", cx: to.x, cy: to.y, r: 17, "stroke-width": 3 * WIDTHS[rank] }));
  } else {
    layer.append(s("path", { d: arrowPath(from, to, WIDTHS[rank]) }));
  }
  to.group.parentNode?.append(layer);
}

/**
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {number} width
 */
function arrowPath(from, to, width) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [right, down] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${(from.x + right * along - down * aside).toFixed(1)} ${(from.y + down * along + right * aside).toFixed(1)}`;
  const [shaft, head] = [2.5 * width, (HEAD - 1) * Math.sqrt(width)];
  const neck = Math.max(6, length - head - 5);
  return `M${at(6, shaft)}L${at(neck, shaft)}L${at(neck, head)}L${at(length - 3, 0)}`
    + `L${at(neck, -head)}L${at(neck, -shaft)}L${at(6, -shaft)}z`;
}

/**
 * Shows a copy of a piece on a square, translucent, or takes the copy away.
 * @param {Square | null} square
 * @param {Pick<Square, "piece" | "x" | "y"> | null} like a square with the piece
 * @param {ParentNode} root
 */
export function preview(square, like, root) {
  for (const old of root.querySelectorAll(".preview")) old.remove();
  if (!square || !like?.piece) return;
  const copy = /** @type {SVGGElement} */ (like.piece.cloneNode(true));
  copy.setAttribute("transform", `translate(${square.x - like.x} ${square.y - like.y})`);
  copy.classList.add("preview");
  square.group.append(copy);
}
