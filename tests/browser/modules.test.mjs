// Modules of the page by themselves: which move a row of clicks makes, and the parts of rules.
import assert from "node:assert/strict";
import { onPages } from "./support.mjs";

const { test } = onPages();

/** Clicks squares one after the other; gives the move played, the moves to choose from, or the path. */
function clicked(page, moves, squares, confirm = false) {
  return page.evaluate(async ([legal, clicks, second]) => {
    const { click } = await import("/assets/clicks.js");
    let path = [];
    for (const id of clicks) {
      const result = click(legal, path, id, second);
      if (result.kind === "play") return result.move.move;
      if (result.kind === "choose") return result.moves.map((move) => move.move);
      path = result.path;
    }
    return { path };
  }, [moves, squares, confirm]);
}

const MOVES = [
  { move: "insert a", text: "insert a", clicks: ["a"] },
  { move: "step a b", text: "step a b", clicks: ["a", "b"] },
  { move: "jump a b c", text: "jump a b c", clicks: ["a", "b", "c"] },
  { move: "stay d", text: "stay d", clicks: ["d", "d"] },
  { move: "drop e", text: "drop e", clicks: ["e"] },
  { move: "slow f g", text: "slow f g", clicks: ["f", "g"] },
  { move: "fast f g", text: "fast f g", clicks: ["f", "g"] },
  { move: "pass", text: "pass", clicks: [] },
];

test("clicks make the move that they name", async (page) => {
  assert.equal(await clicked(page, MOVES, ["e"]), "drop e");
  assert.deepEqual(await clicked(page, MOVES, ["e"], true), { path: ["e"] });
  assert.equal(await clicked(page, MOVES, ["e", "e"], true), "drop e");
  assert.equal(await clicked(page, MOVES, ["d", "d"]), "stay d");
});

test("a shorter move waits for a second click on its last square", async (page) => {
  assert.deepEqual(await clicked(page, MOVES, ["a"]), { path: ["a"] });
  assert.equal(await clicked(page, MOVES, ["a", "a"]), "insert a");
  assert.deepEqual(await clicked(page, MOVES, ["a", "b"]), { path: ["a", "b"] });
  assert.equal(await clicked(page, MOVES, ["a", "b", "b"]), "step a b");
  assert.equal(await clicked(page, MOVES, ["a", "b", "c"]), "jump a b c");
});

test("moves of the same squares are offered", async (page) => {
  assert.deepEqual(await clicked(page, MOVES, ["f", "g"]), ["slow f g", "fast f g"]);
});

test("another square is another choice, and a square without a move is none", async (page) => {
  assert.deepEqual(await clicked(page, MOVES, ["a", "d"]), { path: ["d"] });
  assert.equal(await clicked(page, MOVES, ["a", "e"]), "drop e");
  assert.deepEqual(await clicked(page, MOVES, ["d", "z"]), { path: [] });
  assert.deepEqual(await clicked(page, MOVES, ["f", "f"]), { path: [] });
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
      plain: ["x", "o", "black", "red_king", "white_man", "north", "17", "goblin"].map((content) => shape(content)),
      chess: ["wk", "bp", "white_queen", "black_king"].map((content) => shape(content, true)),
      isChess: [isChess(["red", "red_king"]), isChess(["wp", "bk"]), isChess(["white_rook"])],
    };
  });
  assert.deepEqual(figures.plain, ["cross", "nought", "disc", "crowned", "disc", "arrow", null, null]);
  assert.deepEqual(figures.chess, ["king", "pawn", "queen", "king"]);
  assert.deepEqual(figures.isChess, [false, true, true]);
});
