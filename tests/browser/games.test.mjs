// Each shipped game, played to its end by clicks alone against a machine.
import assert from "node:assert/strict";
import { begin, clickMove, drawn, onPages, playToTheEnd, plies, start, turn } from "./support.mjs";

const { test, shared, open } = onPages();

test("each shipped game is played to its end by clicks", async (_, context) => {
  const { games } = await (await fetch(`${shared.server.address}/api/v1/games`)).json();
  assert.ok(games.length > 0);
  for (const { name, roles } of games) {
    await context.test(name, async () => {
      const page = await open();
      const machines = Object.fromEntries(roles.slice(1).map((role) => [role, "machine:random"]));
      await begin(page, name, { [roles[0]]: "human", ...machines });
      const played = await playToTheEnd(page, 7);
      assert.ok(played > 0);
      const result = await page.locator("dialog.game-over .result").textContent();
      assert.match(result, /wins|drawn|points/);
      await shared.browser.picture(name);
      await page.context().close();
    });
  }
});

test("the result offers a restart", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "machine:first" });
  await playToTheEnd(page, 3);
  await page.getByRole("button", { name: "Restart" }).click();
  assert.equal(await turn(page), "mine");
  await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 1);
  assert.equal(await plies(page), 0);
});

test("a game in another size is played", async (page) => {
  await page.locator('.card[data-game="kolibrat"] .card-main').click();
  await page.locator(".presets .button").first().click();
  await start(page, { red: "human", black: "machine:random" });
  const draw = drawn(5);
  assert.equal(await turn(page), "mine");
  await clickMove(page, draw);
  assert.notEqual(await turn(page, 1), false);
});

test("a size may be a list of numbers", async (page) => {
  await page.locator('.card[data-game="nim"] .card-main').click();
  await page.getByLabel("piles").fill("2, 3, 4");
  await start(page, { first: "human", second: "human" });
  assert.equal(await turn(page), "mine");
  assert.equal(await page.locator("kolibri-board g.square").count(), 3);
});

test("the match waits while a new one is prepared", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await page.locator("summary[aria-label=More]").click();
  await page.getByRole("button", { name: "New match" }).click();
  await page.locator("dialog.new-match").waitFor();
  await page.waitForFunction(() => document.querySelector(".status").textContent === "Paused.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForFunction(() => document.querySelector(".status").textContent.startsWith("Your move"));
});

test("an address asks for a match of a game", async (page) => {
  await page.goto(`${shared.server.address}/new?game=tictactoe`);
  assert.match(await page.locator("dialog.new-match h2").textContent(), /Tic-tac-toe/);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
});
