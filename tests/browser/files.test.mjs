// Rules from outside: dropped, pasted, written; with mistakes; and saved matches.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { begin, drop, onPages, playToTheEnd, plies, square, start, turn } from "./support.mjs";

const { test, shared, open } = onPages();

test("a dropped rule file is played", async (page) => {
  const rules = await readFile(new URL("../../games/nim.kif", import.meta.url), "utf8");
  await drop(page, "my-nim.kif", rules);
  await page.locator("kolibri-editor textarea").waitFor();
  assert.equal(await page.getByLabel("Name of the game").inputValue(), "my-nim");
  const play = page.getByRole("button", { name: "Play this" });
  await page.waitForFunction(() => !document.querySelector("kolibri-editor .primary").disabled);
  await play.click();
  await page.locator("dialog.new-match").waitFor();
  const roles = await page.locator(".player-field legend").allTextContents();
  await start(page, { [roles[0]]: "human", [roles[1]]: "machine:random" });
  assert.ok((await playToTheEnd(page, 11)) > 0);
});

test("mistakes stand at their lines, and cannot be played", async (page) => {
  await drop(page, "broken.kif", "(role white)\n(role black)\n(init (cell 1 1 blank)))\n");
  const findings = page.locator(".finding");
  await findings.first().waitFor();
  assert.match(await findings.first().textContent(), /error/);
  assert.match(await findings.first().textContent(), /3:/);
  assert.ok((await page.locator(".source-layer mark").count()) > 0);
  assert.equal(await page.getByRole("button", { name: "Play this" }).isDisabled(), true);
  await findings.first().click();
  assert.equal(await page.evaluate(() => document.activeElement.localName), "textarea");
});

test("pasted rules are opened", async (page) => {
  await page.locator(".card").first().waitFor();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "; pasted\n(role alone)\n");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  assert.match(await page.locator("textarea").inputValue(), /pasted/);
});

test("a match is saved and loaded, and a board becomes a picture", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  await page.locator('g.square[data-square="0:2 2"]').click();
  await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 2);
  const saved = await fileOf(page, "Save the match");
  const svg = await fileOf(page, "Board as SVG");
  assert.match(svg.toString(), /^<svg/);
  const png = await fileOf(page, "Board as PNG");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  await page.goto(shared.server.address);
  await page.locator(".card").first().waitFor();
  await drop(page, "saved.json", saved.toString());
  await page.waitForURL("**/match/*");
  await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 2);
  assert.equal(await page.locator("kolibri-board g.piece").count(), 1);
});

async function fileOf(page, words) {
  await page.locator("summary[aria-label=More]").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: words }).click()]);
  return readFile(await download.path());
}

test("a link holds a match, and whoever opens it goes on with one of their own", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await square(page, "0:2 2").click();
  await turn(page, 1);
  const link = page.evaluate(() => new Promise((resolve) => (navigator.clipboard.writeText = async (text) => resolve(text))));
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Copy a link that holds the match" }).click();
  const address = await link;
  const first = page.url();
  const other = await open(address);
  await other.waitForURL("**/match/*");
  await turn(other, 1);
  assert.notEqual(other.url(), first);
  await square(other, "0:1 1").click();
  await turn(other, 2);
  assert.equal(await plies(other), 2);
  assert.equal(await plies(page), 1);
  const broken = await open(address.slice(0, -20));
  await broken.locator(".message.problem", { hasText: "the link is not complete" }).waitFor();
  await broken.locator(".card").first().waitFor();
});
