import { animate, changes } from "./board-animation.js";
import { drawMarks, NO_MARKS } from "./board-marks.js";
import { followPointer } from "./board-pointer.js";
import { send } from "./dom.js";
import { isOfRole, readPicture, squareWords, turnBoard } from "./picture.js";

/** @import {Marks} from "./types.js" */
/** @import {Square} from "./picture.js" */

/** Pixels between boards, and above and below all of them. */
const GAP = 14;
const AROUND = 250;
/** How much several boards are made smaller or larger at most. */
const LEAST_SCALE = 0.8;
const MOST_SCALE = 2.5;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The boards of a position: squares that can be clicked, dragged and reached by keys, with marks over them.
 *
 * Events: `square` with the id of a square that was chosen; `drag-squares` with `from` and `to`; `cancel`; `why-square`
 * with the id of a square that is asked about.
 */
export class BoardElement extends HTMLElement {
  #picture = "";
  /** @type {Map<string, Square>} */
  #squares = new Map();
  /** @type {Marks} */
  #marks = NO_MARKS;
  #isFlipped = false;
  #isChess = false;
  /** The square that the tab key reaches. */
  #current = "";
  #stage = document.createElement("div");

  connectedCallback() {
    if (this.#stage.isConnected) return;
    this.#stage.className = "board-stage";
    this.append(this.#stage);
    followPointer(this, {
      squareAt: (target) => this.#squareAt(target),
      square: (id) => this.#squares.get(id),
      canDrag: (id) => this.#marks.sources.includes(id),
    });
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#focused(event));
    addEventListener("resize", () => this.#fitSeveral());
    this.addEventListener("contextmenu", (event) => this.#ask(event, this.#squareAt(event.target)));
  }

  get squares() {
    return this.#squares;
  }

  get drawing() {
    return this.#stage;
  }

  /**
   * Shows a position; what changed since the last one is animated if that is wanted.
   * @param {string} picture
   * @param {string[]} roles
   * @param {boolean} moving
   */
  show(picture, roles, moving) {
    if (picture === this.#picture) return;
    const hadFocus = this.contains(document.activeElement);
    const before = this.#squares;
    const { parts, squares, chess } = readPicture(picture, roles, this.#isChess);
    this.#isChess = chess;
    this.#picture = picture;
    this.#squares = squares;
    this.#stage.replaceChildren(parts);
    this.#stage.classList.toggle("without-board", squares.size === 0);
    this.#fit();
    if (this.#isFlipped) this.#turn();
    this.#prepareKeys();
    this.mark(this.#marks);
    // When the rest of the page is drawn, since the focus lays the page out; and before another event, so that no key is lost.
    if (hadFocus) queueMicrotask(() => this.focusSquare());
    if (moving) animate(changes(before, squares), squares);
  }

  /** The style sheet fits a single board into the window by its own size, several ones by a scale. */
  #fit() {
    const boards = [...this.#stage.querySelectorAll("svg")];
    this.classList.toggle("single", boards.length === 1);
    this.#fitSeveral();
    for (const board of boards) {
      const { width, height } = board.viewBox.baseVal;
      const place = boards.length === 1 ? this : board;
      place.style.setProperty("--ratio", (width / height).toFixed(4));
      place.style.setProperty("--natural", String(width));
      // Letters grow with the drawing: small boards, which are drawn larger, need smaller ones.
      place.style.setProperty("--letters", Math.min(1, Math.max(0.6, width / 320)).toFixed(2));
      board.classList.toggle("one-of-many", boards.length > 1);
    }
  }

  /** Several boards stand in as many columns as let them be largest, and all be seen. */
  #fitSeveral() {
    const sizes = [...this.#stage.querySelectorAll("svg")].map((board) => board.viewBox.baseVal);
    if (sizes.length < 2) return;
    const [wide, high] = [Math.max(...sizes.map(({ width }) => width)), Math.max(...sizes.map(({ height }) => height))];
    const ways = sizes.map((_, place) => {
      const [columns, rows] = [place + 1, Math.ceil(sizes.length / (place + 1))];
      const scale = Math.min((this.clientWidth / columns - GAP) / wide, ((innerHeight - AROUND) / rows - GAP) / high);
      return { columns, scale };
    });
    const best = ways.reduce((one, other) => (other.scale > one.scale ? other : one));
    const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, best.scale));
    this.style.setProperty("--scale", scale.toFixed(3));
    this.style.setProperty("--row", `${Math.ceil(best.columns * (wide * scale + GAP))}px`);
  }

  /**
   * Turns the board so that a role plays from below, where the pieces of both sides say from where they come.
   * @param {string} role
   */
  face(role) {
    const standing = [...this.#squares.values()].filter((square) => square.piece);
    const height = (/** @type {Square[]} */ squares) => squares.reduce((sum, { y, svg }) => sum + y / svg.viewBox.baseVal.height, 0) / squares.length;
    const own = standing.filter(({ content }) => isOfRole(content, role));
    const others = standing.filter((square) => !own.includes(square));
    if (own.length > 0 && others.length > 0 && height(own) < 0.4 && height(others) > 0.6) this.flip();
  }

  /** @param {Marks} marks */
  mark(marks) {
    this.#marks = marks;
    drawMarks(this.#squares, marks);
    for (const square of this.#squares.values()) {
      const states = [];
      if (marks.selected.includes(square.id)) states.push("selected");
      if (marks.destinations.includes(square.id)) states.push("destination");
      else if (marks.sources.includes(square.id)) states.push("can move");
      square.group.setAttribute("aria-label", [squareWords(square), ...states].join(", "));
    }
  }

  flip() {
    this.#isFlipped = !this.#isFlipped;
    this.#turn();
  }

  #turn() {
    for (const svg of this.#stage.querySelectorAll("svg")) turnBoard(svg, this.#isFlipped);
  }

  focusSquare() {
    this.#squares.get(this.#current)?.group.focus();
  }

  #prepareKeys() {
    if (!this.#squares.has(this.#current)) this.#current = [...this.#squares.keys()][0] ?? "";
    for (const { id, group } of this.#squares.values()) {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", id === this.#current ? "0" : "-1");
    }
  }

  /** @param {EventTarget | null} target */
  #squareAt(target) {
    const group = target instanceof Element ? target.closest("g.square[data-square]") : null;
    return group && this.contains(group) ? /** @type {SVGGElement} */ (group).dataset.square ?? null : null;
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const id = this.#squareAt(event.target);
    if (id === null || id === this.#current) return;
    this.#squares.get(this.#current)?.group.setAttribute("tabindex", "-1");
    this.#squares.get(id)?.group.setAttribute("tabindex", "0");
    this.#current = id;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const id = this.#squareAt(event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS && id !== null) {
      event.preventDefault();
      this.#step(id, ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)]);
    } else if ((event.key === "Enter" || event.key === " ") && id !== null) {
      event.preventDefault();
      send(this, "square", id);
    } else if (event.key === "?") {
      this.#ask(event, id);
    } else if (event.key === "Escape") {
      send(this, "cancel");
    }
  }

  /**
   * Asks about a square that a move leads from or to.
   * @param {Event} event
   * @param {string | null} id
   */
  #ask(event, id) {
    if (id === null || !(this.#marks.sources.includes(id) || this.#marks.destinations.includes(id))) return;
    event.preventDefault();
    send(this, "why-square", id);
  }

  /**
   * Moves the focus to the nearest square in a direction on the screen.
   * @param {string} id
   * @param {number[]} direction
   */
  #step(id, [right, down]) {
    const middle = (/** @type {Square} */ square) => {
      const { left, top, width, height } = square.cell.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    };
    const start = this.#squares.get(id);
    if (!start) return;
    const from = middle(start);
    let best = null;
    let least = Infinity;
    for (const square of this.#squares.values()) {
      const at = middle(square);
      const ahead = (at.x - from.x) * right + (at.y - from.y) * down;
      const aside = Math.abs((at.x - from.x) * down) + Math.abs((at.y - from.y) * right);
      // What lies aside counts more, so that the focus keeps its row or column.
      const way = ahead + 3 * aside;
      if (ahead > 1 && way < least) [best, least] = [square, way];
    }
    best?.group.focus();
  }
}

customElements.define("kolibri-board", BoardElement);
