// What axe-core finds on each page, light and dark, wide and narrow; and that nothing comes from elsewhere.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { begin, onPages, turn } from "./support.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { test, shared } = onPages();

/** All findings of axe-core, in short. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`);
}

const WINDOWS = [
  { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
];

for (const window of WINDOWS) {
  test(`axe-core finds nothing: ${window.viewport.width} wide, ${window.colorScheme}`, async (page) => {
    const foreign = [];
    page.on("request", (request) => /^(http|ws)/.test(request.url()) && new URL(request.url()).host !== new URL(shared.server.address).host && foreign.push(request.url()));
    await page.locator(".card-picture svg").first().waitFor();
    assert.deepEqual(await findings(page), [], "gallery");
    await page.locator(".card .card-main").first().click();
    await page.locator("dialog").waitFor();
    assert.deepEqual(await findings(page), [], "dialogue");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.goto(`${shared.server.address}/#write`);
    await page.reload();
    await page.locator("textarea").fill("(role white)\n(init (cell 1 1 blank)))\n");
    await page.locator(".finding").first().waitFor();
    assert.deepEqual(await findings(page), [], "editor");
    await page.goto(shared.server.address);
    await page.reload();
    await begin(page, "kolibrat", { red: "human", black: "human" });
    await turn(page);
    await page.locator("g.source").first().click();
    assert.deepEqual(await findings(page), [], "match");
    await page.getByRole("tab", { name: "Analysis" }).click();
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.locator(".best-lines li").first().waitFor();
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    assert.deepEqual(await findings(page), [], "analysis");
    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByRole("button", { name: "Settings" }).click();
    assert.deepEqual(await findings(page), [], "settings");
    await page.keyboard.press("Escape");
    await page.locator(".rule-part summary").first().click();
    assert.deepEqual(await findings(page), [], "rules");
    await page.locator("summary[aria-label=More]").click();
    await page.getByRole("button", { name: "Resign" }).click();
    assert.deepEqual(await findings(page), [], "question");
    await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog.game-over").waitFor();
    assert.deepEqual(await findings(page), [], "result");
    await page.getByRole("button", { name: "Why?" }).click();
    await page.locator(".reason-lines li").first().waitFor();
    assert.deepEqual(await findings(page), [], "reasons");
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(isWide, false, "the page is wider than the window");
    assert.deepEqual(foreign, []);
      }, window);
}
