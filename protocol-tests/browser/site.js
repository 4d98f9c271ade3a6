// A server and a browser for the tests of the page.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts `losange serve --http` on a port, 0 for a free one: {url, port, stop}. */
export async function serve(port = 0) {
  const child = spawn(process.env.LOSANGE, ["serve", "--http", `127.0.0.1:${port}`, "--threads", "1", "--memory", "512", "--sessions", "4"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.on("line", (line) => resolve(/http:\/\/\S+/.exec(line)?.[0]));
    child.once("exit", () => reject(new Error("the server ended before it listened")));
  });
  return {
    url,
    port: Number(new URL(url).port),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

/**
 * Serves the page's files from their folder instead of from the program, where BOARD_FILES=1 says so: changes are seen without a build.
 */
async function fromFolder(context) {
  const folder = new URL("../../src/server/http/page/", import.meta.url);
  const kinds = { html: "text/html", css: "text/css", svg: "image/svg+xml", js: "text/javascript" };
  const paths = new RegExp(`^http://[^/]+/(?:[a-z]+\\.(?:${Object.keys(kinds).join("|")}))?(?:[?#].*)?$`);
  await context.route(paths, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
    return route.fulfill({ path: fileURLToPath(new URL(name, folder)), contentType: kinds[name.split(".").pop()] });
  });
}

/** A browser with a profile of its own. */
export async function browser() {
  const profile = mkdtempSync(join(tmpdir(), "losange-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    // A page that the server did not send may not speak with it without this.
    args: process.env.BOARD_FILES === "1" ? [...OPTIONS, "--disable-features=LocalNetworkAccessChecks"] : OPTIONS,
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(60_000);
  if (process.env.BOARD_FILES === "1") await fromFolder(context);
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Opens the page of a server; `faults` collects what no page may do. */
export async function open(context, url, { ignore = null } = {}) {
  const page = await context.newPage();
  // Each test begins with nothing in the browser's store.
  await page.addInitScript(() => {
    if (!sessionStorage.fresh) localStorage.clear();
    sessionStorage.fresh = "yes";
  });
  const faults = [];
  const fault = (text) => !ignore?.test(text) && faults.push(text);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && fault(message.text()));
  page.on("pageerror", (error) => fault(String(error.stack ?? error)));
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (to.host !== new URL(url).host && !["data:", "blob:"].includes(to.protocol)) fault(`asks ${to.host}`);
  });
  page.on("websocket", (socket) => new URL(socket.url()).host !== new URL(url).host && fault(`talks to ${socket.url()}`));
  await page.goto(url);
  await page.waitForFunction(() => window.losange?.play.node.state, null, { timeout: 120_000 });
  return { page, faults };
}

/** Begins a game by the dialog. `clock`: {kind, minutes, period, count} in the words of its fields. */
export async function begin(page, { game, size = null, black = "Person", white = "Engine", seconds = 0.2, swap = null, handicap = null, clock = null }) {
  await page.click("#new");
  const dialog = page.locator("dialog");
  await dialog.getByText(game, { exact: true }).click();
  if (size) {
    await dialog.getByLabel("Columns").fill(String(size[0]));
    await dialog.getByLabel("Rows").fill(String(size[1]));
  }
  if (swap !== null) await dialog.getByLabel("Swap rule").setChecked(swap);
  const selects = dialog.locator("select:visible");
  const count = await selects.count();
  for (let i = 0; i < count; i++) {
    const name = await selects.nth(i).evaluate((node) => node.parentElement.textContent);
    if (/^(Black|Red|Player)/.test(name)) await selects.nth(i).selectOption({ label: black });
    if (/^(White|Blue)/.test(name)) await selects.nth(i).selectOption({ label: white });
  }
  if (handicap) await dialog.getByLabel("Handicap").selectOption(String(handicap));
  await dialog.getByLabel("Clock").selectOption({ label: clock?.kind ?? "No clock" });
  if (clock) {
    await dialog.getByLabel("Minutes").fill(String(clock.minutes));
    if (clock.period) await dialog.getByLabel(/^(Period, seconds|Seconds added)/).fill(String(clock.period));
    if (clock.count) await dialog.getByLabel(/^(Periods|Stones a period)$/).fill(String(clock.count));
  } else {
    await dialog.getByLabel("Seconds a move").fill(String(seconds));
  }
  await dialog.getByText("Play", { exact: true }).click();
  if (black === "Person" || white === "Person") await ready(page);
}

/** Waits until a person is to move or the game is over. */
export async function ready(page) {
  await page.waitForFunction(
    () => {
      const { play } = window.losange;
      return play.node.state && !play.thinking && (play.isOver || play.isPersons);
    },
    null,
    { timeout: 60_000, polling: 20 },
  );
}

/** What the page knows: side to move, legal moves, whether it is over, moves so far. */
export function look(page) {
  return page.evaluate(() => {
    const { play } = window.losange;
    const { state } = play.node;
    return { turn: state?.turn, legal: state?.legal ?? [], over: play.isOver, depth: play.node.depth, board: state?.board, moves: play.tree.path().map((node) => node.word) };
  });
}

/** Clicks the points of a move on the board. */
export async function click(page, move) {
  const places = await page.evaluate((word) => {
    const { play, board } = window.losange;
    return play.points.ofMove(word).map((point) => board.placeOf(point));
  }, move);
  for (const [x, y] of places) await page.mouse.click(x, y);
}
