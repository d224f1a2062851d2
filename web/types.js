/**
 * What the server and the page say to each other, version 1. The fields are described in the page's interface
 * documentation (`GET /api/v1/description`).
 *
 * @typedef {{move: string, text: string, clicks: string[]}} Move
 *   A legal move; `clicks` names the squares by which it is made, in order.
 * @typedef {"human" | "machine" | "link"} PlayerKind
 * @typedef {{role: string, kind: PlayerKind, name?: string | null, player?: string | null, is_mine: boolean,
 *   goal: number | null, has_chosen: boolean}} RoleView
 * @typedef {{moves: string[], by: number | null}} HistoryEntry
 * @typedef {{ply: number, moves: string[], line: number}} Branch
 * @typedef {{type: "view", id: string, game: string, title: string, version: number, roles: RoleView[],
 *   ply: number, plies: number, is_over: boolean, is_paused: boolean, is_owner?: boolean, choosing: string[],
 *   picture: string, moves: Record<string, Move[]>, history: HistoryEntry[], branches: Branch[],
 *   limit: Limit | null, ended: Ended | null, problem: string | null}} View
 * @typedef {{seconds: number, left: number, running: boolean}} Limit the time of a match; `left` when the view was made
 * @typedef {{by: "rules" | "limit" | "resignation", text: string, winners: string[], by_lot: boolean}} Ended
 * @typedef {{value: number, exact: boolean, line: string[], clicks: string[]}} BestLine
 * @typedef {{type: "thinking", ply: number, role: string, by: string, depth: number, value: number,
 *   exact: boolean, nodes: number, rate: number, line: string[], best: string, clicks: string[],
 *   lines?: BestLine[], features?: [string, number][]}} Thinking `lines` and `features` from analyses
 * @typedef {{type: "hint", ply: number, role: string, move: string, clicks: string[], value: number}} Hint
 * @typedef {{type: "why", role?: string, move?: string, end?: boolean, lines: string[]}} Why of a move, or of the end
 * @typedef {{type: "refused", message: string, help?: string | null}} Refused
 * @typedef {View | Thinking | Hint | Why | Refused} ServerMessage
 *
 * @typedef {{type: "play", role: string, move: string, ply: number}} PlayRequest
 * @typedef {PlayRequest
 *   | {type: "undo", plies?: number} | {type: "redo"} | {type: "goto", ply: number}
 *   | {type: "line", line: number, ply: number} | {type: "restart"} | {type: "pause", on: boolean}
 *   | {type: "resign", role: string} | {type: "hint", role: string} | {type: "analyse", on: boolean, lines?: number}
 *   | {type: "why", role: string, move: string} | {type: "why", end: true}} ClientMessage
 *
 * @typedef {{severity: "error" | "warning", code: string, message: string, help: string | null,
 *   line: number, column: number, end_line: number, end_column: number}} Finding
 *   Lines and columns count from 1, columns in UTF-16 code units.
 * @typedef {{findings: Finding[], roles: string[] | null, picture: string | null}} CheckResult
 *
 * @typedef {{name: string, title: string, roles: string[]}} GameSummary
 * @typedef {GameSummary & {rules: string, picture: string}} GameDetails
 * @typedef {Record<string, number | number[]>} Size
 * @typedef {{name: string, meaning: string, default: number | number[], least: number, most: number, length?: [number, number]}} FamilyParameter
 * @typedef {{name: string, parameters: FamilyParameter[], presets: Size[]}} Family
 * @typedef {{name: string, meaning: string}} PlayerChoice
 * @typedef {{players: PlayerChoice[], levels: PlayerChoice[], most_threads: number}} PlayerChoices
 *
 * @typedef {{role: string, kind: PlayerKind, name?: string, player?: string}} PlayerSetup
 * @typedef {{game: string} | {name: string, rules: string}} GameSource
 * @typedef {{id: string, key: string, links: Record<string, string>}} CreatedMatch
 * @typedef {{id: string, game: string, title: string, roles: string[], players?: unknown, plies: number,
 *   is_over: boolean, changed: string}} MatchSummary
 *
 * @typedef {{kind: "best" | "hint" | "reply", from: string, to: string, rank?: number}} Arrow
 *   `rank` counts the best moves from 0.
 * @typedef {{selected: string[], destinations: string[], sources: string[], hinted: string[], arrows: Arrow[]}} Marks
 */

// A module without exports would be a script to the type checker.
export {};
