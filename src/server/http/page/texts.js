// The board as text for screen readers, and the game in the browser's store.

import { FULL } from "./play.js";
import * as sgf from "./sgf.js";
import { h, say, set } from "./svg.js";
import { other } from "./tree.js";

const KEY = "losange-game";

/** Names of the sides: Hex is played in red and blue. */
export function sides({ grid }) {
  return grid === "hexagons" ? { B: "Red", W: "Blue" } : { B: "Black", W: "White" };
}

/** Name of a level for people. */
export function levelName(level) {
  if (level === FULL) return "Full strength";
  return /^\d+$/.test(level) ? `Level ${level}` : level;
}

/** What is at a point: {sign, words}; `names` are the sides'. */
export function contents(state, point, names) {
  const mark = state.board[point];
  const level = state.levels?.[point] ?? 0;
  const ground = ["", "level 1", "level 2", "level 3", "dome"][level];
  if (mark === "B" || mark === "W") {
    const height = state.heights?.[point] ?? 1;
    const words = [names[mark], ...(height > 1 ? [`tower of ${height}`] : []), ...(level ? [`on ${ground}`] : [])];
    return { sign: `${names[mark][0]}${height > 1 ? height : ""}${level ? `/${level}` : ""}`, words: words.join(", ") };
  }
  if (mark !== "?") return { sign: level ? `/${level}` : "·", words: ground || "empty" };
  return state.game === "amazons" ? { sign: "#", words: "burnt" } : { sign: "", words: "no square" };
}

/** A table of the position, made when it is first opened. */
export class TextBoard {
  constructor(details) {
    this.details = details;
    this.box = details.querySelector("div");
    details.addEventListener("toggle", () => this.draw());
  }

  begin(points) {
    this.points = points;
    this.cells = null;
    this.box.replaceChildren();
  }

  show(state, names) {
    this.state = state;
    this.names = names;
    this.draw();
  }

  draw() {
    if (!this.details.open || !this.state) return;
    const { points, state, names } = this;
    if (!this.cells) this.make();
    this.cells.forEach((cell, point) => {
      const { sign, words } = contents(state, point, names);
      say(cell, sign);
      if (sign === "·" || sign === "") cell.removeAttribute("aria-label");
      else set(cell, "aria-label", `${points.name(point)} ${words}`);
    });
  }

  make() {
    const { points } = this;
    this.cells = [];
    const columns = [...Array(points.width).keys()].map((x) => h("th", { scope: "col", textContent: points.column(x) }));
    const rows = [...Array(points.height).keys()].map((y) => {
      const cells = [...Array(points.width).keys()].map(() => h("td"));
      this.cells.push(...cells);
      return h("tr", {}, h("th", { scope: "row", textContent: points.row(y) }), ...cells);
    });
    this.box.replaceChildren(h("table", {}, h("caption", { textContent: "The position" }), h("tr", {}, h("td"), ...columns), ...rows));
  }
}

/** The game as SGF, with the names of who plays. */
export function record(play) {
  const names = { B: play.players.B === "engine" ? "Losange" : "", W: play.players.W === "engine" ? "Losange" : "" };
  const { game, size, komi, rules, swap, tree, clock } = play;
  return sgf.write({ game, size, komi, rules, swap, tree, clock, names, result: result(tree) });
}

/** How the main line ended, as far as it is known without the engine; null otherwise. */
function result(tree) {
  let { root: node } = tree;
  while (node.children.length) [node] = node.children;
  if (node.flagged) return `${other(node.flagged)}+Time`;
  if (node.resigned) return `${other(node.resigned)}+Resign`;
  const winner = node.state?.end?.winner;
  return node.finalScore ?? (winner ? `${winner}+` : null);
}

/** Puts the game and its settings into the browser's store. */
export function keep(play) {
  const { players, seconds, clock, level, model, analysing, teaching, heat, swap, paused } = play;
  const pathTo = (node) => play.tree.path(node).slice(1).map((at) => at.parent.children.indexOf(at));
  const ends = [];
  play.tree.each((node) => {
    const { resigned, flagged, finalScore } = node;
    if (resigned || flagged || finalScore) ends.push([pathTo(node), { resigned, flagged, finalScore }]);
  });
  const thought = clock && [play.turn, play.timer.used(play.node, play.turn)];
  const told = play.tree.info.RE ?? null;
  try {
    localStorage.setItem(KEY, JSON.stringify({ options: { players, seconds, clock, level, model, analysing, teaching, heat, paused }, swap, path: pathTo(play.node), ends, thought, told, sgf: record(play) }));
  } catch {
    // The store is full or forbidden: the game lives on in the page.
  }
}

/** The game of the store, as a record is read; null where there is none. */
export function recall(games) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (!kept) return null;
    const game = sgf.read(kept.sgf, games);
    const at = (path) => path.reduce((node, index) => node.children[index] ?? node, game.tree.root);
    game.tree.go(at(kept.path));
    for (const [path, end] of kept.ends ?? []) Object.assign(at(path), end);
    // The end that the page knew is known again, and may not be that of other moves.
    if (kept.told === null) delete game.tree.info.RE;
    else if (kept.told) game.tree.info.RE = kept.told;
    return { ...game, swap: kept.swap, thought: kept.thought, options: { paused: true, ...kept.options } };
  } catch {
    return null;
  }
}
