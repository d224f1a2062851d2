// Measures the page of `kolibri serve` in a real browser, and prints a table:
// KOLIBRI_BINARY=target/release/kolibri node tests/browser/measure.mjs
import { loadavg } from "node:os";
import { Browser, Server, begin, clickMove, drawn, turn } from "./support.mjs";

const LOADS = 20;
const MOVES = 50;
const GAMES = ["tictactoe", "checkers", "reversi"];

const server = await Server.start();
const browser = await Browser.start();
const { games } = await (await fetch(`${server.address}/api/v1/games`)).json();

/** The median and the greatest of some milliseconds, as cells of a table. */
function cells(times) {
  const ordered = times.toSorted((a, b) => a - b);
  return `${ordered[Math.floor(ordered.length / 2)].toFixed(0)} ms | ${ordered.at(-1).toFixed(0)} ms`;
}

/** When a browser without anything in its cache has first painted the page, in milliseconds after the request. */
async function firstPaint() {
  const page = await browser.page(server.address);
  const paint = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  const time = await paint.jsonValue();
  await page.context().close();
  return time;
}

/** The bytes of all files that the gallery and a match load, and their number. */
async function pageBytes() {
  const page = await browser.page("about:blank");
  const files = new Map();
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/api/")) files.set(pathname.replace(/^\/match\/.*/, "/"), response.body().catch(() => ""));
  });
  await page.goto(server.address);
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  await page.close();
  const sizes = await Promise.all([...files.values()].map(async (body) => (await body).length));
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), count: sizes.length };
}

/**
 * From the click that makes a move to the frame that shows the new board, for moves of two people at one screen, in
 * milliseconds.
 */
async function clicksToBoards(game) {
  const page = await browser.page(server.address);
  const { roles } = games.find(({ name }) => name === game);
  await begin(page, game, Object.fromEntries(roles.map((role) => [role, "human"])));
  await page.evaluate(() => {
    window.times = [];
    let clicked = 0;
    addEventListener("pointerup", (event) => (clicked = event.timeStamp), true);
    new MutationObserver(() => {
      if (clicked === 0) return;
      const since = clicked;
      clicked = 0;
      // A task that is put off by a frame runs after that frame was painted.
      requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - since)));
    }).observe(document.querySelector(".board-stage"), { childList: true });
  });
  const draw = drawn(1);
  const count = () => page.evaluate(() => window.times.length);
  while ((await count()) < MOVES) {
    if ((await turn(page)) === "over") {
      await page.getByRole("button", { name: "Restart" }).click();
      await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 1);
      continue;
    }
    const before = await count();
    await clickMove(page, draw);
    await page.waitForFunction((old) => window.times.length > old, before);
  }
  const times = await page.evaluate(() => window.times);
  await page.context().close();
  return times.slice(0, MOVES);
}

const paints = [];
for (let load = 0; load < LOADS; load += 1) paints.push(await firstPaint());
const { bytes, count } = await pageBytes();
console.log("| what | median | worst |\n|---|---|---|");
console.log(`| first paint of the gallery, ${LOADS} times | ${cells(paints)} |`);
for (const game of GAMES) console.log(`| click to the new board on screen, ${MOVES} moves of ${game} | ${cells(await clicksToBoards(game))} |`);
console.log(`\n${count} files, ${bytes} bytes. Load of the machine: ${loadavg().map((load) => load.toFixed(1)).join(", ")}.`);
await browser.stop();
await server.stop();
