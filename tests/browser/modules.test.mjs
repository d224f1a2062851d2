// Modules of the page by themselves: which move a row of clicks makes, and the parts of rules.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { onPages } from "./support.mjs";

const { test } = onPages();

const { moves, cases } = JSON.parse(await readFile(new URL("../clicks.json", import.meta.url), "utf8"));
const MOVES = Object.entries(moves).map(([name, clicks]) => ({ move: name, text: name, clicks }));

/** Clicks squares one after the other; gives what they do in the words of the cases. */
function clicked(page, clicks, confirm = false) {
  return page.evaluate(async ([legal, ids, second]) => {
    const { click } = await import("/assets/clicks.js");
    let path = [];
    for (const id of ids) {
      const result = click(legal, path, id, second);
      if (result.kind === "play") return { clicks: ids, plays: result.move.move };
      if (result.kind === "choose") return { clicks: ids, offers: result.moves.map((move) => move.move) };
      path = result.path;
    }
    return { clicks: ids, leaves: path };
  }, [MOVES, clicks, confirm]);
}

// The tests of the full-screen terminal check the same cases.
test("clicks make the move that they name", async (page) => {
  for (const known of cases) assert.deepEqual(await clicked(page, known.clicks), known);
});

test("a second click may be asked for", async (page) => {
  assert.deepEqual(await clicked(page, ["e"], true), { clicks: ["e"], leaves: ["e"] });
  assert.deepEqual(await clicked(page, ["e", "e"], true), { clicks: ["e", "e"], plays: "drop e" });
});

test("rules are listed by what they say", async (page) => {
  const text = "; a game\n(role x) ; who\n(init (cell 1 b))\n(<= (legal ?p (mark ?x))\n    (true (cell ?x b)))\n(<= (line ?x) (true (cell ?x x)))\n(<= terminal (line x))\n(succ 1 2)\n";
  const parts = await page.evaluate(async (rules) => {
    const { ruleParts } = await import("/assets/rule-parts.js");
    return ruleParts(rules).map((part) => [part.title, part.clauses.map((clause) => clause.line)]);
  }, text);
  assert.deepEqual(parts, [
    ["Roles", [2]],
    ["Initial position", [3]],
    ["Legal moves", [4]],
    ["End", [7]],
    ["Conditions", [6]],
    ["Facts", [8]],
  ]);
});

test("pieces become figures where their words name some", async (page) => {
  const figures = await page.evaluate(async () => {
    const { figureOf, isChess } = await import("/assets/figures.js");
    const shape = (content, chess = false) => figureOf(content, chess)?.shape ?? null;
    return {
      plain: ["x", "o", "black", "red_king", "white_man", "north", "17", "goblin", "wp", "bk", "wn"].map((content) => shape(content)),
      chess: ["wk", "bp", "white_queen", "black_king", "blackRook", "wknight", "wbc", "stonewall"].map((content) => shape(content, true)),
      isChess: [isChess(["red", "red_king"]), isChess(["wp", "bk"]), isChess(["wp", "bn"]), isChess(["white_rook"]), isChess(["bKing", "wRook"])],
    };
  });
  assert.deepEqual(figures.plain, ["cross", "nought", "disc", "crowned", "disc", "arrow", null, null, "disc", "crowned", null]);
  assert.deepEqual(figures.chess, ["king", "pawn", "queen", "king", "rook", "knight", "bishop", null]);
  assert.deepEqual(figures.isChess, [false, false, true, true, true]);
});
