// Parts of the page that need no browser: records, links, trees, reports.

import assert from "node:assert/strict";
import test from "node:test";

import * as hexworld from "../../src/server/http/page/hexworld.js";
import { Points } from "../../src/server/http/page/points.js";
import { judge, parseReport, valuesOf, weakMove } from "../../src/server/http/page/reports.js";
import * as sgf from "../../src/server/http/page/sgf.js";
import { Tree, other, way } from "../../src/server/http/page/tree.js";

const GAMES = [
  { word: "go", name: "Go", players: 2, boards: [2, 25], usual: [19, 19], grid: "lines", letters: "gtp", points: 1, sgf: 1 },
  { word: "hex", name: "Hex", players: 2, boards: [1, 32], usual: [11, 11], grid: "hexagons", letters: "htp", points: 1, sgf: 11 },
  { word: "clobber", name: "Clobber", players: 2, boards: [1, 10], usual: [6, 5], grid: "cells", letters: "gtp", points: 2, sgf: null },
  { word: "avalam", name: "Avalam", players: 2, boards: [9, 9], usual: [9, 9], grid: "cells", letters: "gtp", points: 2, sgf: null },
];
const [GO, HEX] = GAMES;

/** Random numbers below n, always the same. */
function random(seed) {
  let state = seed * 2654435761 + 1;
  return (n) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * n);
  };
}

/** A tree as text: moves, comments, marks and values of all variations. */
function told(tree) {
  const one = (node) => [
    node.colour,
    node.word,
    node.comment,
    [...node.marks].sort(),
    node.values,
    node.children.map(one),
  ];
  return JSON.stringify([tree.setup, one(tree.root)]);
}

function someTree(game, size, below) {
  const points = new Points(game.letters, size);
  const point = () => points.name(below(points.count));
  const stones = game === GO && below(3) === 0 ? [["B", point()], ["W", point()]] : [];
  const tree = new Tree(stones.length && stones[0][1] !== stones[1][1] ? { turn: "W", stones } : null);
  const nodes = [tree.root];
  for (let i = below(60); i > 0; i--) {
    const parent = nodes[below(3) === 0 ? below(nodes.length) : nodes.length - 1];
    const word = game.points === 2 ? `${point()}-${point()}` : below(12) === 0 && game === GO ? "pass" : point();
    const node = tree.child(parent, parent.colour ? other(parent.colour) : tree.first, word);
    if (below(5) === 0) node.comment = "a ] comment \\ with: [brackets]\nand a line";
    if (below(5) === 0) node.marks.set(point(), ["TR", "SQ", "CR", "MA"][below(4)]);
    if (below(5) === 0 && game.sgf !== null) node.marks.set(point(), "A:]"[below(3)]);
    if (below(4) === 0) node.values = { winrate: below(1000) / 1000, score: 1.5, visits: below(999), proven: null, moves: [{ move: word, pv: [word] }] };
    if (!nodes.includes(node)) nodes.push(node);
  }
  return tree;
}

test("200 records with variations go to SGF and back", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const below = random(seed);
    const game = GAMES[below(GAMES.length)];
    const size = game.word === "go" || game.word === "hex" ? [5 + below(20), 5 + below(20)] : game.usual;
    const tree = someTree(game, size, below);
    const text = sgf.write({ game, size, komi: game === GO ? 6.5 : null, rules: game === GO ? "japanese" : null, tree, names: { B: "a]b", W: "" } });
    const back = sgf.read(text, GAMES);
    assert.equal(back.game, game);
    assert.deepEqual(back.size, size);
    assert.equal(told(back.tree), told(tree), `seed ${seed}\n${text}`);
    assert.equal(back.names.B, "a]b");
    if (game === GO) assert.deepEqual([back.komi, back.rules], [6.5, "japanese"]);
  }
});

test("long games are read and written without recursion", () => {
  const tree = new Tree();
  let node = tree.root;
  for (let i = 0; i < 20_000; i++) node = tree.child(node, i % 2 ? "W" : "B", "pass");
  const text = sgf.write({ game: GO, size: [19, 19], komi: null, rules: null, tree, names: null });
  assert.equal(sgf.read(text, GAMES).tree.line().length, 20_001);
  assert.throws(() => sgf.parse("(".repeat(100_000)), /ends too early/);
});

test("records of other programs", () => {
  const playhex = sgf.read("(;FF[4]CA[UTF-8]AP[PlayHex:0.0.0]GM[11]SZ[11]PB[a]PW[b];B[a2];W[swap-pieces];B[f6])", GAMES);
  assert.deepEqual(playhex.tree.line().map((n) => n.word), [null, "a2", "swap-pieces", "f6"]);
  assert.equal(playhex.swap, true);
  const golem = sgf.read("(;FF[4]EV[hex.ch.32.2.1]PB[a]PW[b]SZ[13]RE[B];W[am];B[swap];W[gg];B[resign])", GAMES);
  assert.deepEqual(golem.tree.line().map((n) => [n.colour, n.word]).slice(1), [["B", "a13"], ["W", "swap-pieces"], ["B", "g7"]]);
  const go = sgf.read("(;GM[1]SZ[9]HA[2]AB[cc:dd]KM[0.5]RU[Japanese];W[ee];B[tt];W[])", GAMES);
  assert.deepEqual([go.tree.setup.turn, go.tree.setup.stones.length], ["W", 4]);
  assert.deepEqual(go.tree.line().map((n) => n.word), [null, "E5", "pass", "pass"]);
  const own = sgf.read("(;FF[4]LG[clobber]SZ[5];LB[A5-A4];LW[D5-C5])", GAMES);
  assert.deepEqual(own.tree.line().map((n) => n.word), [null, "A5-A4", "D5-C5"]);
});

test("broken records are refused with words", () => {
  for (const text of ["", "(", "(;", "(;B[aa)", "(;B)", "hello", "(;GM[1]SZ[9];B[zz])", "(;GM[11]SZ[99])", "(;GM[2])", "(;GM[1]SZ[9];B[aa];AB[bb])"]) {
    assert.throws(() => sgf.read(text, GAMES), (error) => error.message.length > 10 && !/undefined|null/.test(error.message), text);
  }
});

test("HexWorld links", () => {
  const words = (text) => hexworld.read(text).tree.line().slice(1).map((n) => `${n.colour} ${n.word}`).join(", ");
  assert.equal(words("9r9c1,e5g6c6i9b3"), "B e5, W g6, B c6, W i9, B b3");
  assert.equal(words("9r9c1,b3:sc6i9c4"), "B b3, W swap-pieces, B c6, W i9, B c4");
  assert.equal(words("19c1,i9:ph11:pk9"), "B i9, B h11, B k9");
  assert.equal(words("https://hexworld.org/board/#11c1,c2d4c6:rw"), "B c2, W d4, B c6");
  assert.equal(words("13r3mc1n,d10:Sj9:rb"), "B d10, W j9");
  assert.equal(words("6x5r9c1,:pf1:pe1c2c3b3a5e3"), "W f1, W e1, B c2, W c3, B b3, W a5, B e3");
  assert.equal(words("32,af32aa1"), "B af32, W aa1");
  const cursor = hexworld.read("11c1,h4e7f9,b9c3").tree;
  assert.equal(cursor.current.word, "f9");
  assert.equal(cursor.line().length, 6);
  assert.equal(hexworld.read("13,,d10j9d5").tree.current.word, null);
  for (const wrong of ["13,z9", "13,d10,j9,d5", "5,a1a1"]) assert.throws(() => hexworld.read(wrong), undefined, wrong);
  for (const other of ["", "a5d7", "hello"]) assert.equal(hexworld.read(other), null, other);
  for (const text of ["11c1,h4e7f9,b9c3", "9c1,b3:sc6i9c4", "19c1,i9:ph11:pk9", "6x5c1,c2", "5c1,,a1b2"]) {
    const { size, tree } = hexworld.read(text);
    assert.equal(hexworld.link(size, tree), `https://hexworld.org/board/#${text}`);
  }
});

test("ways through a tree", () => {
  const tree = new Tree();
  const a = tree.child(tree.root, "B", "A1");
  const b = tree.child(a, "W", "B1");
  const c = tree.child(a, "W", "C1");
  const d = tree.child(c, "B", "D1");
  const told = (from, to) => {
    const found = way(from, to);
    return found && [found.undo, found.play.map((node) => node.word).join("")];
  };
  assert.deepEqual(told(tree.root, d), [0, "A1C1D1"]);
  assert.deepEqual(told(d, b), [2, "B1"]);
  assert.deepEqual(told(b, d), [1, "C1D1"]);
  assert.deepEqual(told(d, tree.root), [3, ""]);
  assert.deepEqual(told(d, d), [0, ""]);
  assert.equal(told(d, new Tree().root), null);
  tree.go(d);
  tree.promote(d);
  assert.deepEqual(tree.line().map((node) => node.word), [null, "A1", "C1", "D1"]);
  tree.remove(c);
  assert.equal(tree.current, a);
  assert.deepEqual(a.children, [b]);
});

test("points have the engine's names", () => {
  const go = new Points("gtp", [19, 19]);
  const hex = new Points("htp", [11, 11]);
  assert.deepEqual([go.name(0), go.name(360), go.point("J1"), go.point("I1")], ["A19", "T1", 350, null]);
  assert.deepEqual([hex.name(0), hex.point("i2"), hex.point("l1")], ["a1", 19, null]);
  assert.deepEqual(go.ofMove("A1-B2"), [342, 324]);
  assert.deepEqual(go.ofMove("pass"), []);
});

const LINE =
  "info move C3 visits 90 edgeVisits 90 utility 0.2 winrate 0.600000 scoreMean 1.5 scoreLead 1.5 prior 0.5 lcb 0.5 order 0 pv C3 D4 " +
  "info move D4 visits 10 winrate 0.450000 scoreLead -2.0 prior 0.1 order 1 provenWinner W pv D4 " +
  "rootInfo visits 101 winrate 0.58 scoreLead 1.2 weight 101.0 ownership 0.5 -1.000 0.1 1";

test("reports are read, and turned to Black's view", () => {
  const report = parseReport(LINE);
  assert.deepEqual(report.moves.map((m) => [m.move, m.visits, m.winrate, m.pv, m.proven]), [["C3", 90, 0.6, ["C3", "D4"], null], ["D4", 10, 0.45, ["D4"], "W"]]);
  assert.deepEqual([report.root.visits, report.ownership], [101, [0.5, -1, 0.1, 1]]);
  const white = valuesOf(report, "W");
  assert.deepEqual([white.winrate, white.score, white.moves[1].score], [0.4, -1.5, 2]);
});

test("moves are judged by what they lose", () => {
  const before = valuesOf(parseReport(LINE), "B");
  assert.deepEqual([judge(before, null, "B", "C3").kind, judge(before, null, "B", "D4").kind], ["best", "mistake"]);
  const after = (winrate) => ({ winrate, score: 0, visits: 500, proven: null, moves: [] });
  assert.deepEqual(
    [0.6, 0.58, 0.53, 0.45, 0.3].map((winrate) => judge(before, after(winrate), "B", "E5").kind),
    ["best", "good", "inaccuracy", "mistake", "blunder"],
  );
  assert.equal(judge(before, null, "B", "E5"), null);
  const won = { ...before, proven: "B" };
  assert.equal(judge(won, { ...after(0.59), proven: "W" }, "B", "E5").kind, "blunder");
});

test("weaker players choose worse moves more often", () => {
  const report = parseReport(LINE);
  const below = random(5);
  const often = (level) => Array.from({ length: 400 }, () => weakMove(report, level, () => below(1000) / 1000)).filter((move) => move === "D4").length;
  assert.ok(often(1) > often(5));
  assert.ok(often(9) < 4);
});
