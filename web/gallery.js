import { api } from "./api.js";
import { h } from "./dom.js";
import { iconButton } from "./icons.js";
import { tellProblem } from "./messages.js";
import { newMatch } from "./new-match.js";
import { openFile } from "./open-file.js";
import { readPicture } from "./picture.js";
import { matchKey } from "./storage.js";
import { shortTitle } from "./words.js";

/** @import {GameSummary, MatchSummary} from "./types.js" */

/** The shipped games with their boards, the matches on this server, and ways to other games. */
export class Gallery extends HTMLElement {
  #games = h("ul", { class: "games" });
  #matches = h("section", { class: "matches", hidden: true, "aria-labelledby": "matches-title" });

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
      this.#matches,
      h("section", { "aria-labelledby": "games-title" }, h("h2", { id: "games-title" }, "Games"), this.#games),
    );
    this.#fill().catch(tellProblem);
  }

  async #fill() {
    const games = await api.games();
    this.#games.replaceChildren(...games.map(card));
    this.#showMatches(await api.matches());
  }

  /** @param {MatchSummary[]} matches */
  #showMatches(matches) {
    this.#matches.hidden = matches.length === 0;
    const [shown, more] = [matches.slice(0, 6), matches.slice(6, 60)];
    const rest = h("ul", { class: "match-list" }, ...more.map(matchItem));
    this.#matches.replaceChildren(
      h("h2", { id: "matches-title" }, "Matches"),
      h("ul", { class: "match-list" }, ...shown.map(matchItem)),
      more.length > 0 ? h("details", {}, h("summary", {}, `${more.length} more`), rest) : "",
    );
  }
}

/** @param {GameSummary} game */
function card(game) {
  const picture = h("div", { class: "card-picture", "aria-hidden": "true" });
  const start = () => newMatch({ source: { game: game.name }, title: game.title, roles: game.roles }).catch(tellProblem);
  const edit = async () => {
    try {
      const { rules } = await api.game(game.name);
      document.dispatchEvent(new CustomEvent("edit-rules", { detail: { name: game.name, rules } }));
    } catch (error) {
      tellProblem(error);
    }
  };
  const play = h("button", { type: "button", class: "card-main", on: { click: start } }, picture, h("strong", {}, shortTitle(game.title)), h("small", {}, game.roles.join(" · ")));
  const item = h("li", { class: "card" }, play, iconButton("edit", `Rules of ${game.name}`, edit, { class: "quiet card-edit" }));
  // Drawing a game means loading it: those that are not looked at can wait.
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    draw(game.name, picture);
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
    const { picture } = await api.game(name);
    place.append(readPicture(picture).parts);
    for (const square of place.querySelectorAll("[data-square]")) square.removeAttribute("data-square");
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
      h("span", { class: "faint" }, `${match.roles.join(" – ")} · ${match.plies} plies · ${age(when)}`),
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
