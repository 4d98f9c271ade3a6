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
/** Milliseconds of analysis before the picture. */
const THINK = 2500;
/** Positions that say more than random moves; other games have some of their legal moves played. */
const GAMES = {
  go: { size: [9, 9], moves: "E5 C3 G3 G7 C6 F7 D3 C4 D4 C5", switches: ["heat"] },
  hex: { size: [7, 7], moves: "d4", switches: ["solve"] },
  clobber: { size: [6, 5] },
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
  const { size = null, moves = null, switches = [] } = GAMES[word] ?? {};
  for (const id of ["analyse", "heat", "solve"]) await page.evaluate((name) => document.getElementById(name).checked && document.getElementById(name).click(), id);
  await page.evaluate(
    ([name, board]) => {
      const { play } = window.losange;
      const game = play.games.find((known) => known.word === name);
      Object.assign(play, { players: { B: "person", W: "person" }, clock: null, paused: false });
      play.begin({ game, size: board ?? game.usual, swap: false });
    },
    [word, size],
  );
  await ready(page);
  for (let number = 0; number < (moves?.split(" ").length ?? 6); number++) {
    const move = moves?.split(" ")[number] ?? (await page.evaluate((i) => {
      const { legal } = window.losange.play.node.state;
      return legal[(i * 37 + 5) % legal.length];
    }, number));
    await page.evaluate((name) => window.losange.play.play(name), move);
    await ready(page);
  }
  for (const id of ["analyse", ...switches]) await page.evaluate((name) => document.getElementById(name).checked || document.getElementById(name).click(), id);
  await page.waitForTimeout(THINK);
}
