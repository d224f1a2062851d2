// A game without a mouse: tab, arrow keys, Enter and typed moves.
import assert from "node:assert/strict";
import { begin, onPages, ply } from "./support.mjs";

const { test } = onPages();

/** Presses the tab key until an element has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 150; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`the tab key does not reach ${selector}`);
}

async function shows(page, wanted) {
  await page.waitForFunction((least) => document.querySelectorAll(".history > li").length === least + 1, wanted);
}

test("a match is begun and played by keys alone", async (page) => {
  await page.locator('.card[data-game="tictactoe"]').waitFor();
  await tabTo(page, '.card[data-game="tictactoe"] .card-main');
  await page.keyboard.press("Enter");
  await page.locator("dialog.new-match").waitFor();
  await tabTo(page, 'select[aria-label="Who plays o"]');
  await page.keyboard.press("Home");
  await tabTo(page, "dialog button[type=submit]");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/match/*");
  await page.locator("g.source").first().waitFor();
  await tabTo(page, "g.square");
  const squareWithFocus = () => page.evaluate(() => document.activeElement.dataset.square);
  const first = await squareWithFocus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await squareWithFocus(), first);
  await page.keyboard.press("Enter");
  await shows(page, 1);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Space");
  await shows(page, 2);
  await tabTo(page, 'input[type="search"]');
  await page.keyboard.type("mark 3 3");
  await page.keyboard.press("Enter");
  await shows(page, 3);
  await tabTo(page, ".step");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll(".step.ahead").length > 0);
  assert.ok((await ply(page)) < 3);
});

test("a key pressed right after a move is not lost", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await page.locator("g.source").first().waitFor();
  await tabTo(page, "g.square");
  const hasFocus = await page.evaluate(async () => {
    // No frame is drawn from here on, as for a key that comes before the next one.
    window.requestAnimationFrame = () => 0;
    const focused = document.activeElement;
    focused.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    while (document.contains(focused)) await new Promise((resolve) => setTimeout(resolve, 1));
    return document.activeElement.matches("g.square");
  });
  assert.ok(hasFocus);
});

test("the list of moves is filtered", async (page) => {
  await page.locator('.card[data-game="tictactoe"] .card-main').click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator("kolibri-moves .move").first().waitFor();
  assert.equal(await page.locator("kolibri-moves .move").count(), 9);
  await page.locator('input[type="search"]').fill("2 2");
  await page.waitForFunction(() => document.querySelectorAll("kolibri-moves .move").length < 9);
});
