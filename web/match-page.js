import "./board.js";
import "./players-panel.js";
import "./move-list.js";
import "./history-list.js";
import "./analysis-panel.js";
import "./rules-panel.js";
import "./match-toolbar.js";
import { ApiError, api } from "./api.js";
import { Connection } from "./connection.js";
import { confirmed } from "./dialogs.js";
import { detail, h } from "./dom.js";
import { GameOver } from "./game-over.js";
import { iconButton } from "./icons.js";
import { MatchClock } from "./match-clock.js";
import { copyGame, copyLink, copyMoves, downloadBoard, newMatchLike, removeMatch, saveMatch, toggleFullScreen } from "./match-actions.js";
import { announce, copy, tell } from "./messages.js";
import { MoveChooser } from "./move-chooser.js";
import { play as sound } from "./sound.js";
import { changeSettings, matchKey, motionIsWanted, settings } from "./storage.js";
import { Study } from "./study.js";
import { tabs } from "./tabs.js";
import { Values } from "./values.js";
import { moveWords, plain, points, shortTitle, statusWords } from "./words.js";

/** @import {Arrow, ClientMessage, Hint, Move, ServerMessage, Thinking, View} from "./types.js" */
/** @import {AnalysisPanel} from "./analysis-panel.js" */
/** @import {BoardElement} from "./board.js" */
/** @import {HistoryList} from "./history-list.js" */
/** @import {MatchToolbar} from "./match-toolbar.js" */
/** @import {MoveList} from "./move-list.js" */
/** @import {PlayersPanel} from "./players-panel.js" */
/** @import {RulesPanel} from "./rules-panel.js" */

/** @param {string} tag @returns {any} */
const element = (tag) => document.createElement(tag);

/** A match: its board, and all that is known of it. */
export class MatchPage extends HTMLElement {
  /** @type {View | null} */
  #view = null;
  #id = "";
  #key = matchKey("");
  #board = /** @type {BoardElement} */ (element("kolibri-board"));
  #toolbar = /** @type {MatchToolbar} */ (element("kolibri-toolbar"));
  #players = /** @type {PlayersPanel} */ (element("kolibri-players"));
  #moves = /** @type {MoveList} */ (element("kolibri-moves"));
  #history = /** @type {HistoryList} */ (element("kolibri-history"));
  #analysis = /** @type {AnalysisPanel} */ (element("kolibri-analysis"));
  #rules = /** @type {RulesPanel} */ (element("kolibri-rules"));
  #title = h("h1", {}, "Match");
  #status = h("p", { class: "status", role: "status" }, "Connecting …");
  #clock = new MatchClock();
  #tray = h("div", { class: "tray" });
  #bar = h("div", { class: "value-bar", role: "img", hidden: true });
  #chooser = new MoveChooser(this.#board, this.#tray, (role, move) => this.#play(role, move));
  #gameOver = new GameOver();
  #values = new Values("");
  /** @type {Connection | null} */
  #connection = null;
  #study = new Study((message) => this.#send(message), (isRunning) => this.#studied(isRunning));

  /** @param {string} id */
  open(id) {
    this.#id = id;
    this.#key = matchKey(id);
    this.#values = new Values(id);
    this.#build();
    const connection = new Connection(id, this.#key?.key ?? null);
    this.#connection = connection;
    connection.addEventListener("message", (event) => this.#receive(detail(event)));
    connection.addEventListener("connected", (event) => this.#connected(detail(event)));
    addEventListener("settings", () => this.#redraw());
    addEventListener("keydown", (event) => this.#shortcut(event));
  }

  #build() {
    const side = tabs(
      "About the match",
      [
        { name: "Moves", content: h("div", { class: "moves-panel" }, this.#history, this.#moves) },
        { name: "Analysis", content: this.#analysis },
        { name: "Rules", content: this.#rules },
      ],
      (name) => name === "Rules" && this.#rules.open(this.#id),
    );
    const stage = h("div", { class: "stage" }, this.#bar, this.#board);
    const table = h("section", { class: "table", "aria-label": "Board" }, this.#status, stage, this.#tray, this.#toolbar);
    this.replaceChildren(h("div", { class: "match-title" }, this.#title, this.#clock.element), table, h("aside", { "aria-label": "Match" }, this.#players, side.element));
    this.addEventListener("action", (event) => this.#act(detail(event)));
    this.addEventListener("goto", (event) => this.#go(detail(event)));
    this.addEventListener("line", (event) => this.#send({ type: "line", line: detail(event).line, ply: detail(event).ply + 1 }));
    this.addEventListener("play", (event) => this.#play(this.#chooser.role, detail(event)));
    this.addEventListener("why", (event) => this.#why(detail(event)));
    this.addEventListener("rule", (event) => {
      side.open("Rules");
      this.#rules.showLine(this.#id, detail(event));
    });
    this.addEventListener("point", (event) => this.#chooser.point(detail(event)));
    this.addEventListener("analyse", (event) => this.#analyse(detail(event)));
    this.addEventListener("hint", () => this.#act("hint"));
    this.addEventListener("study", () => this.#toggleStudy());
    this.addEventListener("invite", (event) => copy(`${location.origin}/match/${this.#id}?key=${detail(event)}`, "The secret link is copied."));
    this.#openAnalysis = () => side.open("Analysis");
  }

  #openAnalysis = () => {};

  /** @param {ClientMessage} message */
  #send(message) {
    this.#connection?.send(message);
  }

  /** @param {boolean} isOpen */
  #connected(isOpen) {
    this.classList.toggle("offline", !isOpen);
    if (!isOpen) this.#status.textContent = "The connection is lost. Trying again …";
    else if (this.#view) this.#status.textContent = statusWords(this.#view);
    if (!isOpen && !this.#view) this.#explain();
  }

  /** A socket does not say why it was refused: a request does. */
  async #explain() {
    try {
      await api.match(this.#id, this.#key?.key ?? null);
    } catch (error) {
      if (!(error instanceof ApiError) || ![403, 404].includes(error.status)) return;
      this.#connection?.close();
      const [title, words] = error.status === 404
        ? ["No such match", "It was deleted, or its address is wrong."]
        : ["No entry", "The key is not one of this match."];
      this.replaceChildren(h("div", { class: "welcome" }, h("h1", {}, title), h("p", {}, words), h("p", {}, h("a", { href: "/" }, "To the games"))));
    }
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    if (message.type === "view") this.#show(message);
    else if (message.type === "thinking") this.#think(message);
    else if (message.type === "hint") this.#hint(message);
    else if (message.type === "why") this.#analysis.showReasons(message);
    else if (message.type === "refused") tell(message.message, { help: message.help ?? null, isProblem: true });
  }

  get #isOwner() {
    const view = this.#view;
    return view?.is_owner ?? this.#key?.is_owner ?? view?.roles.some((player) => player.is_mine && player.kind === "human") ?? false;
  }

  /** The role that this person chooses for now. */
  get #role() {
    const view = this.#view;
    if (!view || view.is_over || view.is_paused) return "";
    const open = view.roles.filter((player) => player.is_mine && !player.has_chosen && view.choosing.includes(player.role));
    return open.find((player) => (view.moves[player.role] ?? []).length > 0)?.role ?? "";
  }

  /** @param {View} view */
  #show(view) {
    const before = this.#view;
    this.#view = view;
    if (before && before.ply !== view.ply) this.#moved(before, view);
    if (!before) document.title = `${shortTitle(view.title)} – Kolibri`;
    this.#board.show(view.picture, view.roles.map((player) => player.role), before !== null && motionIsWanted());
    this.#clock.update(view.limit);
    if (!before) this.#face(view);
    if (view.problem && view.problem !== before?.problem) tell(view.problem, { isProblem: true });
    this.#redraw();
    const study = this.#isOwner ? () => this.#toggleStudy() : null;
    const restart = this.#isOwner ? () => this.#send({ type: "restart" }) : null;
    this.#gameOver.update(view, { restart, fresh: () => this.#act("new"), study, why: () => this.#why({ end: true }) });
    const early = this.#early;
    this.#early = null;
    if (early?.ply === view.ply) this.#think(early);
  }

  /**
   * Whoever plays one role sees the board from its side.
   * @param {View} view
   */
  #face(view) {
    const mine = view.roles.filter((player) => player.is_mine);
    if (mine.length === 1) this.#board.face(mine[0].role);
  }

  /**
   * @param {View} before
   * @param {View} view
   */
  #moved(before, view) {
    this.#analysis.forgetReasons();
    this.#hinted = [];
    this.#hintWords = "";
    this.#best = [];
    const entry = view.history[view.ply - 1];
    if (view.ply !== before.ply + 1 || !entry) return;
    const isMine = entry.by !== null && view.roles[entry.by]?.is_mine;
    sound(view.is_over ? "end" : isMine ? "move" : "answer");
    const who = entry.by === null ? "" : `${view.roles[entry.by].role}: `;
    announce(`${who}${moveWords(entry)}`);
  }

  #redraw() {
    const view = this.#view;
    if (!view) return;
    const role = this.#role;
    const { tilt, numbers } = settings();
    this.#title.textContent = shortTitle(view.title);
    this.#title.title = view.title;
    this.#status.textContent = `${statusWords(view)}${this.#hintWords}`;
    this.classList.toggle("paused", view.is_paused);
    this.#board.classList.toggle("tilted", tilt);
    this.#board.classList.toggle("numbered", numbers);
    this.#board.classList.toggle("waiting", role === "");
    this.#players.update(view, this.#key?.links ?? {});
    this.#chooser.update(view, role);
    if (view.is_paused && this.#isOwner) this.#tray.replaceChildren(iconButton("play", "Go on", () => this.#act("pause"), { shown: true, class: "primary" }));
    this.#moves.update(role, role === "" ? [] : view.moves[role] ?? []);
    this.#history.update(view, view.is_over || this.#study.isRunning ? this.#values.blunders(view) : new Map());
    this.#toolbar.update(view, { isOwner: this.#isOwner, role, tilted: tilt });
    this.#drawAnalysis(view);
  }

  /** @param {View} view */
  #drawAnalysis(view) {
    const isStudying = this.#study.isRunning;
    this.#analysis.update(view, this.#values, { role: this.#role || null, mayStudy: this.#isOwner && (view.is_over || isStudying), isStudying });
    const share = this.#analysis.isOn || this.#analysis.knowsGame ? this.#analysis.share(view, this.#values) : null;
    this.#bar.hidden = share === null;
    this.#chooser.showArrows([...this.#hinted, ...(this.#analysis.isOn ? this.#best : [])]);
    if (share === null) return;
    this.#bar.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
    this.#bar.setAttribute("aria-label", `Value for ${view.roles[0].role}: ${points(Math.round(share * 100))} of 100`);
  }

  /** @type {Arrow[]} */
  #best = [];
  /** @type {Arrow[]} */
  #hinted = [];
  #hintWords = "";

  /** @type {Thinking | null} */
  #early = null;

  /** @param {Thinking} thinking */
  #think(thinking) {
    const view = this.#view;
    if (!view || thinking.ply !== view.ply) {
      // A thought may overtake the view of its position.
      this.#early = thinking;
      return;
    }
    this.#values.learn(view, thinking);
    this.#study.think(thinking);
    if (thinking.by === "analysis") this.#best = (thinking.lines ?? [thinking]).flatMap(({ clicks }, rank) => arrowsOf(clicks, "best", rank));
    this.#analysis.think(thinking);
    this.#drawAnalysis(view);
  }

  /** @param {Hint} hint */
  #hint(hint) {
    if (!this.#view || hint.ply !== this.#view.ply) return;
    this.#hinted = arrowsOf(hint.clicks, "hint");
    this.#analysis.showHint(hint);
    this.#hintWords = ` Hint: ${plain(hint.move)}.`;
    this.#redraw();
  }

  /**
   * @param {string} role
   * @param {Pick<Move, "move">} move
   */
  #play(role, move) {
    if (this.#view && role !== "") this.#send({ type: "play", role, move: move.move, ply: this.#view.ply });
  }

  /** @param {{move: string, role?: string} | {end: true}} asked */
  #why(asked) {
    this.#openAnalysis();
    if ("end" in asked) this.#send({ type: "why", end: true });
    else this.#send({ type: "why", role: asked.role ?? this.#chooser.role, move: asked.move });
  }

  /** @param {number} ply */
  #go(ply) {
    if (!this.#isOwner) return tell("Only the players who began the match can go through it.");
    if (ply !== this.#view?.ply) this.#send({ type: "goto", ply });
  }

  /** @param {boolean} on */
  #analyse(on) {
    this.#analysis.isOn = on;
    this.#best = [];
    if (!on && this.#study.isRunning) this.#study.stop();
    else this.#send(on ? { type: "analyse", on, lines: settings().lines } : { type: "analyse", on });
    this.#redraw();
  }

  #toggleStudy() {
    if (!this.#view) return;
    this.#openAnalysis();
    if (this.#study.isRunning) this.#study.stop();
    else this.#study.start(this.#view);
  }

  /** @param {boolean} isRunning */
  #studied(isRunning) {
    this.#analysis.isOn = isRunning;
    this.#best = [];
    this.#redraw();
  }

  /** @param {string} name */
  #act(name) {
    const view = this.#view;
    if (!view) return;
    const isOff = this.#toolbar.querySelector(`[data-action="${name}"]`)?.getAttribute("aria-disabled") === "true";
    if (isOff) return;
    const pause = (/** @type {boolean} */ on) => this.#isOwner && !view.is_over && this.#send({ type: "pause", on });
    /** @type {Record<string, () => unknown>} */
    const actions = {
      first: () => this.#go(0),
      last: () => this.#go(view.plies),
      undo: () => this.#send({ type: "undo" }),
      redo: () => this.#send({ type: "redo" }),
      hint: () => this.#send({ type: "hint", role: this.#role }),
      flip: () => this.#board.flip(),
      tilt: () => changeSettings({ tilt: !settings().tilt }),
      full: () => toggleFullScreen(this),
      new: () => newMatchLike(view, pause),
      restart: () => this.#ask("Begin anew, and forget the moves?", "Restart", { type: "restart" }),
      pause: () => pause(!view.is_paused),
      resign: () => this.#ask("Give up?", "Resign", { type: "resign", role: this.#role }),
      link: () => copyLink(view),
      text: () => copyMoves(view),
      game: () => copyGame(view),
      save: () => saveMatch(view),
      svg: () => downloadBoard(this.#board, view, "svg"),
      png: () => downloadBoard(this.#board, view, "png"),
      leave: () => location.assign("/"),
      remove: () => removeMatch(view, this.#key?.key ?? null),
    };
    actions[name]?.();
  }

  /**
   * @param {string} question
   * @param {string} yes
   * @param {ClientMessage} message what is sent if the answer is yes
   */
  async #ask(question, yes, message) {
    if (await confirmed(question, yes)) this.#send(message);
  }

  /** @param {KeyboardEvent} event */
  #shortcut(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, textarea, select, dialog")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    // Elsewhere arrow keys lead from square to square, from tab to tab, and along the graph.
    if (step !== undefined && !event.altKey && !target.closest("kolibri-board, [role=tab], [role=slider]")) return this.#step(step);
    if (!(event.ctrlKey || event.metaKey)) return;
    const name = { z: "undo", y: "redo", Z: "redo" }[event.key];
    if (name === undefined) return;
    event.preventDefault();
    this.#act(name);
  }

  /** @param {number} plies */
  #step(plies) {
    const view = this.#view;
    if (view && this.#isOwner) this.#go(Math.min(view.plies, Math.max(0, view.ply + plies)));
  }
}

/**
 * @param {string[]} clicks
 * @param {Arrow["kind"]} kind
 * @param {number} [rank]
 * @returns {Arrow[]}
 */
function arrowsOf(clicks, kind, rank = 0) {
  return clicks.length === 0 ? [] : [{ kind, rank, from: clicks[0], to: clicks[clicks.length - 1] }];
}

customElements.define("kolibri-match", MatchPage);
