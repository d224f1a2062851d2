// What the board does besides clicks: dragging, previews, turning, hints, and moves that animate.
import assert from "node:assert/strict";
import { begin, clickMove, drawn, drop, ids, onPages, plies, square, start, turn } from "./support.mjs";

const { test, shared } = onPages();

/** Two people play kolibrat until a piece can move. */
async function withPiece(page) {
  await begin(page, "kolibrat", { red: "human", black: "human" });
  const draw = drawn(1);
  for (let played = 0; played < 2; played += 1) {
    await turn(page, played);
    await clickMove(page, draw);
  }
  await turn(page, 2);
  return page;
}

test("boards are checkered, but for the paper of tic-tac-toe", async (page) => {
  const tones = {};
  for (const game of ["checkers", "kolibrat", "nim", "tictactoe"]) {
    const card = page.locator(`.card[data-game="${game}"]`);
    await card.scrollIntoViewIfNeeded();
    await card.locator(".cell").first().waitFor();
    tones[game] = await card.locator(".cell.tone").count();
  }
  assert.deepEqual(tones, { checkers: 32, kolibrat: 6, nim: 0, tictactoe: 0 });
});

test("choices without squares hide no square", async (page) => {
  const cells = [1, 2, 3, 4].flatMap((x) => [1, 2, 3, 4].map((y) => `(init (cell ${x} ${y} blank))`));
  const moves = [..."abcdefghijklm"].map((letter) => `(legal me (select piece ${letter}))`);
  const rest = "(role me) (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c))) (<= terminal (true (cell 1 1 x))) (goal me 50)";
  await drop(page, "many.kif", [rest, ...cells, ...moves].join("\n"));
  await page.waitForFunction(() => document.querySelector("kolibri-editor .primary")?.disabled === false);
  await page.getByRole("button", { name: "Play this" }).click();
  await start(page, { me: "human" });
  await page.locator(".tray .choice").nth(12).waitFor();
  const bottoms = await page.$$eval("svg.board .cell", (all) => all.map((cell) => cell.getBoundingClientRect().bottom));
  const { y } = await page.locator(".tray").boundingBox();
  assert.equal(bottoms.length, 16);
  assert.ok(Math.max(...bottoms) <= y, `${Math.max(...bottoms)} ${y}`);
});

test("a piece is dragged to its destination", async (page) => {
  await withPiece(page);
  const [from] = await ids(page, "g.source:has(.piece)");
  await square(page, from).click();
  const [to] = await ids(page, "g.destination");
  await page.keyboard.press("Escape");
  assert.deepEqual(await ids(page, "g.destination"), []);
  const middle = async (id) => {
    const { x, y, width, height } = await square(page, id).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(to)), { steps: 5 });
  await page.mouse.up();
  // Several moves may have these squares.
  const choice = page.locator(".tray .choice");
  if ((await choice.count()) > 0) await choice.first().click();
  await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 4);
  assert.equal(await square(page, to).locator(".piece").count(), 1);
});

test("destinations can be switched off, and another square is another choice", async (page) => {
  await withPiece(page);
  const [first] = await ids(page, "g.source:has(.piece)");
  await square(page, first).click();
  assert.ok((await ids(page, "g.destination")).length > 0);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Show where a piece can go").uncheck();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await square(page, first).click();
  assert.deepEqual(await ids(page, "g.destination"), []);
});

test("one square asks for a second click if that is wanted, with a preview", async (page) => {
  await withPiece(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Ask for a second click where one square is a move").check();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const [empty] = await ids(page, "g.source:not(:has(.piece))");
  await square(page, empty).click();
  assert.equal(await square(page, empty).locator(".preview").count(), 1);
  assert.equal(await plies(page), 2);
  await square(page, empty).click();
  await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 4);
});

test("the first piece is seen where it would go, before any is on the board", async (page) => {
  for (const [game, roles, id, shape] of [["kolibrat", ["red", "black"], "0:1 0", "disc"], ["tictactoe", ["x", "o"], "0:2 2", "cross"]]) {
    await page.goto(shared.server.address);
    await begin(page, game, Object.fromEntries(roles.map((role) => [role, "human"])));
    await turn(page);
    assert.equal(await page.locator("kolibri-board .piece").count(), 0);
    await square(page, id).hover();
    assert.equal(await square(page, id).locator(`.preview.drawn .${shape}`).count(), 1);
  }
});

test("the board is turned, and moves by clicks as before", async (page) => {
  await withPiece(page);
  const [from] = await ids(page, "g.source:has(.piece)");
  const before = await square(page, from).boundingBox();
  await page.getByRole("button", { name: "Turn the board" }).click();
  const turned = await square(page, from).boundingBox();
  assert.ok(Math.hypot(before.x - turned.x, before.y - turned.y) > 40);
  await clickMove(page, drawn(2));
  await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 4);
  // Copies that animate are gone in the end.
  await page.waitForFunction(() => document.querySelectorAll(".ghost").length === 0);
}, { reducedMotion: "no-preference" });

test("whoever plays one role sees the board from its side", async (page) => {
  const lowest = async () => {
    const tops = await page.$$eval("kolibri-board g.square:has(.piece)", (squares) => squares.map((found) => [found.getBoundingClientRect().top, found.getAttribute("aria-label")]));
    return tops.sort((a, b) => b[0] - a[0])[0][1];
  };
  await page.locator('.card[data-game="breakthrough"] .card-main').click();
  await page.getByLabel("Who plays white", { exact: true }).selectOption("human");
  await page.getByLabel("Who plays black", { exact: true }).selectOption("machine:random");
  await page.getByRole("button", { name: "Swap players" }).click();
  assert.equal(await page.getByLabel("Who plays black", { exact: true }).inputValue(), "human");
  await start(page, {});
  await turn(page, 1);
  assert.match(await lowest(), /black/);
});

test("analysis and hints are shown on the board", async (page) => {
  // Its short games are learned from in time by slow builds on busy machines, too.
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator(".search-summary .value").waitFor();
  await page.locator(".value-bar").waitFor();
  await page.locator(".search-summary p", { hasText: /Why: .*[a-z] [+-]\d/ }).waitFor();
  await page.locator(".arrow.best.rank-0").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator("kolibri-analysis").getByRole("button", { name: "Hint" }).click();
  await page.locator(".arrow.hint").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Why?" }).click();
  await page.locator(".reason-lines li").first().waitFor();
});
