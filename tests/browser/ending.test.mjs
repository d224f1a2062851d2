// A time limit with its clock, how a match ended and why, and several best lines.
import assert from "node:assert/strict";
import { begin, onPages, square, start, turn } from "./support.mjs";

const { test } = onPages();

/** Begins a match of two people at one screen that lasts some seconds at most. */
async function beginTimed(page, game, roles, seconds) {
  await page.locator(`.card[data-game="${game}"] .card-main`).click();
  await page.getByLabel("Time limit of the match in seconds").fill(String(seconds));
  await start(page, Object.fromEntries(roles.map((role) => [role, "human"])));
}

const clock = (page) => page.locator(".clock").textContent();

test("the clock runs while the match is played, and stands while it is paused", async (page) => {
  await beginTimed(page, "tictactoe", ["x", "o"], 3600);
  const first = await clock(page);
  assert.match(first, /^(1:00|0?:?59):\d\d$/);
  await page.waitForFunction((old) => document.querySelector(".clock").textContent !== old, first);
  await page.locator("summary[aria-label=More]").click();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.locator(".clock:not(.running)").waitFor();
  const paused = await clock(page);
  await page.reload();
  await page.locator(".clock:not(.running)").waitFor();
  assert.equal(await clock(page), paused);
});

test("without a time limit there is no clock", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  assert.equal(await page.locator(".clock").isVisible(), false);
});

test("when the time is up, the points decide", async (page) => {
  await beginTimed(page, "kolibrat", ["red", "black"], 1);
  await page.locator(".status", { hasText: /The time is up; .* by lot/ }).waitFor();
  assert.equal(await clock(page), "0:00");
  assert.equal(await page.locator("g.source").count(), 0);
});

test("the rules that ended a game are told, and lead to their lines", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  for (const [place, id] of ["0:1 1", "0:2 1", "0:1 2", "0:2 2", "0:1 3"].entries()) {
    await turn(page, place);
    await square(page, id).click();
  }
  assert.equal(await page.locator("dialog.game-over .result").textContent(), "x wins.");
  await page.getByRole("button", { name: "Why?" }).click();
  await page.getByRole("heading", { name: "Why is it over?" }).waitFor();
  assert.match(await page.locator(".reason-lines").textContent(), /terminal/);
  const link = page.locator(".to-rule").first();
  const line = Number(/\d+/.exec(await link.textContent())[0]);
  await link.click();
  await page.waitForFunction((wanted) => document.activeElement?.value === wanted && document.activeElement.closest("details[open]"), line);
});

test("who gives up has lost", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  await page.locator("summary[aria-label=More]").click();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
  assert.match(await page.locator("dialog.game-over .result").textContent(), /x gives up/);
});

test("a lit square says why", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  await square(page, "0:2 2").click({ button: "right" });
  await page.getByRole("heading", { name: "Why mark 2 2?" }).waitFor();
  assert.match(await page.locator(".reason-lines").textContent(), /legal/);
  await square(page, "0:3 3").focus();
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Why mark 3 3?" }).waitFor();
});

test("several best lines, each with an arrow of its own", async (page) => {
  await begin(page, "breakthrough", { white: "human", black: "human" });
  await turn(page);
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.getByLabel("Lines").selectOption("4");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator(".best-lines li").nth(3).waitFor();
  await page.locator(".arrow.best.rank-3").waitFor({ state: "attached" });
  const firsts = await page.locator(".best-lines li > span:last-child").allTextContents();
  const moves = firsts.map((line) => line.split(", ")[0]);
  assert.equal(new Set(moves).size, 4, moves.join(" "));
  await page.getByLabel("Lines").selectOption("1");
  await page.waitForFunction(() => document.querySelectorAll(".best-lines li").length === 1);
  assert.equal(await page.locator(".arrow.best").count(), 1);
});
