import { api } from "./api.js";
import { h } from "./dom.js";
import { iconButton } from "./icons.js";
import { tellProblem } from "./messages.js";
import { newMatch } from "./new-match.js";
import { openFile } from "./open-file.js";
import { stillPicture } from "./picture.js";
import { matchKey } from "./storage.js";
import { shortTitle } from "./words.js";

/** @import {GameSummary, MatchSummary} from "./types.js" */

/** How many matches are listed above the games, and below them. */
const MOST_OWN = 3;
const MOST_OTHERS = 30;

/** The shipped games with their boards, the matches on this server, and ways to other games. */
export class Gallery extends HTMLElement {
  #games = h("ul", { class: "games" });
  #own = h("section", { hidden: true, "aria-labelledby": "own-title" });
  #others = h("section", { hidden: true, "aria-labelledby": "others-title" });

  connectedCallback() {
    document.title = "Kolibri";
    const choose = h("input", { type: "file", accept: ".kif,.gdl,.txt,.json", hidden: true });
    choose.addEventListener("change", () => choose.files?.[0] && openFile(choose.files[0]));
    this.replaceChildren(
      h(
        "section",
        { class: "welcome" },
        h("h1", {}, "Play any game"),
        h("p", {}, "Choose a game, or open a file with rules in GDL, the Game Description Language. You can also drop a file on this page or paste the rules."),
        h(
          "div",
          { class: "row" },
          iconButton("edit", "Write rules", () => (location.hash = "write"), { shown: true, class: "primary" }),
          iconButton("open", "Open a rule file or a saved match", () => choose.click(), { shown: true }),
          choose,
        ),
      ),
      this.#own,
      h("section", { "aria-labelledby": "games-title" }, h("h2", { id: "games-title" }, "Games"), this.#games),
      this.#others,
    );
    this.#fill().catch(tellProblem);
  }

  async #fill() {
    const games = await api.games();
    this.#games.replaceChildren(...games.map(card));
    openAsked(games);
    this.#showMatches(await api.matches());
  }

  /** @param {MatchSummary[]} matches */
  #showMatches(matches) {
    const open = matches.filter((match) => !match.is_over && matchKey(match.id) !== null).slice(0, MOST_OWN);
    const others = matches.filter((match) => !open.includes(match)).slice(0, MOST_OTHERS);
    this.#own.hidden = open.length === 0;
    this.#own.replaceChildren(h("h2", { id: "own-title" }, "Go on with"), h("ul", { class: "match-list" }, ...open.map(matchItem)));
    this.#others.hidden = others.length === 0;
    this.#others.replaceChildren(
      h("h2", { id: "others-title" }, "Other matches"),
      h("ul", { class: "match-list" }, ...others.map(matchItem)),
    );
  }
}

/**
 * The address `/new?game=NAME` asks for a match of a game at once.
 * @param {GameSummary[]} games
 */
function openAsked(games) {
  if (location.pathname !== "/new") return;
  const name = new URLSearchParams(location.search).get("game");
  history.replaceState(null, "", "/");
  const game = games.find((one) => one.name === name);
  if (game) begin(game);
}

/** @param {GameSummary} game */
function begin(game) {
  newMatch({ source: { game: game.name }, title: game.title, roles: game.roles }).catch(tellProblem);
}

/** The server loads a game before it draws it: one is asked for after the other, so that none waits too long there. */
let drawing = Promise.resolve();

/** @param {GameSummary} game */
function card(game) {
  const picture = h("div", { class: "card-picture", "aria-hidden": "true" });
  const start = () => begin(game);
  const edit = async () => {
    try {
      const { rules } = await api.game(game.name);
      document.dispatchEvent(new CustomEvent("edit-rules", { detail: { name: game.name, rules } }));
    } catch (error) {
      tellProblem(error);
    }
  };
  const play = h("button", { type: "button", class: "card-main", on: { click: start } }, picture, h("strong", {}, shortTitle(game.title)), h("small", {}, game.roles.join(" · ")));
  const item = h("li", { class: "card", "data-game": game.name }, play, iconButton("edit", `Rules of ${game.name}`, edit, { class: "quiet card-edit" }));
  // Drawing a game means loading it: those that are not looked at can wait.
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    drawing = drawing.then(() => draw(game.name, picture));
  });
  watcher.observe(item);
  return item;
}

/**
 * @param {string} name
 * @param {HTMLElement} place
 */
async function draw(name, place) {
  try {
    const { picture, roles } = await api.game(name);
    place.append(stillPicture(picture, roles));
  } catch {
    place.append(h("p", { class: "faint" }, "no picture"));
  }
}

/** @param {MatchSummary} match */
function matchItem(match) {
  const when = new Date(match.changed);
  const mine = matchKey(match.id) !== null ? "yours" : "watch";
  const state = match.is_over ? "over" : mine;
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/match/${match.id}` },
      h("strong", {}, shortTitle(match.title)),
      h("span", { class: "faint" }, `${match.roles.join(" – ")} · ${match.plies} ${match.plies === 1 ? "ply" : "plies"} · ${age(when)}`),
      h("span", { class: `tag ${state}` }, state),
    ),
  );
}

/** @param {Date} when */
function age(when) {
  const minutes = Math.max(0, Math.round((Date.now() - when.getTime()) / 60_000));
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 24 * 60 ? `${Math.round(minutes / 60)} h ago` : when.toLocaleDateString();
}

customElements.define("kolibri-gallery", Gallery);
