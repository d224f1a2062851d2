/**
 * Figures for what stands on squares, chosen from the words of the rules. The server draws a tile with letters; where
 * the words name something that people draw, the figure takes the place of the tile.
 */
import { s } from "./dom.js";
import { CHESS, SHAPES } from "./figure-shapes.js";
import { COLOURS, roleClass } from "./words.js";

const COLOUR_WORDS = new Set([...COLOURS, "grey", "gray", "brown"]);
const MEN = new Set("man men piece disc disk stone checker marker token pawn counter".split(" "));
const CHESS_LETTERS = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const DRAUGHTS_LETTERS = { p: "disc", m: "disc", k: "crowned" };
const DIRECTIONS = { north: 0, up: 0, east: 90, right: 90, south: 180, down: 180, west: 270, left: 270 };

/**
 * @typedef {{shape: string, turn?: number, colour?: string}} Figure
 */

/** @param {string} content such as `black_king`, `blackKing` or `wking` */
function wordsOf(content) {
  return content.replace(/([a-z])(king|queen|rook|bishop|knight|pawn)/gi, "$1 $2").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/**
 * Whether the contents of a board are those of chess: kings and pawns may stand on a board of draughts.
 * @param {Iterable<string>} contents
 */
export function isChess(contents) {
  const words = new Set([...contents].flatMap(wordsOf));
  return ["queen", "rook", "bishop", "knight"].some((name) => words.has(name))
    || [...words].some((word) => /^[wb][qrbn][a-h]?$/.test(word));
}

/**
 * @param {string} content
 * @param {boolean} chess
 * @returns {Figure | null}
 */
export function figureOf(content, chess) {
  const words = wordsOf(content);
  const only = words.length === 1 ? words[0] : "";
  const [, side, letter] = /^([wb])([a-z])[a-h]?$/.exec(only) ?? [];
  /** @type {Record<string, string>} */
  const shapes = chess ? CHESS_LETTERS : DRAUGHTS_LETTERS;
  if (shapes[letter]) return { shape: shapes[letter], colour: side === "w" ? "white" : "black" };
  const figure = words.find((word) => word in CHESS);
  if (chess && figure) return { shape: figure };
  if (only === "x" || only === "cross") return { shape: "cross" };
  if (only === "o" || only === "nought") return { shape: "nought" };
  if (only in DIRECTIONS) return { shape: "arrow", turn: DIRECTIONS[/** @type {keyof typeof DIRECTIONS} */ (only)] };
  const rest = words.filter((word) => !COLOUR_WORDS.has(word) && !MEN.has(word));
  if (words.length > 0 && rest.length === 0) return { shape: "disc" };
  if (words.some((word) => COLOUR_WORDS.has(word)) && rest.length === 1 && rest[0] === "king") return { shape: "crowned" };
  return null;
}

/**
 * Draws the figure of a piece in place of its tile, where there is one.
 * @param {SVGGElement} piece
 * @param {string} content
 * @param {boolean} chess
 */
export function drawFigure(piece, content, chess) {
  const tile = piece.querySelector("rect");
  const figure = figureOf(content, chess);
  if (!tile || !figure) return;
  const middle = [
    tile.x.baseVal.value + tile.width.baseVal.value / 2,
    tile.y.baseVal.value + tile.height.baseVal.value / 2,
  ];
  const turn = figure.turn ? ` rotate(${figure.turn})` : "";
  const group = s("g", { class: `figure ${figure.shape}`, transform: `translate(${middle.join(" ")})${turn}` });
  group.append(...parts(figure.shape, sideMark(piece)));
  if (figure.colour) piece.classList.add(figure.colour);
  piece.classList.add("drawn");
  piece.replaceChildren(group);
}

/**
 * A piece of a role that has none on the board yet, around the origin, where the name of the role says what it looks like.
 * @param {string} role
 * @param {number} place
 */
export function firstPiece(role, place) {
  const tile = s("rect", { x: -15, y: -15, width: 30, height: 30 });
  const piece = s("g", { class: `piece ${roleClass(role, place)}` }, tile);
  drawFigure(piece, role, false);
  return piece.contains(tile) ? null : { piece, x: 0, y: 0 };
}

/**
 * @param {string} shape
 * @param {string} mark
 */
function parts(shape, mark) {
  const paths = CHESS[shape] ?? SHAPES[shape] ?? [];
  const withMark = shape === "disc" ? [...paths, ...(SHAPES[mark] ?? [])] : paths;
  return withMark.map(({ name, path }) => s("path", { class: name, d: path }));
}

/** @type {Record<string, string[]>} */
const MARKS = {
  ring: ["white", "light", "red", "side0"],
  diamond: ["yellow", "gold", "side1"],
  plus: ["green", "side2"],
  square: ["blue", "side3"],
  triangle: ["pink", "magenta", "side4"],
  minus: ["orange", "purple", "side5"],
  slash: ["teal"],
};

/**
 * Sides differ by a mark as well as by colour, so that they can be told apart without seeing colours.
 * @param {Element} piece
 */
function sideMark(piece) {
  const found = Object.entries(MARKS).find(([, colours]) => colours.some((colour) => piece.classList.contains(colour)));
  return found ? found[0] : "plain";
}
