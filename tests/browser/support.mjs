// What the tests have in common: a server with a state folder of its own, a browser, and a person's hands.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/**
 * A server of the program, on a free port. `KOLIBRI_ADDRESS` names one that runs already.
 */
export class Server {
  static async start(listen = "127.0.0.1:0") {
    const server = new Server();
    server.folder = await mkdtemp(join(tmpdir(), "kolibri-browser-"));
    await server.run(listen);
    return server;
  }

  /** Sets `address` and, if the server asks for one, `token`. */
  async run(listen) {
    if (process.env.KOLIBRI_ADDRESS) {
      this.address = process.env.KOLIBRI_ADDRESS.replace(/\/$/, "");
      return;
    }
    const env = { ...process.env, XDG_STATE_HOME: this.folder, NO_COLOR: "1" };
    this.process = spawn(process.env.KOLIBRI_BINARY, ["serve", "--listen", listen], { env });
    [this.address, this.token] = await new Promise((resolve, reject) => {
      let said = "";
      const read = (data) => {
        said += data;
        const [, address, token = null] = /(http:\/\/[^\s/]+)\/(?:\?token=(\w+))?\s/.exec(said) ?? [];
        if (address) resolve([address, token]);
      };
      this.process.stdout.on("data", read);
      this.process.stderr.on("data", read);
      this.process.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    });
  }

  /** Ends the server at once, without a chance to write anything. */
  async kill() {
    const ended = new Promise((resolve) => this.process.on("exit", resolve));
    this.process.kill("SIGKILL");
    await ended;
  }

  async stop() {
    if (this.process?.exitCode === null && this.process.signalCode === null) await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  get isOurs() {
    return !process.env.KOLIBRI_ADDRESS;
  }
}

/** A browser, and pages in it that fail the test on any error in the console. */
export class Browser {
  problems = [];

  static async start() {
    const browser = new Browser();
    browser.chromium = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    return browser;
  }

  /** A window of its own person: nothing is shared with other windows. */
  async page(address, options = {}) {
    const context = await this.chromium.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", acceptDownloads: true, ...options });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    page.on("pageerror", (error) => this.problems.push(String(error.stack)));
    page.on("console", (message) => {
      // A broken connection is part of some tests, and the page says so itself.
      if (message.type() === "error" && !/WebSocket|ERR_CONNECTION|ERR_INTERNET/.test(message.text())) this.problems.push(message.text());
    });
    await page.goto(address);
    return page;
  }

  async stop() {
    await this.chromium.close();
  }

  /**
   * Keeps a picture of each window in the folder `KOLIBRI_SCREENSHOTS`, if there is one.
   * @param {string} name
   */
  async picture(name) {
    const folder = process.env.KOLIBRI_SCREENSHOTS;
    if (!folder) return;
    const file = name.replaceAll(/[^\w]+/g, "-").slice(0, 80);
    const pages = this.chromium.contexts().flatMap((context) => context.pages());
    for (const [number, page] of pages.entries()) await page.screenshot({ path: join(folder, `${file}-${number + 1}.png`) });
  }

  /** Closes all windows; gives what went wrong in them. */
  async closePages() {
    for (const context of this.chromium.contexts()) await context.close();
    return this.problems.splice(0);
  }
}

/**
 * A server and a browser for all tests of a file.
 *
 * `test` gives each test a page of its own that shows the gallery, and fails where the console of a page has errors;
 * `open` opens further pages.
 */
export function onPages() {
  /** @type {{server: Server, browser: Browser}} */
  const shared = { server: null, browser: null };
  before(async () => {
    shared.server = await Server.start();
    shared.browser = await Browser.start();
  });
  after(async () => {
    await shared.browser?.stop();
    await shared.server?.stop();
  });
  const open = (address = shared.server.address, options = {}) => shared.browser.page(address, options);
  const onPage = (name, body, options) => test(name, async (context) => {
    let problems = [];
    try {
      await body(await open(undefined, options), context);
    } finally {
      await shared.browser.picture(name);
      problems = await shared.browser.closePages();
    }
    assert.deepEqual(problems, []);
  });
  return { shared, open, test: onPage };
}

/** Numbers that look drawn and are the same every time. */
export function drawn(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * below);
  };
}

/**
 * Begins a match from the gallery. `players` gives, by role, the value of the field that says who plays.
 */
export async function begin(page, game, players) {
  await page.locator(`.card[data-game="${game}"] .card-main`).click();
  await start(page, players);
}

/** Fills in and closes the dialogue of a new match. */
export async function start(page, players, delay = "0") {
  for (const [role, choice] of Object.entries(players)) {
    await page.getByLabel(`Who plays ${role}`, { exact: true }).selectOption(choice);
  }
  await page.getByLabel("Seconds between moves of machines").fill(delay);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL("**/match/*");
  await page.locator("kolibri-match .step").first().waitFor();
}

/** How many moves the shown line of the game has. */
export function plies(page) {
  return page.locator(".history > li > .step:not(.variation)").count().then((steps) => steps - 1);
}

/** Which ply is shown. */
export function ply(page) {
  return page.evaluate(() => {
    const steps = [...document.querySelectorAll(".history > li > .step:not(.variation)")];
    return steps.findIndex((step) => step.hasAttribute("aria-current"));
  });
}

/** Waits until the person is to move, or the result is shown. */
export async function turn(page, atLeast = 0) {
  const state = await page.waitForFunction((least) => {
    if (document.querySelector("dialog.game-over[open]")) return "over";
    const steps = document.querySelectorAll(".history > li > .step:not(.variation)").length - 1;
    const canMove = document.querySelector("g.source, .tray .choice, kolibri-moves:not([hidden]) .move");
    return steps >= least && canMove ? "mine" : false;
  }, atLeast, { timeout: 60_000 });
  return state.jsonValue();
}

/** Makes a move by clicks alone. */
export async function clickMove(page, draw) {
  const sources = await ids(page, "g.source");
  if (sources.length > 0) await square(page, sources[draw(sources.length)]).click();
  for (let more = 0; more < 8; more += 1) {
    const next = await ids(page, "g.destination");
    if (next.length === 0) break;
    await square(page, next[draw(next.length)]).click();
  }
  // What the squares leave open, and moves without squares.
  const choices = page.locator(".tray .choice");
  const count = await choices.count();
  if (count > 0) await choices.nth(draw(count)).click();
}

export function ids(page, selector) {
  return page.$$eval(selector, (squares) => squares.map((found) => found.dataset.square));
}

export function square(page, id) {
  return page.locator(`kolibri-board g.square[data-square="${id}"]`);
}

/**
 * Makes known moves by clicks on the squares that they name, two words each: `move a 3 b 4` is a click on `a 3` and one on
 * `b 4`. A move that is the only one is made by the server, and is looked for among the moves made.
 */
export async function playMoves(page, moves) {
  const before = await plies(page);
  for (const [place, move] of moves.entries()) {
    await turn(page, before + place);
    if ((await plies(page)) === before + place) {
      const [, ...words] = move.split(" ");
      for (let at = 0; at < words.length; at += 2) await square(page, `0:${words[at]} ${words[at + 1]}`).click();
    }
    const made = page.locator(".history > li > .step:not(.variation) .words").nth(before + place + 1);
    assert.equal(await made.textContent(), move);
  }
}

/** Drops a file on the page, as a person would from a folder. */
export async function drop(page, name, text) {
  const transfer = await page.evaluateHandle(([file, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], file));
    return data;
  }, [name, text]);
  await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
}

/** Plays by clicks until the result is shown. */
export async function playToTheEnd(page, seed) {
  const draw = drawn(seed);
  let played = 0;
  while ((await turn(page)) === "mine") {
    const before = await plies(page);
    await clickMove(page, draw);
    await page.waitForFunction((old) => {
      const steps = document.querySelectorAll(".history > li > .step:not(.variation)").length - 1;
      return steps > old || document.querySelector("dialog.game-over[open]");
    }, before, { timeout: 60_000 });
    played += 1;
    assert.ok(played < 500, "the game does not end");
  }
  return played;
}
