// Undo, redo, variations, reload, and a server that is killed.
import assert from "node:assert/strict";
import { begin, onPages, plies, ply, square, turn } from "./support.mjs";

const { test, shared } = onPages();

async function marked(page, at) {
  await page.waitForFunction((wanted) => {
    const steps = [...document.querySelectorAll(".history > li > .step:not(.variation)")];
    return steps.findIndex((step) => step.hasAttribute("aria-current")) === wanted;
  }, at);
}

/** Two people at one screen mark squares of tic-tac-toe. */
async function mark(page, ...squares) {
  for (const id of squares) {
    const before = await ply(page);
    await square(page, id).click();
    await marked(page, before + 1);
  }
}

test("undo, redo and a variation", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  await mark(page, "0:1 1", "0:2 2", "0:3 3");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await marked(page, 2);
  assert.equal(await plies(page), 3);
  await page.getByRole("button", { name: /^Redo/ }).click();
  await marked(page, 3);
  await page.locator(".step", { hasText: "mark 1 1" }).click();
  await marked(page, 1);
  await mark(page, "0:1 3");
  assert.equal(await plies(page), 2);
  const variation = page.locator(".variation");
  await variation.waitFor();
  assert.match(await variation.textContent(), /mark 2 2/);
  await variation.click();
  // The ply of the variation has the same number as the one before.
  await page.locator('[aria-current="step"]', { hasText: "mark 2 2" }).waitFor();
  assert.equal(await ply(page), 2);
});

test("a reload shows the same position, and the game goes on", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  await mark(page, "0:1 1", "0:2 2");
  await page.reload();
  await turn(page);
  assert.equal(await ply(page), 2);
  assert.equal(await page.locator("kolibri-board g.piece").count(), 2);
  await mark(page, "0:3 3");
});

test("after a kill of the server the page goes on by itself", async (page, context) => {
  if (!shared.server.isOurs) return context.skip("the server is not ours to kill");
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  await mark(page, "0:1 1", "0:2 2");
  await shared.server.kill();
  await page.waitForFunction(() => document.querySelector(".status").textContent.startsWith("The connection is lost"));
  await shared.server.run(new URL(shared.server.address).host);
  await page.waitForFunction(() => document.querySelector(".status").textContent.startsWith("Your move"), null, { timeout: 60_000 });
  assert.equal(await ply(page), 2);
  await mark(page, "0:3 3");
});
