/** Shows what changed between two drawings: pieces slide, appear, turn over and vanish. */

/** @import {Square} from "./picture.js" */

const SLIDE = 240;
const FADE = 200;

/**
 * @typedef {{from: Square, to: Square}} Slide
 * @typedef {{slides: Slide[], appeared: Square[], turned: Square[], vanished: Square[]}} Changes
 */

/**
 * @param {Square} a
 * @param {Square} b
 */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * @param {Map<string, Square>} before
 * @param {Map<string, Square>} after
 * @returns {Changes}
 */
export function changes(before, after) {
  const common = [...after.values()].filter((square) => before.has(square.id));
  const differing = common.filter((square) => before.get(square.id)?.content !== square.content);
  const left = new Set(differing.map((square) => /** @type {Square} */ (before.get(square.id))).filter((square) => square.piece));
  /** @type {Changes} */
  const found = { slides: [], appeared: [], turned: [], vanished: [] };
  for (const to of differing.filter((square) => square.piece)) {
    const sources = [...left].filter((square) => square.content === to.content);
    const [from] = sources.sort((a, b) => distance(a, to) - distance(b, to));
    if (from) {
      left.delete(from);
      found.slides.push({ from, to });
    } else {
      const wasThere = before.get(to.id)?.piece;
      (wasThere ? found.turned : found.appeared).push(to);
    }
  }
  const turned = new Set(found.turned.map((square) => square.id));
  found.vanished = [...left].filter((square) => !turned.has(square.id));
  return found;
}

/**
 * @param {Changes} found
 * @param {Map<string, Square>} after
 */
export function animate(found, after) {
  for (const { from, to } of found.slides) slide(from, to);
  for (const square of found.appeared) grow(square, "scale(0.3)");
  for (const square of found.turned) grow(square, "scale(0.05, 1)");
  for (const square of found.vanished) vanish(square, after.get(square.id));
}

/**
 * A copy slides above all squares while the piece itself is hidden: to put the square last would change the order in
 * which screen readers find the squares.
 * @param {Square} from
 * @param {Square} to
 */
function slide(from, to) {
  const layer = to.group.parentNode;
  if (!to.piece || !layer || to.svg.dataset.board !== from.svg.dataset.board) return grow(to, "scale(0.3)");
  const copy = /** @type {SVGGElement} */ (to.piece.cloneNode(true));
  copy.classList.add("ghost");
  layer.append(copy);
  to.piece.animate([{ opacity: 0 }, { opacity: 0 }], { duration: SLIDE });
  const way = [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "translate(0, 0)" }];
  const animation = copy.animate(way, { duration: SLIDE, easing: "cubic-bezier(.3, .7, .3, 1)" });
  animation.onfinish = () => copy.remove();
}

/**
 * @param {Square} square
 * @param {string} transform
 */
function grow(square, transform) {
  square.piece?.animate([{ transform, opacity: 0.2 }, { transform: "none", opacity: 1 }], {
    duration: FADE,
    easing: "ease-out",
  });
}

/**
 * @param {Square} square
 * @param {Square | undefined} now
 */
function vanish(square, now) {
  if (!square.piece || !now) return;
  const ghost = /** @type {SVGGElement} */ (square.piece.cloneNode(true));
  ghost.classList.add("ghost");
  now.group.append(ghost);
  const animation = ghost.animate([{ opacity: 0.9 }, { opacity: 0, transform: "scale(0.6)" }], { duration: FADE + 80 });
  animation.onfinish = () => ghost.remove();
}
