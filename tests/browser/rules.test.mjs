// What the rules of single games allow, by clicks: every kind of move of Kolibrat, chains of jumps in checkers.
import assert from "node:assert/strict";
import { begin, ids, onPages, playMoves, square, turn } from "./support.mjs";

const { test } = onPages();

/** What stands on a square, as it is read out. */
async function content(page, id) {
  const label = await square(page, id).getAttribute("aria-label");
  return label.split(", ")[1];
}

/** Whose move it is, as the list of players shows it. */
function mover(page) {
  return page.locator(".player.chooses strong").textContent();
}

test("kolibrat: insertion, step, jump, attack, a forfeited turn, a point", async (page) => {
  await begin(page, "kolibrat", { red: "human", black: "human" });
  await playMoves(page, ["insert 0 0", "insert 0 3", "move 0 0 1 1", "move 0 3 1 2", "insert 0 0", "insert 0 3"]);
  assert.equal(await content(page, "0:1 1"), "red");
  assert.equal(await content(page, "0:1 2"), "black");
  await playMoves(page, ["jump 1 1 1 3"]);
  assert.equal(await content(page, "0:1 2"), "black", "a jump takes nothing");
  assert.equal(await content(page, "0:1 3"), "red");
  await playMoves(page, ["move 1 2 0 1", "attack 0 0 0 1"]);
  assert.equal(await content(page, "0:0 1"), "red", "an attack takes");
  assert.equal(await content(page, "0:0 0"), "empty");
  await playMoves(page, ["insert 2 3", "insert 1 0", "move 2 3 1 2", "insert 0 0", "insert 2 3"]);
  assert.equal(await mover(page), "red");
  assert.match(await page.locator(".board-stage .rest").textContent(), /red 0/);
  await playMoves(page, ["move 1 0 2 1"]);
  assert.equal(await mover(page), "red", "black has no move and forfeits the turn");
  await playMoves(page, ["remove 1 3"]);
  assert.match(await page.locator(".board-stage .rest").textContent(), /red 1/);
});

test("checkers: a chain of jumps is clicked jump by jump", async (page) => {
  await begin(page, "checkers", { black: "human", red: "human" });
  await playMoves(page, ["move e 3 d 4", "move b 6 a 5", "move a 3 b 4", "move c 7 b 6", "move g 3 f 4", "move d 6 e 5", "jump f 4 d 6", "jump e 7 c 5"]);
  assert.equal(await content(page, "0:e 5"), "empty");
  assert.equal(await content(page, "0:d 6"), "empty");
  await turn(page, 8);
  assert.equal(await mover(page), "red");
  assert.deepEqual(await ids(page, "g.source"), ["0:c 5"], "the same piece goes on");
  await square(page, "0:c 5").click();
  assert.deepEqual((await ids(page, "g.destination")).sort(), ["0:a 3", "0:e 3"]);
  await page.keyboard.press("Escape");
  await playMoves(page, ["jump c 5 a 3"]);
  assert.equal(await content(page, "0:b 4"), "empty");
  assert.equal(await content(page, "0:a 3"), "red");
  assert.equal(await mover(page), "black");
});
