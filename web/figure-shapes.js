/** Outlines of figures, around the middle of a square that is 40 wide. */

/** @typedef {{name: string, path: string}} Part */

/**
 * @param {number} radius
 * @returns {string}
 */
const circle = (radius) => `M${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;

/** @param {string} path @returns {Part} */
const body = (path) => ({ name: "body", path });
/** @param {string} path @returns {Part} */
const mark = (path) => ({ name: "mark", path });
/** @param {string} path @returns {Part} */
const stroke = (path) => ({ name: "stroke", path });

const FOOT = "M-10 13h20v-2.5c0-1.5-1-2.5-2.5-2.5h-15c-1.5 0-2.5 1-2.5 2.5z";

/** @type {Record<string, Part[]>} */
export const SHAPES = {
  disc: [body(circle(15)), { name: "rim", path: circle(12.5) }],
  ring: [mark(circle(7))],
  diamond: [mark("M0-7 7 0 0 7-7 0z")],
  plus: [mark("M-7 0H7M0-7V7")],
  minus: [mark("M-7 0H7")],
  slash: [mark("M-5 5 5-5")],
  triangle: [mark("M0-7 7 5H-7z")],
  square: [mark("M-5-5H5V5H-5z")],
  plain: [],
  crowned: [
    body(circle(15)),
    { name: "rim", path: circle(12.5) },
    { name: "crown", path: "M-8 6h16l1.5-11-5 4L0-8l-4.5 7-5-4z" },
  ],
  cross: [stroke("M-10-10 10 10M10-10-10 10")],
  nought: [stroke(circle(11))],
  arrow: [body("M0-14 11-1H4.5V13h-9V-1H-11z")],
};

/** @type {Record<string, Part[]>} */
export const CHESS = {
  pawn: [body("M0-11a5 5 0 0 1 3.5 8.5C5.5-1 6-1 6 1H3.5c0 3 1.5 5 4 7h-15c2.5-2 4-4 4-7H-6c0-2 .5-2 2.5-3.5A5 5 0 0 1 0-11z"), body(FOOT)],
  rook: [body("M-8-12h4v3h2.5v-3h3v3H4v-3h4v6L5-3v8l2.5 3h-15L-5 5v-8l-3-3z"), body(FOOT)],
  knight: [body("M-2-13l2 2.5C6-10 9-5 9 8H-6c0-5 5-6 5-10-2 2-5 2-6 4l-3-1.5c0-3 3-5 3.5-8 .5-2 1.5-3 2.5-3.5z"), body(FOOT), mark("M-3-7h.1")],
  bishop: [body("M0-14a2 2 0 0 1 1.5 3.4C5-8.5 7-5.5 6.5-2 6 .5 4 2 4 2l2 6H-6l2-6s-2-1.5-2.5-4C-7-5.5-5-8.5-1.5-10.6A2 2 0 0 1 0-14z"), body(FOOT), mark("M0-7.5v6M-3-4.5h6")],
  queen: [body("M-11-8l4.5 5L-5-11.5l4 7.5 1-9 1 9 4-7.5L6.5-3 11-8 7.5 8h-15z"), body(FOOT)],
  king: [body("M-1.3-14.5h2.6v2.5h2.5v2.5H1.3v2C3-9 6-9 8-7c3 3 1 7-1.5 9.5V8h-13V2.5C-9 0-11-4-8-7c2-2 5-2 6.7.5v-3h-2.5V-12h2.5z"), body(FOOT)],
};
