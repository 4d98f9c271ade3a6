// Positions that are set up, at the start of a game and within it, on the page in a real browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { begin, click, look, ready } from "./site.js";
import { GAMES, stage } from "./stage.js";

const { onPage } = stage();

const tool = (page, name) => page.locator("#tools").getByText(name, { exact: true }).click();

async function record(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  return readFileSync(await download.path(), "utf8");
}

/** Opens a record; its game begins anew. */
async function opened(page, text) {
  const old = await page.evaluate(() => window.losange.play.tree.root.id);
  await page.setInputFiles("#file", { name: "game.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from(text) });
  await page.waitForFunction((id) => window.losange.play.tree.root.id !== id && window.losange.play.node.state, old);
}

/** Ends the set-up with a position that the engine takes. */
async function done(page) {
  await tool(page, "Done");
  await page.waitForFunction(() => !window.losange.setup.active && window.losange.play.node.state);
}

/** The moves as they are listed, without signs. */
const listed = async (page) => (await page.locator("#moves .move").allTextContents()).map((text) => text.replace(/[?!]+$/, ""));

/** What the engine makes of a record: its state, and its own record of it. */
function ofEngine(word, text) {
  const folder = mkdtempSync(join(tmpdir(), "losange-record-"));
  const file = join(folder, "game.sgf");
  writeFileSync(file, text);
  const input = `1 loadsgf ${file}\n2 losange-state\n3 printsgf\n4 quit\n`;
  const answers = execFileSync(process.env.LOSANGE, [word, "--no-model"], { input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });
  rmSync(folder, { recursive: true });
  const [, state, sgf] = /^=1 \n\n=2 (.*)\n\n=3 (.*?)\n\n=4/s.exec(answers) ?? [null, `"${answers}"`, ""];
  return { state: JSON.parse(state), sgf };
}

/** A move as a record has it. */
const spelled = (page, word) =>
  page.evaluate((move) => {
    const { play } = window.losange;
    const [point] = play.points.ofMove(move);
    if (play.game.sgf === null || play.game.word === "hex") return move;
    return String.fromCharCode(97 + (point % play.size[0]), 97 + Math.floor(point / play.size[0]));
  }, word);

const state = (page) => page.evaluate(() => window.losange.play.node.state);

/** A game of one move from a position that was set up: it is taken back, reviewed, saved, and opened with the same position. */
async function lived(page, word) {
  const before = await state(page);
  assert.ok(before.legal.includes(word), before.legal.join(" "));
  await click(page, word);
  await page.waitForFunction(() => window.losange.play.node.depth === 1 && window.losange.play.node.state);
  const after = await state(page);
  await page.keyboard.press("u");
  await page.waitForFunction(() => window.losange.play.node.depth === 0);
  assert.deepEqual(await state(page), before);
  await page.keyboard.press("r");
  await page.waitForFunction(() => !document.querySelector("#report progress"));
  assert.match(await page.locator("#report strong").textContent(), /lost|no move was valued/);
  assert.ok(await page.evaluate(() => window.losange.play.tree.root.values));
  const text = await record(page);
  await opened(page, text);
  assert.deepEqual(await state(page), before, text);
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.losange.play.node.depth === 1 && window.losange.play.node.state);
  assert.deepEqual(await state(page), after);
  // It is kept in the browser, too.
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForFunction(() => window.losange?.play.node.state);
  assert.deepEqual(await state(page), after);
  return text;
}

onPage("every game goes on from a position that was set up, and from one within a record", async (page) => {
  for (const { game, size } of GAMES) {
    await begin(page, { game, size, white: "Person" });
    for (let depth = 1; depth <= 2; depth++) {
      await page.evaluate(() => window.losange.play.play(window.losange.play.node.state.legal[0]));
      await page.waitForFunction((at) => window.losange.play.node.depth === at && window.losange.play.node.state, depth);
    }
    const { board, heights, levels, turn, legal } = await state(page);
    const next = turn === "B" ? "W" : "B";
    await page.keyboard.press("e");
    await page.locator("#tools").getByLabel("Side to move").selectOption(next);
    await done(page);
    const single = game === "Solitaire";
    const same = async (wanted) => {
      const now = await state(page);
      assert.deepEqual([now.board, now.heights, now.levels, now.turn, now.moves], [board, heights, levels, wanted, 0], game);
    };
    await same(single ? turn : next);
    const text = await record(page);
    await opened(page, text);
    await same(single ? turn : next);
    // The engine reads what the page wrote, and the other way round.
    const engines = ofEngine(await page.evaluate(() => window.losange.play.game.word), text);
    assert.equal(engines.state.board, board, text);
    assert.equal(engines.state.turn, single ? turn : next);
    await opened(page, engines.sgf);
    await same(single ? turn : next);
    // Back to the side that was to move, which plays on.
    await opened(page, text.replace(/\)\s*$/, `;PL[${turn}];${/LG/.test(text) ? "L" : ""}${turn}[${await spelled(page, legal[0])}])`));
    await page.keyboard.press("End");
    await page.waitForFunction(() => window.losange.play.node.state && window.losange.play.node.word);
    const line = (await look(page)).moves;
    assert.deepEqual([line.length, line.at(-1)], [single ? 2 : 3, legal[0]], game);
  }
});

onPage("burnt squares are set up and kept", async (page) => {
  await page.locator("#text summary").click();
  await begin(page, { game: "Amazons", size: [4, 4], white: "Person" });
  await click(page, "B1-B3-B1");
  await page.waitForFunction(() => window.losange.play.node.state?.board.includes("?"));
  await page.keyboard.press("e");
  assert.equal(await page.locator(".burnt").count(), 1);
  await tool(page, "Burnt");
  await click(page, "C2");
  assert.equal(await page.locator(".burnt").count(), 2);
  // It is told, too.
  assert.equal(await page.locator("#text td[aria-label$='burnt']").count(), 2);
  // What was changed comes back where it is not wanted.
  await tool(page, "Empty");
  for (const square of ["C2", "B1"]) await click(page, square);
  assert.equal(await page.locator(".burnt").count(), 0);
  await tool(page, "Cancel");
  await ready(page);
  assert.equal(await page.locator(".burnt").count(), 1);
  await page.keyboard.press("e");
  await tool(page, "Burnt");
  await click(page, "C2");
  await done(page);
  const { board, turn } = await look(page);
  assert.deepEqual([board[13], board[10], board.split("?").length, turn], ["?", "?", 3, "W"]);
  const text = await lived(page, (await look(page)).legal[0]);
  assert.match(text, /LA\[cc:burnt\]\[bd:burnt\]PL\[W\]/);
  // An amazon may stand where no square is burnt; a side without any is refused, and the set-up goes on.
  await page.keyboard.press("e");
  await tool(page, "Clear");
  await tool(page, "Done");
  await page.waitForFunction(() => /a side without amazons/.test(document.getElementById("message").textContent));
  assert.equal(await page.evaluate(() => window.losange.setup.active), true);
  await tool(page, "Cancel");
  await page.waitForFunction(() => window.losange.play.node.state && document.querySelectorAll(".burnt").length > 1);
});

onPage("buildings are set up and kept", async (page) => {
  await begin(page, { game: "Santorini", size: [4, 4], white: "Person" });
  await page.keyboard.press("e");
  for (const [name, points] of [["Black", ["A1", "B1"]], ["White", ["A4", "B4"]], ["Level 1", ["A1"]], ["Level 2", ["B4", "A2"]], ["Level 3", ["C3"]], ["Dome", ["D4"]]]) {
    await tool(page, name);
    for (const point of points) await click(page, point);
  }
  // A second click takes a building away, and leaves the worker.
  await tool(page, "Level 1");
  await click(page, "A1");
  await click(page, "A1");
  await done(page);
  const { levels, board } = await state(page);
  assert.deepEqual([levels, board], [[0, 2, 0, 4, 0, 0, 3, 0, 2, 0, 0, 0, 1, 0, 0, 0], "WW..........BB.."]);
  assert.equal(await page.locator(".dome").count(), 1);
  const text = await lived(page, "A1-A2-A3");
  assert.match(text, /AB\[ad\]\[bd\]AW\[aa\]\[ba\]LA\[ba:2\]\[da:4\]\[cb:3\]\[ac:2\]\[ad:1\]PL\[B\]/);
  await page.keyboard.press("e");
  await tool(page, "Black");
  await click(page, "D4");
  await tool(page, "Done");
  await page.waitForFunction(() => /a side has two workers/.test(document.getElementById("message").textContent));
  await tool(page, "Empty");
  await click(page, "B1");
  await tool(page, "Done");
  await page.waitForFunction(() => /a worker on a dome/.test(document.getElementById("message").textContent));
});

onPage("towers are set up and kept", async (page) => {
  await begin(page, { game: "Avalam", white: "Person" });
  await page.keyboard.press("e");
  await page.locator("#tools").getByLabel("Height").selectOption("3");
  await click(page, "D9");
  await tool(page, "Done");
  await page.waitForFunction(() => /more than 48 pieces/.test(document.getElementById("message").textContent));
  await tool(page, "Empty");
  await click(page, "C9");
  await click(page, "C8");
  await done(page);
  const { heights, board } = await state(page);
  assert.deepEqual([heights[3], board.slice(0, 9), heights.reduce((a, b) => a + b), await page.locator(".piece .height").count()], [3, "??.B?????", 48, 1]);
  const text = await lived(page, "D9-D8");
  assert.match(text, /LA\[da:B3\]PL\[B\]/);
});

onPage("a game of Go is set up anew within it", async (page) => {
  const told = "(;GM[1]FF[4]SZ[5]KM[0.5];B[bb];W[dd]C[before];AE[bb]AB[cc][bc]AW[ca]C[set up];W[cb](;B[db];W[ea])(;B[ab]))";
  await begin(page, { game: "Go", size: [5, 5], white: "Person" });
  await opened(page, told);
  assert.deepEqual(await listed(page), ["B4", "D2", "set up", "C4", "D4", "A4", "E5"]);
  assert.deepEqual(await page.locator("#moves .number").allTextContents(), ["1.", "3.", "4.", "4.", "5."]);
  const boards = [];
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((depth) => window.losange.play.node.depth === depth && window.losange.play.node.state, i + 1);
    boards.push((await look(page)).board);
  }
  assert.deepEqual([boards[1][6], boards[1][18], boards[2][6], boards[2][12], boards[2][11], boards[2][2], boards[2][18]], ["B", "W", ".", "B", "B", "W", "W"]);
  assert.equal(boards[3][7], "W");
  // To the end at once, and back over it: the same positions.
  await opened(page, told);
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.losange.play.node.depth === 6 && window.losange.play.node.state);
  assert.equal((await look(page)).board, boards[5]);
  for (let depth = 5; depth >= 1; depth--) {
    await page.evaluate(() => (window.losange.play.node.parent.state = null));
    await page.keyboard.press("u");
    await page.waitForFunction((at) => window.losange.play.node.depth === at && window.losange.play.node.state, depth);
    assert.equal((await look(page)).board, boards[depth - 1]);
  }
  // A variation from it, made the main line.
  await page.evaluate(() => window.losange.play.go(window.losange.play.tree.line()[3]));
  await page.waitForFunction(() => window.losange.play.node.setup && window.losange.play.node.state);
  assert.deepEqual([(await look(page)).turn, await page.locator("#comment").textContent()], ["W", "set up"]);
  await click(page, "A1");
  await page.waitForFunction(() => window.losange.play.node.word === "A1" && window.losange.play.node.state);
  await page.keyboard.press("m");
  assert.deepEqual((await listed(page)).slice(0, 4), ["B4", "D2", "set up", "A1"]);
  assert.match(await record(page), /;B\[bb\]\n;W\[dd\]C\[before\]\n;AE\[bb\]AB\[cc\]\[bc\]AW\[ca\]PL\[W\]C\[set up\].*\(\n;W\[ae\]/s);
  await page.keyboard.press("d");
  await page.waitForFunction(() => window.losange.play.node.setup);
  // The review has both parts, and counts moves alone.
  await opened(page, told);
  await page.keyboard.press("r");
  await page.locator("#report select").selectOption("20");
  await page.waitForFunction(() => /lost/.test(document.querySelector("#report strong").textContent) && !document.querySelector("#report progress"));
  const line = await page.evaluate(() => window.losange.play.tree.line().map((node) => [node.word, Boolean(node.values)]));
  assert.ok(line.every(([, valued]) => valued), `${JSON.stringify(line)} ${await page.locator("#report strong").textContent()}`);
  // The analysis, the engine's move, and a set-up that goes with its deletion.
  await page.evaluate(() => window.losange.play.go(window.losange.play.tree.line()[3]));
  await page.locator("#analyse").check();
  await page.waitForFunction(() => window.losange.play.reported === window.losange.play.node && window.losange.play.node.setup);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.losange.play.node.depth === 4 && window.losange.play.node.state);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => window.losange.play.node.setup);
  // Several positions go once that was confirmed.
  await page.keyboard.press("d");
  await page.locator("dialog").getByText("Cancel").click();
  assert.ok(await page.evaluate(() => window.losange.play.node.setup));
  await page.keyboard.press("d");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.losange.play.node.word === "D2");
  assert.deepEqual(await listed(page), ["B4", "D2"]);
});

onPage("a set-up that is no position is told, and the rest stays", async (page) => {
  await opened(page, "(;GM[1]FF[4]SZ[5];B[bb];AB[ab][ba]AW[aa];W[cc])");
  await page.locator("#analyse").uncheck();
  await page.keyboard.press("End");
  await page.waitForFunction(() => /set up after move 1 is none: .*liberty/.test(document.getElementById("message").textContent));
  await page.waitForFunction(() => window.losange.play.node.word === "B4" && window.losange.play.node.state);
  assert.deepEqual(await listed(page), ["B4", "set up", "C3"]);
  await page.keyboard.press("r");
  await page.waitForFunction(() => /not beyond move 1: .*liberty/.test(document.querySelector("#report strong").textContent));
  assert.match(await record(page), /AB\[ab\]\[ba\]AW\[aa\]PL\[W\]\n;W\[cc\]/);
});

onPage("buildings and turns change within a game", async (page) => {
  await opened(page, "(;FF[4]LG[santorini]SZ[3];LB[A1-B1];LW[A3-B3];LA[bb:2][ab:1]C[built];LB[A1-A2-A1];PL[B];LB[A2-B2-A2])");
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.losange.play.node.depth === 6 && window.losange.play.node.state);
  assert.deepEqual((await state(page)).levels, [0, 0, 0, 2, 2, 0, 1, 0, 0]);
  const text = await record(page);
  assert.match(text, /;LA\[bb:2\]\[ab:1\]PL\[B\]C\[built\]\n;LB\[A1-A2-A1\]\n;PL\[B\]\n;LB\[A2-B2-A2\]/);
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForFunction(() => window.losange?.play.node.state);
  assert.deepEqual((await state(page)).levels, [0, 0, 0, 2, 2, 0, 1, 0, 0]);
});

onPage("a game of Othello begins with White", async (page) => {
  await opened(page, "(;FF[4]GM[2]SZ[4]PL[W])");
  assert.deepEqual([(await look(page)).turn, (await look(page)).board], ["W", ".....WB..BW....."]);
  await page.keyboard.press("r");
  await page.waitForFunction(() => !document.querySelector("#report progress"));
  assert.ok(await page.evaluate(() => window.losange.play.tree.root.values));
});
