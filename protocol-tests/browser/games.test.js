// Each game on the page: played to its end, analysed, its own look.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { begin, click, look, ready } from "./site.js";
import { GAMES, LONG, stage } from "./stage.js";

const { onPage } = stage();

for (const { passAfter = Infinity, ...game } of GAMES) {
  onPage(`a whole game of ${game.game} by clicks`, async (page) => {
    await begin(page, game);
    for (let number = 0; ; number++) {
      const { legal, over, depth } = await look(page);
      if (over) break;
      assert.ok(number < 100, "the game has no end");
      const moves = legal.filter((word) => !["pass", "swap-pieces"].includes(word));
      if (number >= passAfter || !moves.length) await page.click("#pass");
      else await click(page, moves[(number * 7) % moves.length]);
      await page.waitForFunction((before) => window.losange.play.node.depth > before, depth, { polling: 20 });
      await ready(page);
    }
    // In Go both sides have passed until the engine has read which stones are dead.
    await page.waitForFunction(() => /wins|left|Draw|resigns/i.test(document.querySelector("#below .note").textContent), null, { polling: 50 });
    const { depth } = await look(page);
    assert.equal(await page.locator("#moves .move").count(), depth);
  });
}

// One game of each look; the long tests take all.
for (const { game, size } of GAMES.filter(({ game }) => LONG || ["Go", "Hex", "Amazons", "Surakarta"].includes(game))) {
  onPage(`${game} is analysed, and saved with its values`, async (page) => {
    await begin(page, { game, size, white: "Person", swap: game === "Hex" ? false : null });
    await page.locator("#analyse").check();
    await page.locator("#heat").check();
    const reported = () => page.waitForFunction(() => window.losange.play.reported === window.losange.play.node && window.losange.play.node.values?.moves.length);
    await reported();
    await page.waitForFunction(() => document.querySelector(".shares .share, .heat rect"));
    await page.locator("#heat").uncheck();
    await page.waitForFunction(() => [...document.querySelectorAll(".shares .share, .heat rect")].every((node) => Number(node.getAttribute("opacity")) === 0));
    await reported();
    // The variation of the best move stands on the board while the mouse is over it.
    const isShown = () => [...document.querySelectorAll(".ghost:not([visibility]) .number, .tag:not([visibility]) .value")].some((node) => node.textContent === "1");
    for (let tries = 0; !(await page.evaluate(isShown)); tries++) {
      assert.ok(tries < 50, "no variation");
      // Another move may have become the best meanwhile.
      const [x, y] = await page.evaluate(() => {
        const { play, board } = window.losange;
        return board.placeOf(play.points.ofMove(play.report.moves[0].move).slice(0, 2).at(-1));
      });
      await page.mouse.move(5, 5);
      await page.mouse.move(x, y);
      await page.waitForTimeout(50);
    }
    await page.mouse.move(5, 5);
    for (let number = 0; number < 2; number++) {
      await click(page, (await look(page)).legal.find((word) => word !== "pass"));
      await page.waitForFunction((depth) => window.losange.play.node.depth > depth && window.losange.play.node.state, number);
      await reported();
    }
    const line = () => page.evaluate(() => window.losange.play.tree.line().map(({ word, values }) => [word, values]));
    await page.locator("#analyse").uncheck();
    // The engine stops, too.
    await page.waitForFunction(() => window.losange.play.engine.waiting.length === 0);
    const before = await line();
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    await page.click("#first");
    await page.setInputFiles("#file", { name: "game.sgf", mimeType: "application/x-go-sgf", buffer: readFileSync(await download.path()) });
    await page.waitForFunction(() => window.losange.play.node.state && window.losange.play.tree.line().length === 3);
    // The analysis begins again at the start, and may know more of it.
    assert.deepEqual((await line()).slice(1), before.slice(1));
    // The course is drawn from what was saved; a click goes to the end.
    const { width, height } = await page.locator("#graph svg").boundingBox();
    await page.locator("#graph svg").click({ position: { x: width - 2, y: height / 2 } });
    await page.waitForFunction(() => window.losange.play.node.depth === 2 && window.losange.play.node.state);
    await page.click("#copy");
    assert.equal(await page.locator("dialog textarea").first().inputValue(), before.slice(1).map(([word]) => word).join(" "));
    await page.keyboard.press("Escape");
    await page.locator("#text summary").click();
    // The table is drawn a moment after it was opened.
    const { board } = await look(page);
    const pieces = [...board].filter((mark) => mark === "B" || mark === "W").length;
    assert.ok(pieces > 0);
    await page.waitForFunction((least) => document.querySelectorAll("#text td[aria-label]").length >= least, pieces);
  });
}

onPage("burnt squares and buildings are seen and told", async (page) => {
  await page.locator("#text summary").click();
  await begin(page, { game: "Amazons", size: [4, 4], white: "Person" });
  await click(page, (await look(page)).legal[0]);
  await ready(page);
  assert.deepEqual([await page.locator(".burnt").count(), await page.locator("#text td", { hasText: "#" }).count()], [1, 1]);

  await begin(page, { game: "Santorini", size: [3, 3], white: "Person" });
  // Both workers in either order.
  for (const order of [(points) => points, (points) => points.reverse()]) {
    await click(page, order((await look(page)).legal[0].split("-")).join("-"));
    await ready(page);
  }
  assert.equal((await look(page)).board.split("").filter((mark) => mark !== ".").length, 4);
  await click(page, (await look(page)).legal[0]);
  await page.waitForFunction(() => window.losange.play.node.state?.levels);
  assert.equal(await page.locator(".levels .l1").count(), 1);
  assert.match(await page.locator("#text td[aria-label*='level 1']").textContent(), /^.?\/1$/);
});

onPage("pieces are dragged", async (page) => {
  for (const { game, size } of GAMES.filter(({ game }) => ["Breakthrough", "Amazons", "Surakarta"].includes(game))) {
    await begin(page, { game, size, white: "Person" });
    const move = (await look(page)).legal[2];
    const [from, to, ...third] = await page.evaluate((word) => {
      const { play, board } = window.losange;
      return play.points.ofMove(word).map((point) => board.placeOf(point));
    }, move);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
    for (const place of third) await page.mouse.click(...place);
    await page.waitForFunction(() => window.losange.play.node.depth === 1);
    assert.deepEqual((await look(page)).moves, [null, move]);
  }
});

onPage("Surakarta takes along the loops", async (page) => {
  await begin(page, { game: "Surakarta", white: "Person" });
  assert.equal(await page.locator(".loop").count(), 8);
  const ways = await page.evaluate(() => {
    const { board, play } = window.losange;
    const point = (name) => play.points.point(name);
    const empty = (...names) => (at) => !names.map(point).includes(at);
    const way = (from, to, isEmpty) => board.shape.route(point(from), point(to), isEmpty)?.d ?? null;
    return [way("B1", "A2", empty("B1", "A2")), way("C1", "F4", empty("C1", "F4")), way("C1", "F4", empty("C1", "F4", "C3", "B3")), way("A1", "F6", empty("A1", "F6"))];
  });
  assert.equal(ways[0], "M1 5A1 1 0 1 1 0 4");
  assert.equal(ways[1], "M2 5L2 4L2 3L2 2L2 1L2 0A2 2 0 1 0 0 2L1 2L2 2L3 2L4 2L5 2");
  assert.notEqual(ways[1], ways[2]);
  assert.equal(ways[3], null);
});

onPage("the model can be left out, where there is one", async (page) => {
  const sent = [];
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload).replace(/^\d+ /, "").trim())));
  await page.reload();
  await page.waitForFunction(() => window.losange?.play.node.state);
  await page.click("#new");
  const dialog = page.locator("dialog");
  await dialog.getByText("Avalam", { exact: true }).click();
  await dialog.getByLabel("Model").waitFor();
  assert.equal(await dialog.getByLabel("Model").locator("option").first().textContent(), "avalam.onnx");
  await dialog.getByText("Othello", { exact: true }).click();
  await page.waitForFunction(() => window.losange.play.models.has("othello"));
  assert.equal(await dialog.getByLabel("Model").isVisible(), false);
  await dialog.getByText("Hex", { exact: true }).click();
  await dialog.getByLabel("Model").selectOption({ label: "None" });
  await dialog.getByText("Play", { exact: true }).click();
  await ready(page);
  assert.ok(sent.includes("losange-option model none"));
  assert.match(await page.locator("#above .name").textContent(), /Engine, no model$/);
});

onPage("coordinates stay hidden in the next game", async (page) => {
  await page.locator("#letters").uncheck();
  await begin(page, { game: "Othello", size: [4, 4], white: "Person" });
  assert.equal(await page.locator(".coordinate").first().isVisible(), false);
  await page.locator("#letters").check();
  assert.equal(await page.locator(".coordinate").first().isVisible(), true);
});

onPage("a review puts its signs to the moves", async (page) => {
  await begin(page, { game: "Hex", size: [5, 5], white: "Person", swap: false });
  for (const move of ["a1", "c3", "a2"]) {
    await click(page, move);
    await ready(page);
  }
  await page.keyboard.press("r");
  await page.locator("#report .move").first().waitFor();
  assert.match((await page.locator("#moves .move").allTextContents())[0], /^a1\?/);
});
