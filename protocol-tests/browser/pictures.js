// Pictures of the board for the documents: each game of the engine, light and dark, on a desktop and on a phone.
//
//   LOSANGE=target/release/losange node pictures.js DIR [GAME ...]
//
// Needs pngquant.

import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { browser, open, ready, serve } from "./site.js";

const SIZES = { desktop: { width: 1100, height: 740 }, phone: { width: 390, height: 760 } };
const COLOURS = "48";
/** Milliseconds of analysis before the picture, and after each given move. */
const THINK = 2500;
const LOOK = 350;
/** Seconds of the engine's moves, and how many it makes, where no moves are given. */
const SECONDS = 0.3;
const PLIES = 12;
const GAMES = {
  go: { size: [9, 9], moves: "E5 C3 G3 G7 C6 F7 D3 C4 D4 C5", switches: ["heat"] },
  hex: { size: [7, 7], moves: "d4", switches: ["solve"] },
  clobber: { size: [6, 5], plies: 8 },
  gomoku: { plies: 9 },
  othello: { plies: 20 },
  santorini: { plies: 14 },
  surakarta: { plies: 16 },
};

const [, , folder, ...chosen] = process.argv;
if (!folder) {
  console.error("pictures.js DIR [GAME ...]");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const server = process.env.BOARD_URL ? { url: process.env.BOARD_URL, stop: () => {} } : await serve();
const chrome = await browser();
try {
  const { page } = await open(chrome.context, server.url);
  const words = await page.evaluate(() => window.losange.play.games.map((game) => game.word));
  for (const word of words.filter((known) => !chosen.length || chosen.includes(known))) {
    for (const [kind, size] of Object.entries(SIZES)) {
      await page.setViewportSize(size);
      await position(page, word);
      for (const theme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: theme });
        await page.waitForTimeout(300);
        const path = join(folder, `${word}-${kind}-${theme}.png`);
        await page.screenshot({ path });
        execFileSync("pngquant", ["--force", "--strip", "--speed", "1", "--nofs", "--output", path, COLOURS, path]);
        console.log(path, statSync(path).size);
      }
    }
  }
} finally {
  await chrome.close();
  await server.stop();
}

/** Plays to a position of that game and lets the engine look at it. */
async function position(page, word) {
  const { size = null, moves = null, plies = PLIES, switches = [] } = GAMES[word] ?? {};
  for (const id of ["analyse", "heat", "solve"]) await page.evaluate((name) => document.getElementById(name).checked && document.getElementById(name).click(), id);
  await page.evaluate(
    ([name, board, who, seconds]) => {
      const { play } = window.losange;
      const game = play.games.find((known) => known.word === name);
      Object.assign(play, { players: { B: who, W: who }, seconds, clock: null, paused: false });
      play.begin({ game, size: board ?? game.usual, swap: false });
    },
    [word, size, moves ? "person" : "engine", SECONDS],
  );
  const analyse = () => page.evaluate(() => document.getElementById("analyse").checked || document.getElementById("analyse").click());
  if (moves) {
    await ready(page);
    // The course of the game is seen where each of its positions was looked at.
    await analyse();
    for (const move of moves.split(" ")) {
      await page.waitForTimeout(LOOK);
      await page.evaluate((name) => window.losange.play.play(name), move);
      await ready(page);
    }
  } else {
    await page.waitForFunction((count) => window.losange.play.node.depth > count || window.losange.play.isOver, plies);
    await page.evaluate((count) => {
      const { play } = window.losange;
      play.players = { B: "person", W: "person" };
      play.stop(true);
      const line = play.tree.line();
      play.go(line[Math.min(count, 2 * Math.floor((line.length - 2) / 2))]);
      for (const child of [...play.node.children]) play.tree.remove(child);
      play.moved();
      play.players.W = "engine";
    }, plies);
    await ready(page);
  }
  await analyse();
  for (const id of switches) await page.evaluate((name) => document.getElementById(name).checked || document.getElementById(name).click(), id);
  await page.waitForTimeout(THINK);
}
