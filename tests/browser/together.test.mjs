// Several browsers at one match: secret links, hidden choices, spectators, lost connections.
import assert from "node:assert/strict";
import { begin, onPages, plies, turn } from "./support.mjs";

const { test, shared, open } = onPages();

/** The secret link of a role, as the page of whoever began the match would copy it. */
async function linkOf(page, role) {
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void (window.copied = text);
  });
  await page.getByRole("button", { name: `Copy link for ${role}` }).click();
  return (await page.waitForFunction(() => window.copied)).jsonValue();
}

test("rock-paper-scissors with two browsers, choices hidden, and a spectator", async (left) => {
  await begin(left, "rock-paper-scissors", { left: "human", right: "link" });
  const right = await open(await linkOf(left, "right"));
  assert.doesNotMatch(right.url(), /key=/);
  const watcher = await open(left.url());
  await turn(left);
  for (let round = 1; round <= 3; round += 1) {
    await left.getByRole("button", { name: "rock", exact: true }).first().click();
    for (const page of [left, right, watcher]) {
      await page.waitForFunction(() => [...document.querySelectorAll(".state")].some((state) => state.textContent === "has chosen"));
      assert.equal(await plies(page), round - 1);
      assert.equal(await page.locator(".history", { hasText: /rock.*·/ }).count() > 0, round > 1);
    }
    assert.equal(await watcher.locator(".tray .choice").count(), 0);
    await right.getByRole("button", { name: "scissors", exact: true }).first().click();
    for (const page of [left, right, watcher]) {
      await page.waitForFunction((done) => document.querySelectorAll(".history > li").length === done + 1, round);
    }
  }
  for (const page of [left, right, watcher]) {
    const result = page.locator("dialog.game-over .result");
    await result.waitFor();
    assert.match(await result.textContent(), /left wins/);
  }
});

test("a move made while the connection is lost is not lost", async (page) => {
  await page.addInitScript(() => {
    const Socket = window.WebSocket;
    window.WebSocket = class extends Socket {
      constructor(...options) {
        super(...options);
        window.latestSocket = this;
      }
    };
  });
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  const isClosed = await page.evaluate(() => {
    window.latestSocket.close();
    // A click without a pointer, as screen readers make it: nothing can happen between the two lines.
    document.querySelector('g.square[data-square="0:2 2"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return window.latestSocket.readyState !== WebSocket.OPEN;
  });
  assert.ok(isClosed);
  await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 2);
});

test("the server refuses a move of somebody else", async (page) => {
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  const answer = await page.evaluate(() => new Promise((resolve) => {
    const socket = new WebSocket(`ws://${location.host}/api/v1/matches/${location.pathname.split("/")[2]}/socket`);
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "view") socket.send(JSON.stringify({ type: "play", role: "x", move: "(mark 1 1)", ply: 0 }));
      else resolve(message.type);
    };
  }));
  assert.equal(answer, "refused");
  assert.equal(await plies(page), 0);
});

test("an address without a match says so", async (page) => {
  await page.goto(`${shared.server.address}/match/0000`);
  await page.getByRole("heading", { name: "No such match" }).waitFor();
  // The browser writes the answer to its console, too.
  assert.match(shared.browser.problems.splice(0).join(), /404/);
});
