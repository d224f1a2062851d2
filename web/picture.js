/** The server's drawing of a position, made ready for the page: figures, words for screen readers, two tones of squares. */
import { h, s } from "./dom.js";
import { drawFigure, isChess } from "./figures.js";
import { plain } from "./words.js";

/**
 * A square on the page.
 * @typedef {{id: string, group: SVGGElement, cell: SVGGraphicsElement, piece: SVGGElement | null, content: string,
 *   svg: SVGSVGElement, x: number, y: number}} Square
 */

/**
 * Reads the drawing. The text is the server's own, made of escaped words.
 * @param {string} picture
 * @param {string[]} roles
 * @param {boolean} [chess] whether the game is chess, where that is known
 * @returns {{parts: DocumentFragment, squares: Map<string, Square>, chess: boolean}}
 */
export function readPicture(picture, roles, chess) {
  const template = document.createElement("template");
  template.innerHTML = picture;
  const parts = template.content;
  const contents = [...parts.querySelectorAll(".piece > title")].map((title) => title.textContent ?? "");
  const look = { chess: chess || isChess(contents), roles };
  /** @type {Map<string, Square>} */
  const squares = new Map();
  for (const [number, svg] of parts.querySelectorAll("svg").entries()) {
    prepareBoard(svg, number);
    const found = [...svg.querySelectorAll("g.square[data-square]")];
    const ofBoard = found.map((group) => readSquare(svg, /** @type {SVGGElement} */ (group), look));
    for (const square of ofBoard) squares.set(square.id, square);
    toneSquares(ofBoard);
  }
  dropLegends(parts, squares);
  for (const rest of parts.querySelectorAll("p.rest:has(code)")) rest.replaceWith(factList(rest));
  return { parts, squares, chess: look.chess };
}

/**
 * A drawing to be looked at alone.
 * @param {string} picture
 * @param {string[]} roles
 */
export function stillPicture(picture, roles) {
  const { parts, squares } = readPicture(picture, roles);
  for (const { group } of squares.values()) group.removeAttribute("data-square");
  return parts;
}

/**
 * The browser would show the title of the drawing as a tooltip on every square. What is drawn lies in one group, so
 * that it can be turned.
 * @param {SVGSVGElement} svg
 * @param {number} number
 */
function prepareBoard(svg, number) {
  const title = svg.querySelector(":scope > title");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", `board ${title?.textContent ?? ""}`.trim());
  title?.remove();
  svg.dataset.board = String(number);
  const content = s("g", { class: "content" });
  content.append(...svg.childNodes);
  svg.append(content);
}

/**
 * Turns a drawing by half a turn, or back. Letters and figures stay upright.
 * @param {SVGSVGElement} svg
 * @param {boolean} on
 */
export function turnBoard(svg, on) {
  const { width, height } = svg.viewBox.baseVal;
  turn(svg.querySelector(".content"), on, width / 2, height / 2);
  for (const text of svg.querySelectorAll("text")) {
    // A letter is about eight units high above its base line.
    turn(text, on, Number(text.getAttribute("x")), Number(text.getAttribute("y")) - 4);
  }
  for (const figure of svg.querySelectorAll(".figure")) turn(figure, on, 0, 0);
}

/**
 * @param {Element | null} element
 * @param {boolean} on
 * @param {number} x
 * @param {number} y
 */
function turn(element, on, x, y) {
  const rest = (element?.getAttribute("transform") ?? "").replace(/ ?rotate\(180 [^)]*\)$/, "");
  element?.setAttribute("transform", on ? `${rest} rotate(180 ${x} ${y})`.trim() : rest);
}

/**
 * @param {SVGSVGElement} svg
 * @param {SVGGElement} group
 * @param {{chess: boolean, roles: string[]}} look
 * @returns {Square}
 */
function readSquare(svg, group, { chess, roles }) {
  const id = group.dataset.square ?? "";
  const cell = /** @type {SVGGraphicsElement} */ (group.querySelector(".cell, .point") ?? group);
  const piece = /** @type {SVGGElement | null} */ (group.querySelector("g.piece"));
  const content = piece?.querySelector("title")?.textContent ?? "";
  const [x, y] = middleOf(cell, piece);
  piece?.querySelector("title")?.remove();
  // A point is small: the room around it takes clicks as well.
  if (cell instanceof SVGCircleElement) group.append(s("circle", { class: "around", cx: x, cy: y, r: 20 }));
  if (piece) colourLikeRole(piece, content, roles);
  if (piece) drawFigure(piece, content, chess);
  return { id, group, cell, piece, content, svg, x, y };
}

/**
 * A piece that is named like a role has the colour of that role, unless its name is a colour of its own.
 * @param {SVGGElement} piece
 * @param {string} content
 * @param {string[]} roles
 */
function colourLikeRole(piece, content, roles) {
  const side = [...piece.classList].find((name) => /^side\d$/.test(name));
  const alike = roles.filter((role) => isOfRole(content, role));
  if (side && alike.length === 1) piece.classList.replace(side, `side${roles.indexOf(alike[0]) % 4}`);
}

/**
 * Whether the name of a piece says that it belongs to a role: `white_man`, `w` and `wp` are pieces of `white`.
 * @param {string} content
 * @param {string} role
 */
export function isOfRole(content, role) {
  const code = /^([a-z])[a-z]$/.exec(content)?.[1] ?? content;
  return role.startsWith(code) || content.startsWith(role);
}

/**
 * The middle of a square, from the numbers of the drawing: it has no size before it is on the page.
 * @param {Element} cell
 * @param {Element | null} piece
 * @returns {[number, number]}
 */
function middleOf(cell, piece) {
  const number = (/** @type {Element} */ element, /** @type {string} */ name) => Number(element.getAttribute(name) ?? 0);
  if (cell instanceof SVGRectElement) {
    return [number(cell, "x") + number(cell, "width") / 2, number(cell, "y") + number(cell, "height") / 2];
  }
  if (cell instanceof SVGCircleElement) return [number(cell, "cx"), number(cell, "cy")];
  if (cell instanceof SVGPolygonElement) {
    const corners = (cell.getAttribute("points") ?? "").trim().split(/[\s,]+/).map(Number);
    const mean = (/** @type {number} */ first) => {
      const side = corners.filter((_, place) => place % 2 === first);
      return side.reduce((sum, value) => sum + value, 0) / Math.max(1, side.length);
    };
    return [mean(0), mean(1)];
  }
  const tile = piece?.querySelector("rect");
  return tile ? [number(tile, "x") + 15, number(tile, "y") + 15] : [0, 0];
}

/** The least length of a board whose squares are shown in two tones: smaller ones are drawn on paper. */
const LEAST_TONED = 4;

/** @param {Square[]} squares */
function toneSquares(squares) {
  const grid = squares.filter((square) => square.cell instanceof SVGRectElement);
  const columns = [...new Set(grid.map((square) => square.x))].sort((a, b) => a - b);
  const rows = [...new Set(grid.map((square) => square.y))].sort((a, b) => b - a);
  if (Math.max(columns.length, rows.length) < LEAST_TONED || Math.min(columns.length, rows.length) < 2) return;
  // The lower left square is a dark one, as on the boards of chess and draughts.
  const dark = grid.filter((square) => (columns.indexOf(square.x) + rows.indexOf(square.y)) % 2 === 0);
  for (const square of dark) square.cell.classList.add("tone");
  const isDraughts = dark.length === grid.length && 2 * grid.length >= columns.length * rows.length;
  if (isDraughts) {
    layLightSquares(grid[0].svg, grid);
    numberSquares(grid);
  }
}

/**
 * Where the rules name the dark squares alone, the light ones are drawn all the same.
 * @param {SVGSVGElement} svg
 * @param {Square[]} grid
 */
function layLightSquares(svg, grid) {
  const numbers = grid.map(({ cell }) => ["x", "y", "width", "height"].map((name) => Number(cell.getAttribute(name))));
  const [x, y] = [0, 1].map((place) => Math.min(...numbers.map((number) => number[place])));
  const [right, bottom] = [0, 1].map((place) => Math.max(...numbers.map((number) => number[place] + number[place + 2])));
  svg.querySelector(".content")?.prepend(s("rect", { class: "backing", x, y, width: right - x, height: bottom - y }));
}

/**
 * The numbers of draughts, from the lower right on; the style sheet shows them if they are wanted.
 * @param {Square[]} grid
 */
function numberSquares(grid) {
  const ordered = [...grid].sort((a, b) => b.y - a.y || b.x - a.x);
  for (const [place, { group, x, y }] of ordered.entries()) {
    group.append(s("text", { class: "square-number", x: x - 18, y: y - 10, "aria-hidden": "true" }, place + 1));
  }
}

/**
 * Letters that figures have replaced need no explanation. A legend reads `b black, r red`.
 * @param {DocumentFragment} parts
 * @param {Map<string, Square>} squares
 */
function dropLegends(parts, squares) {
  const drawn = [...squares.values()].filter((square) => square.piece?.classList.contains("drawn"));
  const names = new Set(drawn.map((square) => square.content));
  for (const legend of parts.querySelectorAll(".legend")) {
    const items = (legend.textContent ?? "").split(", ");
    const needed = items.filter((item) => !names.has(item.slice(item.indexOf(" ") + 1)));
    if (needed.length === 0) legend.remove();
    else legend.textContent = needed.join(", ");
  }
}

/**
 * Facts that are on no board, those of one relation together: `(score x 3) (score o 1)` → score: x 3, o 1.
 * @param {Element} rest
 */
function factList(rest) {
  /** @type {Map<string, string[]>} */
  const relations = new Map();
  for (const fact of rest.querySelectorAll("code")) {
    const [, name, words] = /^(\S+)\s*(.*)$/s.exec(plain(fact.textContent ?? "")) ?? ["", "", ""];
    relations.set(name, [...(relations.get(name) ?? []), words]);
  }
  const items = [...relations].map(([name, all]) => {
    const values = all.filter((words) => words !== "").map((words) => h("span", {}, words));
    return h("li", {}, h("strong", {}, name.replaceAll("_", " ")), ...values);
  });
  return h("ul", { class: "rest" }, ...items);
}

/**
 * How a square is read out.
 * @param {Square} square
 */
export function squareWords(square) {
  const name = square.id.replace(/^[^:]*:/, "");
  return `${name}, ${square.content === "" ? "empty" : square.content.replaceAll("_", " ")}`;
}
