// A server that listens beyond this machine lets in whoever has its token, and nobody else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Browser, Server, begin, square, turn } from "./support.mjs";

let server;
let browser;
before(async () => {
  [server, browser] = await Promise.all([Server.start("0.0.0.0:0"), Browser.start()]);
});
after(() => Promise.all([browser.stop(), server.stop()]));

test("the token of the address lets a browser in, and only with it", async (context) => {
  if (!server.isOurs) return context.skip("the server is not ours");
  assert.ok(server.token, "the address that is printed has a token");
  const address = server.address.replace("0.0.0.0", "127.0.0.1");
  for (const query of ["", "?token=0123456789abcdef0123456789abcdef"]) {
    const stranger = await browser.page(`${address}/${query}`);
    const status = await stranger.evaluate(async () => (await fetch("/api/v1/games")).status);
    assert.equal(status, 403);
    assert.equal(await stranger.locator(".card").count(), 0);
  }
  // The browser writes each refusal to its console.
  for (const problem of await browser.closePages()) assert.match(problem, /403/);

  const page = await browser.page(`${address}/?token=${server.token}`);
  assert.doesNotMatch(page.url(), /token/);
  await begin(page, "tictactoe", { x: "human", o: "human" });
  await turn(page);
  await square(page, "0:2 2").click();
  await page.waitForFunction(() => document.querySelectorAll(".history > li").length === 2);
  await page.reload();
  await turn(page, 1);
  assert.doesNotMatch(await page.evaluate(() => document.cookie), /token/, "scripts cannot read the token");
  assert.deepEqual(await browser.closePages(), []);
});
