/** The shown boards as one picture that stands alone. */
import { download, s } from "./dom.js";

const GAP = 16;
/** What the style sheets decide, written into the picture. */
const LOOKS = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity", "fill-opacity", "font-size", "font-weight", "font-family", "text-anchor", "display"];

/**
 * @param {Element} original
 * @param {Element} copy
 */
function writeLooks(original, copy) {
  const style = getComputedStyle(original);
  for (const name of LOOKS) copy.setAttribute(name, style.getPropertyValue(name));
  for (const [place, child] of [...original.children].entries()) writeLooks(child, copy.children[place]);
  for (const name of ["class", "tabindex", "role", "aria-label", "data-square"]) copy.removeAttribute(name);
}

/**
 * @param {HTMLElement} drawing
 * @returns {SVGSVGElement}
 */
function wholePicture(drawing) {
  const boards = [...drawing.querySelectorAll("svg")];
  const sizes = boards.map((board) => board.viewBox.baseVal);
  const width = Math.max(...sizes.map((size) => size.width));
  const height = sizes.reduce((sum, size) => sum + size.height + GAP, 0) - GAP;
  const background = getComputedStyle(document.body).backgroundColor;
  const whole = s("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` });
  whole.append(s("rect", { width, height, fill: background }));
  let top = 0;
  for (const [place, board] of boards.entries()) {
    const group = s("g", { transform: `translate(0 ${top})` });
    for (const child of board.children) {
      const copy = /** @type {Element} */ (child.cloneNode(true));
      writeLooks(child, copy);
      group.append(copy);
    }
    whole.append(group);
    top += sizes[place].height + GAP;
  }
  return whole;
}

/** @param {HTMLElement} drawing */
function svgBlob(drawing) {
  const text = new XMLSerializer().serializeToString(wholePicture(drawing));
  return new Blob([text], { type: "image/svg+xml" });
}

/**
 * @param {HTMLElement} drawing
 * @param {string} name
 */
export function downloadSvg(drawing, name) {
  download(`${name}.svg`, svgBlob(drawing));
}

/**
 * @param {HTMLElement} drawing
 * @param {string} name
 */
export async function downloadPng(drawing, name) {
  const address = URL.createObjectURL(svgBlob(drawing));
  const image = new Image();
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  // Three times the size of the drawing, so that it is sharp in print.
  const canvas = document.createElement("canvas");
  canvas.width = image.width * 3;
  canvas.height = image.height * 3;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const content = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  download(`${name}.png`, /** @type {Blob} */ (content));
}
