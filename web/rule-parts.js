/** The parts of a rule text by what they say: roles, the first position, legal moves and so on. */

/** @typedef {{line: number, text: string}} Clause */
/** @typedef {{title: string, meaning: string, clauses: Clause[]}} RulePart */

const PARTS = {
  role: { title: "Roles", meaning: "who plays" },
  init: { title: "Initial position", meaning: "what is true at the start" },
  legal: { title: "Legal moves", meaning: "what may be played" },
  next: { title: "Next position", meaning: "what is true after the moves" },
  terminal: { title: "End", meaning: "when the game is over" },
  goal: { title: "Goals", meaning: "how many points each role has" },
  sees: { title: "Percepts", meaning: "what each role sees" },
  input: { title: "Possible moves and facts", meaning: "declarations of base and input" },
  condition: { title: "Conditions", meaning: "rules that the others use" },
  fact: { title: "Facts", meaning: "what is always true" },
};

/** @typedef {keyof typeof PARTS} PartName */

/**
 * The clauses of a text: expressions at the outermost level, without comments outside of them.
 * @param {string} text
 * @returns {Clause[]}
 */
export function clauses(text) {
  const tokens = text.matchAll(/;[^\n]*|\(|\)|[^\s();]+/g);
  /** @type {Clause[]} */
  const found = [];
  let depth = 0;
  let start = 0;
  for (const token of tokens) {
    const [sign] = token;
    if (sign.startsWith(";")) continue;
    if (depth === 0) start = token.index;
    if (sign === "(") depth += 1;
    if (sign === ")") depth = Math.max(0, depth - 1);
    if (depth === 0) {
      const line = text.slice(0, start).split("\n").length;
      found.push({ line, text: text.slice(start, token.index + sign.length) });
    }
  }
  return found;
}

/**
 * @param {string} clause
 * @returns {PartName}
 */
function partOf(clause) {
  const [first = "", second = ""] = clause.replaceAll(/;[^\n]*/g, "").match(/[^\s()]+/g) ?? [];
  const isRule = first === "<=";
  const name = (isRule ? second : first).toLowerCase();
  if (name === "base" || name === "input") return "input";
  if (name in PARTS && name !== "condition" && name !== "fact") return /** @type {PartName} */ (name);
  return isRule ? "condition" : "fact";
}

/**
 * @param {string} text
 * @returns {RulePart[]} the parts that have clauses
 */
export function ruleParts(text) {
  const all = clauses(text);
  const names = /** @type {PartName[]} */ (Object.keys(PARTS));
  const parts = names.map((name) => ({ ...PARTS[name], clauses: all.filter((clause) => partOf(clause.text) === name) }));
  return parts.filter((part) => part.clauses.length > 0);
}

/**
 * The comment at the top of a rule file, which says what the game is.
 * @param {string} text
 */
export function opening(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith(";"));
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.replace(/^;+ ?/, "")).join("\n");
}
