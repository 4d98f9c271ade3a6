// What the tests of the page stand on: a server, a browser, a fresh page for each test.

import assert from "node:assert/strict";
import test, { after, before } from "node:test";

import { browser, open, serve } from "./site.js";

export const LONG = process.env.LOSANGE_LONG === "1";

export const GAMES = [
  { game: "Go", size: [5, 5], passAfter: 8 },
  { game: "Hex", size: [4, 4] },
  { game: "Clobber", size: [4, 4] },
  { game: "Solitaire", size: [4, 4] },
  { game: "Avalam" },
  { game: "Breakthrough", size: [4, 4] },
  { game: "Lines of Action", size: [4, 4] },
  { game: "Amazons", size: [4, 4] },
  { game: "Santorini", size: [3, 3] },
  { game: "Othello", size: [4, 4] },
  { game: "Gomoku", size: [5, 5] },
  { game: "Surakarta" },
];

/** A server and a browser for the tests of a file: {server, chrome, onPage}, of which `onPage` runs a test on a page that may not complain. */
export function stage() {
  const own = {};
  before(async () => {
    own.server = process.env.BOARD_URL ? { url: process.env.BOARD_URL, stop: () => {} } : await serve();
    own.chrome = await browser();
  });
  after(async () => {
    await own.chrome?.close();
    await own.server?.stop();
  });
  own.onPage = (name, run, options = {}) =>
    test(name, { timeout: LONG ? 900_000 : 180_000, skip: options.skip }, async () => {
      const { page, faults } = await open(own.chrome.context, own.server.url, options);
      try {
        await run(page);
        assert.deepEqual(faults, []);
      } finally {
        await page.close();
      }
    });
  return own;
}
