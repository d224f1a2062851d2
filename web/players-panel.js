import { h, send } from "./dom.js";
import { iconButton } from "./icons.js";
import { playerWords, roleClass } from "./words.js";

/** @import {RoleView, View} from "./types.js" */

/**
 * Who plays, whose turn it is, and the goals.
 *
 * Events: `invite` with the address of a secret link.
 */
export class PlayersPanel extends HTMLElement {
  /**
   * @param {View} view
   * @param {Record<string, string>} links secret links by role, for whoever created the match
   */
  update(view, links) {
    const rows = view.roles.map((player, place) => this.#row(view, player, place, links[player.role]));
    this.replaceChildren(h("ul", { class: "players", "aria-label": "Players" }, ...rows));
  }

  /**
   * @param {View} view
   * @param {RoleView} player
   * @param {number} place
   * @param {string | undefined} link
   */
  #row(view, player, place, link) {
    const chooses = view.choosing.includes(player.role) && !player.has_chosen && !view.is_over;
    const invite = link
      ? iconButton("link", "Copy link", () => send(this, "invite", link), { shown: true })
      : null;
    invite?.setAttribute("aria-label", `Copy link for ${player.role}`);
    return h(
      "li",
      { class: `player ${roleClass(player.role, place)} ${chooses ? "chooses" : ""}` },
      h("span", { class: "swatch", "aria-hidden": "true" }),
      h("span", { class: "who" }, h("strong", {}, player.role), h("small", {}, playerWords(player))),
      player.is_mine ? h("span", { class: "tag" }, "you") : null,
      invite,
      h("span", { class: "state" }, stateWords(player, chooses, view.ply < view.plies)),
    );
  }
}

/**
 * @param {RoleView} player
 * @param {boolean} chooses
 * @param {boolean} isPast whether the position was left for another one
 */
function stateWords(player, chooses, isPast) {
  if (player.goal !== null) return `${player.goal} points`;
  if (player.has_chosen) return "has chosen";
  if (!chooses) return "";
  return player.kind === "machine" && !isPast ? "thinks …" : "to move";
}

customElements.define("kolibri-players", PlayersPanel);
