/** Requests to the server. */

/** @import {CheckResult, CreatedMatch, Family, Finding, GameDetails, GameSummary, MatchSummary, PlayerChoices, Size, View} from "./types.js" */

const BASE = "/api/v1";

/** What the server refused, in its words. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {string | null} help
   * @param {Finding[]} findings
   * @param {number} status of the answer; 0 without one
   */
  constructor(message, help, findings, status = 0) {
    super(message);
    this.status = status;
    this.help = help;
    this.findings = findings;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function request(method, path, body, signal) {
  /** @type {Record<string, string>} */
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  const content = body === undefined ? null : JSON.stringify(body);
  const answer = await reach(path, { method, headers, body: content, signal: signal ?? null });
  const text = await answer.text();
  if (answer.ok) return text === "" ? null : JSON.parse(text);
  throw refusal(answer, text);
}

/**
 * @param {string} path
 * @param {RequestInit} options
 */
async function reach(path, options) {
  try {
    return await fetch(BASE + path, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("the server does not answer", "Is `kolibri serve` still running?", []);
  }
}

/**
 * @param {Response} answer
 * @param {string} text
 */
function refusal(answer, text) {
  try {
    const { error, help, findings } = JSON.parse(text);
    return new ApiError(error, help ?? null, findings ?? [], answer.status);
  } catch {
    return new ApiError(`the server answered with status ${answer.status}`, null, [], answer.status);
  }
}

/** @param {string} part */
const encode = (part) => encodeURIComponent(part);

/** @param {string | null} key */
const withKey = (key) => (key ? `?key=${encode(key)}` : "");

export const api = {
  /** @returns {Promise<GameSummary[]>} */
  games: async () => (await request("GET", "/games")).games,

  /**
   * @param {string} name
   * @returns {Promise<GameDetails>}
   */
  game: (name) => request("GET", `/games/${encode(name)}`),

  /** @returns {Promise<Family[]>} */
  families: async () => (await request("GET", "/families")).families,

  /**
   * @param {string} name
   * @param {Size} values
   * @returns {Promise<{name: string, rules: string}>}
   */
  sized: (name, values) => request("POST", `/families/${encode(name)}`, values),

  /**
   * @param {string} rules
   * @param {AbortSignal} [signal]
   * @returns {Promise<CheckResult>}
   */
  check: (rules, signal) => request("POST", "/check", { rules }, signal),

  /** @returns {Promise<PlayerChoices>} */
  players: () => request("GET", "/players"),

  /** @returns {Promise<MatchSummary[]>} */
  matches: async () => (await request("GET", "/matches")).matches,

  /**
   * @param {unknown} setup a game, rules or a record, with what else is asked for
   * @returns {Promise<CreatedMatch>}
   */
  create: (setup) => request("POST", "/matches", setup),

  /**
   * @param {string} id
   * @param {string | null} key
   */
  remove: (id, key) => request("DELETE", `/matches/${encode(id)}${withKey(key)}`),

  /**
   * @param {string} id
   * @param {string | null} key
   * @returns {Promise<View>}
   */
  match: (id, key) => request("GET", `/matches/${encode(id)}${withKey(key)}`),

  /** @param {string} id */
  record: (id) => request("GET", `/matches/${encode(id)}/record`),

  /**
   * @param {string} id
   * @returns {Promise<string>}
   */
  async rules(id) {
    const answer = await reach(`/matches/${encode(id)}/rules`, {});
    const text = await answer.text();
    if (!answer.ok) throw refusal(answer, text);
    return text;
  },

  /**
   * @param {string} id
   * @param {string | null} key
   */
  socket(id, key) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return new WebSocket(`${scheme}//${location.host}${BASE}/matches/${encode(id)}/socket${withKey(key)}`);
  },
};
