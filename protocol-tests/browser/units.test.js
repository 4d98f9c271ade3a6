// Parts of the page that need no browser: records, links, trees, reports.

import assert from "node:assert/strict";
import test from "node:test";

import * as clocks from "../../src/server/http/page/clock.js";
import { contentsOf, wordOf } from "../../src/server/http/page/contents.js";
import * as hexworld from "../../src/server/http/page/hexworld.js";
import { Progress, parseCells, parseConnections } from "../../src/server/http/page/inside.js";
import { positionLines } from "../../src/server/http/page/play.js";
import { Points } from "../../src/server/http/page/points.js";
import * as records from "../../src/server/http/page/records.js";
import { better, judge, parseReport, valuesOf } from "../../src/server/http/page/reports.js";
import * as sgf from "../../src/server/http/page/sgf.js";
import { Timer } from "../../src/server/http/page/timer.js";
import { Tree, other, way } from "../../src/server/http/page/tree.js";

const GAMES = [
  { word: "go", name: "Go", players: 2, boards: [2, 25], usual: [19, 19], grid: "lines", letters: "gtp", points: 1, sgf: 1 },
  { word: "hex", name: "Hex", players: 2, boards: [1, 32], usual: [11, 11], grid: "hexagons", letters: "htp", points: 1, sgf: 11 },
  { word: "clobber", name: "Clobber", players: 2, boards: [1, 10], usual: [6, 5], grid: "cells", letters: "gtp", points: 2, sgf: null },
  { word: "avalam", name: "Avalam", players: 2, boards: [9, 9], usual: [9, 9], grid: "cells", letters: "gtp", points: 2, sgf: null },
  { word: "amazons", name: "Amazons", players: 2, boards: [4, 10], usual: [10, 10], grid: "cells", letters: "gtp", points: 3, sgf: null },
  { word: "breakthrough", name: "Breakthrough", players: 2, boards: [4, 8], usual: [8, 8], grid: "cells", letters: "gtp", points: 2, sgf: null },
  { word: "loa", name: "Lines of Action", players: 2, boards: [4, 8], usual: [8, 8], grid: "cells", letters: "gtp", points: 2, sgf: null },
  { word: "gomoku", name: "Gomoku", players: 2, boards: [5, 20], usual: [15, 15], grid: "lines", letters: "gtp", points: 1, sgf: 4 },
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
    node.setup,
    node.children.map(one),
  ];
  return JSON.stringify([tree.setup, one(tree.root)]);
}

function someTree(game, size, below) {
  const points = new Points(game.letters, size);
  const point = () => points.name(below(points.count));
  // As they are written: what is empty, black, white, and else.
  const words = [".", "B", "W", ...(game.sgf === null ? ["burnt", "2", "W3"] : [])];
  const some = (from) => ({ turn: "BW"[below(2)], stones: words.slice(from).filter(() => below(2)).map((word) => [word, point()]) });
  const tree = new Tree(below(3) === 0 ? some(1) : null);
  const nodes = [tree.root];
  for (let i = below(60); i > 0; i--) {
    const parent = nodes[below(3) === 0 ? below(nodes.length) : nodes.length - 1];
    const word = game.points > 1 ? Array.from({ length: game.points }, point).join("-") : below(12) === 0 && game === GO ? "pass" : point();
    const turn = parent.turn(game.players, tree.first);
    const setup = below(8) === 0 ? some(0) : null;
    // A set-up changes something: if not points, the turn.
    if (setup?.stones.length === 0) setup.turn = other(turn);
    const node = setup ? tree.edit(parent, setup) : tree.child(parent, turn, word);
    if (below(5) === 0) node.comment = "a ] comment \\ with: [brackets]\nand a line";
    if (below(5) === 0) node.marks.set(point(), ["TR", "SQ", "CR", "MA", "SL"][below(5)]);
    if (below(5) === 0) node.marks.set(point(), "A:]"[below(3)]);
    if (below(4) === 0) node.values = { winrate: below(1000) / 1000, score: 1.5, visits: below(999), proven: null, moves: [{ move: word, winrate: 0.5, score: 0, visits: 1, proven: "B", pv: [word] }] };
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
    assert.deepEqual(back.tree.info, { PB: "a]b" });
    if (game === GO) assert.deepEqual([back.komi, back.rules], [6.5, "japanese"]);
  }
});

test("long games are read and written without recursion", () => {
  const tree = new Tree();
  let node = tree.root;
  for (let i = 0; i < 20_000; i++) node = tree.child(node, i % 2 ? "W" : "B", "pass");
  const text = sgf.write({ game: GO, size: [19, 19], komi: null, rules: null, tree });
  assert.equal(sgf.read(text, GAMES).tree.line().length, 20_001);
  assert.throws(() => sgf.parse("(".repeat(100_000)), /ends too early/);
});

test("records of other programs", () => {
  const playhex = sgf.read("(;FF[4]CA[UTF-8]AP[PlayHex:0.0.0]GM[11]SZ[11]PB[a]PW[b];B[a2];W[swap-pieces];B[f6])", GAMES);
  assert.deepEqual(playhex.tree.line().map((n) => n.word), [null, "a2", "swap-pieces", "f6"]);
  assert.equal(playhex.swap, true);
  assert.deepEqual(["", "RU[swap]", "RU[Other]"].map((rules) => sgf.read(`(;GM[11]SZ[5]${rules};B[a2];W[c3])`, GAMES).swap), [false, true, false]);
  const golem = sgf.read("(;FF[4]EV[hex.ch.32.2.1]PB[a]PW[b]SZ[13]RE[B];W[am];B[swap];W[gg];B[resign])", GAMES);
  assert.deepEqual(golem.tree.line().map((n) => [n.colour, n.word]).slice(1), [["B", "a13"], ["W", "swap-pieces"], ["B", "g7"]]);
  assert.deepEqual(golem.tree.info, { PB: "b", PW: "a", EV: "hex.ch.32.2.1", RE: "W" });
  const nameless = sgf.read("(;FF[4]EV[null]PB[lazy\\\\player]PW[Shu;]]SZ[11]RE[B]SO[https://www.littlegolem.net];W[ad];B[swap];W[eg];B[resign])", GAMES);
  assert.deepEqual([nameless.game, nameless.tree.info.PB, nameless.tree.line().map((n) => n.word).slice(1)], [HEX, "Shu;]", ["a4", "swap-pieces", "e7"]]);
  const amazons = sgf.read("(;EV[null]SO[http://www.littlegolem.com];W[j4-g7/d7];B[g10-h9/g8];W[g7-i9/i8])", GAMES);
  assert.deepEqual([amazons.game.word, ...amazons.tree.line().slice(1).map((n) => n.colour + n.word)], ["amazons", "BK4-G7-D7", "WG10-H9-G8", "BG7-J9-J8"]);
  for (const [text, word] of [["EV[go19.ch.10.4.3]SO[http://www.littlegolem.com];B[pd];W[pp]", "go"], ["EV[3rd Kisei];B[pd]", "go"], ["EV[Meijin.1];B[pd]", "go"]]) assert.equal(sgf.read(`(;SZ[19]${text})`, GAMES).game.word, word, text);
  assert.throws(() => sgf.read("(;FF[4]EV[havannah.in.size4.4]SZ[4]SO[http://www.littlegolem.com];W[E1])", GAMES), /does not play/);
  const gui = sgf.read("(;FF[4]AP[HexGui:0.9]GM[11]SZ[5];B[a2];W[swap-sides];W[b2];B[pass];W[c3])", GAMES);
  assert.deepEqual(gui.tree.line().map((n) => n.colour + n.word).slice(1), ["Ba2", "Wb2", "Wc3"]);
  const go = sgf.read("(;GM[1]SZ[9]HA[2]AB[cc:dd]KM[0.5]RU[Japanese];W[ee];B[tt];W[])", GAMES);
  assert.deepEqual([go.tree.setup.turn, go.tree.setup.stones.length], ["W", 4]);
  assert.deepEqual(go.tree.line().map((n) => n.word), [null, "E5", "pass", "pass"]);
  const komi = (told) => sgf.read(`(;GM[1]SZ[19]${told};B[aa])`, GAMES).komi;
  assert.deepEqual(["KM[6,5]", "AP[foxwq]KM[375]", "AP[foxwq]KM[650]", "KM[375]", "KM[99999]", ""].map(komi), [6.5, 7.5, 6.5, 375, null, null]);
  const fox = sgf.read("(;GM[1]SZ[19]AP[foxwq]KM[0]HA[3];W[dd])", GAMES);
  assert.deepEqual([fox.tree.setup.turn, fox.tree.setup.stones.map(([, point]) => point)], ["W", ["D4", "Q16", "D16"]]);
  const gomoku = sgf.read("(;FF[4]GM[4]SZ[15];B[hh];W[H9];B[aa])", GAMES);
  assert.deepEqual(gomoku.tree.line().map((n) => n.word), [null, "H8", "H9", "A15"]);
  const own = sgf.read("(;FF[4]LG[clobber]SZ[5];LB[A5-A4];LW[D5-C5])", GAMES);
  assert.deepEqual(own.tree.line().map((n) => n.word), [null, "A5-A4", "D5-C5"]);
});

test("records of Little Golem's that are no SGF", () => {
  const record = (event, result, moves) => `[Event "Tournament ${event}"] \n[Site "www.littlegolem.net"] \n[White "an \"(n"] \n[Black "Bo"] \n[Result "${result}"] \n${moves} ${result}\n`;
  const told = (text) => {
    const { game, tree } = records.read(text, { games: GAMES });
    return [game.word, ...tree.line().slice(1).map((node) => node.colour + node.word)];
  };
  const breakthrough = record("brkthr.ch.18.1.1", "0-1", "1. e2-e3 d7-d6 2. e3-d4 d6-e5 3. d4xe5 resign");
  assert.deepEqual(told(breakthrough), ["breakthrough", "BE2-E3", "WD7-D6", "BE3-D4", "WD6-E5", "BD4-E5"]);
  assert.deepEqual(records.read(breakthrough, { games: GAMES }).tree.info, { PB: 'an "(n', PW: "Bo", EV: "Tournament brkthr.ch.18.1.1", SO: "www.littlegolem.net", RE: "W+Resign" });
  // The first of several.
  assert.equal(told(`${breakthrough}\n${breakthrough}`).length, 6);
  assert.deepEqual(told(record("loa.mc.2013.jul.2.1", "*", "1. f1-f3 a5-c7")), ["loa", "BF1-F3", "WA5-C7"]);
  assert.deepEqual(["a2-b3", "b1-b3"].map((move) => told(record("null", "1-0", `1. ${move}`))[0]), ["breakthrough", "loa"]);
  assert.equal(told(record("brkthr.in.1.1", "1-0", "").replaceAll("\n", "\r\n")).length, 1);
  assert.equal(records.isLikely(breakthrough, null), true);
  for (const [event, moves] of [["chess.ch.1.1.1", "1. e2-e4"], ["brkthr.ch.1.1.1", "1. z2-z3"], ["loa.ch.1.1.1", "1. e4"]]) {
    assert.throws(() => told(record(event, "1-0", moves)), /does not play|is no move/);
  }
  assert.throws(() => told('[Event "x"'), /broken/);
});

test("texts that are no SGF", () => {
  const hex = { games: GAMES, game: HEX, points: new Points("htp", [11, 11]), size: [11, 11], komi: null, rules: null, swap: false };
  const words = (text) => records.read(text, hex).tree.line().slice(1).map((node) => `${node.colour} ${node.word}`).join(", ");
  assert.equal(words("a5 swap-pieces d4 f7"), "B a5, W swap-pieces, B d4, W f7");
  assert.equal(words("a5d7f3i11"), "B a5, W d7, B f3, W i11");
  assert.equal(words("1. a5 2. d7 3.f3"), "B a5, W d7, B f3");
  assert.equal(words("a5 pass d4"), "B a5, B d4");
  assert.equal(words("https://HexWorld.org/board/#11c1,a5:sd4"), "B a5, W swap-pieces, B d4");
  const clobber = { ...hex, game: GAMES[2], points: new Points("gtp", [6, 5]), size: [6, 5] };
  assert.equal(records.read("A1-B1 B2-C2", clobber).tree.line().at(-1).word, "B2-C2");
  const refused = [
    ["https://playhex.org/games/0d1f8e8c-3000-49ff-831a-84c20e514528", /asks no other host.*PlayHex.*SGF/],
    ["https://www.littlegolem.net/jsp/game/game.jsp?gid=1512976", /Little Golem/],
    ["http://example.org/a.sgf", /example\.org/],
    ["www.playhex.org/x", /PlayHex/],
    ["https://evil-playhex.org/x", /nothing was read from evil-playhex\.org/],
    ["hello there", /no SGF/],
    ["a5 z9", /no SGF/],
    ["", /no SGF/],
  ];
  for (const [text, why] of refused) assert.throws(() => records.read(text, hex), why, text);
  const likely = (text) => records.isLikely(text, hex.points);
  assert.deepEqual(["(;GM[11])", "https://playhex.org/games/1", "a5 b6", "a5b6", "a5", "hello", ""].map(likely), [true, true, true, true, false, false, false]);
});

test("broken records are refused with words", () => {
  for (const text of ["", "(", "(;", "(;B[aa)", "(;B)", "hello", "(;GM[1]SZ[9];B[zz])", "(;GM[11]SZ[99])", "(;GM[2])", "(;GM[1]SZ[9];B[aa];AB[zz])", "(;LG[amazons]SZ[4];LA[aa])", "(;LG[amazons]SZ[4]LA[aa:burn])"]) {
    assert.throws(() => sgf.read(text, GAMES), (error) => error.message.length > 10 && !/undefined|null/.test(error.message), text);
  }
});

test("values of a record are only had where they are whole", () => {
  const best = { move: "a2", winrate: 0.5, score: 0, visits: 3, proven: null, pv: ["a2", "b3"] };
  const whole = { winrate: 0.5, score: 0, visits: 9, proven: "W", moves: [best] };
  const read = (values) => sgf.read(`(;GM[11]SZ[5]LOSANGE[${JSON.stringify(values).replaceAll("]", "\\]")}];B[a2])`, GAMES).tree.root.values;
  assert.deepEqual(read(whole), whole);
  assert.deepEqual(read({ ...whole, moves: [] }).moves, []);
  for (const wrong of [5, "x", null, [], {}, { ...whole, winrate: "1" }, { ...whole, proven: "x" }, { ...whole, moves: "abc" }, { ...whole, moves: [5] }, { ...whole, moves: [{ ...best, pv: 1 }] }]) {
    assert.equal(read(wrong), null, JSON.stringify(wrong));
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

test("records whose points change within the game", () => {
  const read = (text) => sgf.read(text, GAMES);
  const told = (text) => read(text).tree.line().slice(1).map((node) => (node.setup ? `${node.setup.turn}:${node.setup.stones.flat().join(" ")}` : node.colour + node.word));
  assert.deepEqual(told("(;GM[1]SZ[9];B[aa];AE[aa]AB[bb:cb]AW[ii];B[cc])"), ["BA9", "B:. A9 B B8 B C8 W J1", "BC7"]);
  // The turn: as it is said, of the move that follows, or of who was to move.
  assert.deepEqual(told("(;GM[1]SZ[9];B[aa];AB[bb]PL[B];W[cc])"), ["BA9", "B:B B8", "WC7"]);
  assert.deepEqual(told("(;GM[1]SZ[9];B[aa];AB[bb])"), ["BA9", "W:B B8"]);
  // Such a node that has a move too is two; a turn that is no news is none, nor is one of a node with a move.
  assert.deepEqual(told("(;GM[1]SZ[9];AB[bb]B[cc]PL[B];PL[W];W[dd]PL[W];PL[W];W[ee])"), ["B:B B8", "BC7", "WD6", "W:", "WE5"]);
  assert.deepEqual(told("(;GM[11]SZ[5];B[a1];AW[b2];B[c3])"), ["Ba1", "B:W b2", "Bc3"]);
  assert.deepEqual(told("(;LG[amazons]SZ[5];LB[A1-A2-A1];AE[ae]LA[bb:burnt][C3:BURNT])"), ["BA1-A2-A1", "W:. A1 burnt B4 burnt C3"]);
  const { tree } = read("(;GM[1]SZ[9];B[aa];AB[bb]C[here]TR[cc];W[cc](;B[dd])(;B[ee]))");
  const [, first, here, third] = tree.line();
  assert.deepEqual([first, here, third].map((node) => [node.depth, node.number]), [[1, 1], [2, 1], [3, 2]]);
  assert.deepEqual([here.comment, [...here.marks], third.children.length], ["here", [["C7", "TR"]], 2]);
  // The engine takes no set-up back.
  const undone = (from, to) => way(from, to)?.undo ?? null;
  assert.deepEqual([undone(third, here), undone(third, first), undone(here, tree.root), undone(first, third), undone(third.children[0], third.children[1])], [1, null, null, 0, 1]);
  assert.deepEqual(positionLines(tree, third), ["clear_board", "gogui-play_sequence B A9", "losange-edit W B B8", "gogui-play_sequence W C7"]);
  assert.equal(hexworld.link([5, 5], read("(;GM[11]SZ[5];B[a1];AW[b2];B[c3])").tree), null);
});

test("starts that are set up", () => {
  const setup = (text) => sgf.read(text, GAMES).tree.setup;
  assert.deepEqual(setup("(;LG[amazons]SZ[4]AB[ad]AW[da]LA[ac:burnt]PL[B])"), { turn: "B", stones: [["B", "A1"], ["W", "D4"], ["burnt", "A2"]] });
  assert.deepEqual(setup("(;LG[avalam]LA[ca:B5][cb:w2])"), { turn: "B", stones: [["B5", "C9"], ["W2", "C8"]] });
  assert.deepEqual(setup("(;LG[avalam]AE[aa]PL[W])"), { turn: "W", stones: [] });
  // The pieces of a new game, the other side to move; and a property that means something else.
  assert.deepEqual(setup("(;GM[4]SZ[9]PL[W])"), { turn: "W", stones: null });
  assert.equal(setup("(;GM[1]SZ[9]LA[English]PL[B])"), null);
  const gomoku = sgf.read("(;GM[4]SZ[9]PL[W];W[aa])", GAMES);
  assert.deepEqual(positionLines(gomoku.tree, gomoku.tree.root.children[0]), ["clear_board", "losange-edit W", "gogui-play_sequence W A9"]);
  // Points and moves stand as the engine reads them.
  assert.match(sgf.write({ ...gomoku, names: {} }), /PL\[W\]\n;W\[aa\]/);
  const clobber = sgf.read("(;LG[clobber]SZ[3]AB[A1]AW[ba];LB[A1-A2])", GAMES);
  assert.match(sgf.write({ ...clobber, names: {} }), /AB\[ac\]AW\[ba\]PL\[B\]\n;LB\[A1-A2\]/);
});

test("what stands on a board is told in words", () => {
  const points = new Points("gtp", [2, 2]);
  const state = { board: "B?.W", heights: [3, 0, 0, 1], levels: [0, 0, 2, 1] };
  assert.deepEqual(contentsOf(state, { burns: false }, points), [["B3", "A2"], ["2", "A1"], ["1", "B1"], ["W", "B1"]]);
  assert.deepEqual(contentsOf({ board: "B?.W", heights: null, levels: null }, { burns: true }, points), [["B", "A2"], ["burnt", "B2"], ["W", "B1"]]);
  assert.deepEqual(["b", "W", "w4", "2", "Burnt", ".", "b1", "0", "x", ""].map(wordOf), ["B", "W", "W4", "2", "burnt", ".", null, null, null, null]);
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
  assert.deepEqual([tree.root, b, d].map((node) => tree.has(node)), [true, true, true]);
  tree.remove(c);
  assert.deepEqual([tree.root, b, c, d, new Tree().root].map((node) => tree.has(node)), [true, true, false, false, false]);
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

test("what is known of a position is not lost", () => {
  const values = (visits, proven = null) => ({ winrate: 0.5, score: 0, visits, proven, moves: [] });
  assert.equal(better(null, values(1)).visits, 1);
  assert.equal(better(values(9), values(5)).visits, 9);
  assert.equal(better(values(9), values(9, "W")).proven, "W");
  assert.deepEqual(better(values(9, "W"), values(5)), { ...values(5, "W"), winrate: 0 });
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

test("clocks by each system", () => {
  const absolute = { kind: "absolute", main: 60 };
  assert.deepEqual(clocks.full(absolute), { time: 60, count: 0 });
  assert.deepEqual(clocks.after(absolute, { time: 60, count: 0 }, 59), { time: 1, count: 0 });
  assert.equal(clocks.after(absolute, { time: 60, count: 0 }, 60), null);

  const fischer = { kind: "fischer", main: 60, period: 5 };
  assert.deepEqual(clocks.rested(fischer, clocks.after(fischer, { time: 60, count: 0 }, 2)), { time: 63, count: 0 });
  assert.equal(clocks.after(fischer, { time: 3, count: 0 }, 4), null);

  const byoyomi = { kind: "byoyomi", main: 60, period: 10, count: 3 };
  const later = (left, seconds) => clocks.after(byoyomi, left, seconds);
  assert.deepEqual(later({ time: 60, count: 0 }, 61), { time: 9, count: 3 });
  assert.deepEqual(later({ time: 60, count: 0 }, 75), { time: 5, count: 2 });
  assert.deepEqual(later({ time: 10, count: 2 }, 12), { time: 8, count: 1 });
  assert.deepEqual(clocks.rested(byoyomi, later({ time: 10, count: 2 }, 12)), { time: 10, count: 1 });
  assert.equal(later({ time: 10, count: 2 }, 20), null);
  assert.equal(clocks.remaining(byoyomi, { time: 60, count: 0 }), 90);
  assert.equal(clocks.remaining(byoyomi, { time: 4, count: 2 }), 14);
  assert.deepEqual(clocks.full({ ...byoyomi, main: 0 }), { time: 10, count: 3 });

  const canadian = { kind: "canadian", main: 60, period: 30, count: 2 };
  assert.deepEqual(clocks.after(canadian, { time: 60, count: 0 }, 70), { time: 20, count: 2 });
  assert.equal(clocks.after(canadian, { time: 60, count: 0 }, 90), null);
  assert.deepEqual(clocks.rested(canadian, { time: 20, count: 2 }), { time: 20, count: 1 });
  assert.deepEqual(clocks.rested(canadian, { time: 20, count: 1 }), { time: 30, count: 2 });
  assert.equal(clocks.after(canadian, { time: 20, count: 1 }, 20), null);
});

test("clocks over random games never gain what was not given", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const below = random(seed);
    const kind = ["absolute", "byoyomi", "canadian", "fischer"][below(4)];
    const system = { kind, main: 10 + below(50), period: 1 + below(20), count: 1 + below(5) };
    let left = clocks.full(system);
    let given = clocks.remaining(system, left);
    for (let move = 0; move < 50; move++) {
      const seconds = below(60) / 10;
      const limit = clocks.remaining(system, left);
      const then = clocks.after(system, left, seconds);
      assert.equal(then === null, seconds >= limit - 1e-9, `${JSON.stringify(system)} ${JSON.stringify(left)} ${seconds}`);
      if (!then) break;
      assert.ok(Math.abs(clocks.remaining(system, then) + seconds - limit) < 1e-9);
      left = clocks.rested(system, then);
      given += system.period;
      assert.ok(clocks.remaining(system, left) <= given && left.time >= 0 && left.count <= system.count);
    }
  }
});

test("clocks are told to people, the engine and records", () => {
  const byoyomi = { kind: "byoyomi", main: 60, period: 10, count: 3 };
  const shown = (time, count) => clocks.show(byoyomi, { time, count });
  assert.deepEqual([shown(3599.2, 0), shown(65, 0), shown(9.98, 3), shown(0, 1)], ["60:00", "1:05", "0:09.9 × 3", "0:00.0 × 1"]);
  assert.equal(clocks.show({ ...byoyomi, kind: "canadian" }, { time: 30, count: 5 }), "0:30 / 5");
  const low = (time, count) => clocks.isLow(byoyomi, { time, count });
  assert.deepEqual([low(5, 0), low(5, 2), low(5, 1), low(15, 1)], [false, false, true, false]);
  assert.equal(clocks.settings(byoyomi), "kata-time_settings byoyomi 60 10 3");
  assert.equal(clocks.settings({ kind: "fischer", main: 60, period: 2, count: 3 }), "kata-time_settings fischer 60 2");
  assert.equal(clocks.settings({ kind: "absolute", main: 60, period: 2, count: 3 }), "kata-time_settings absolute 60");
  const tree = new Tree({ turn: "W", stones: [["B", "C3"], ["B", "G7"]], handicap: true });
  tree.child(tree.root, "W", "E5").left = { time: 9.5, count: 2 };
  const text = sgf.write({ game: GO, size: [9, 9], komi: 0.5, rules: "japanese", tree, result: "W+Time", clock: byoyomi });
  assert.match(text, /RE\[W\+Time\]TM\[60\]OT\[3x10 byo-yomi\]HA\[2\]AB\[cg\]\[gc\]PL\[W\].*;W\[ee\]WL\[9\.50\]OW\[2\]/s);
  const back = sgf.read(text, GAMES).tree;
  assert.deepEqual([back.setup, back.root.children[0].left], [tree.setup, { time: 9.5, count: 2 }]);
});

test("the solver's words are read", () => {
  assert.deepEqual(parseCells("a1 fdb b2 fcw c3 id[d4] e5 x"), [
    { point: "a1", kind: "dead", colour: "B" },
    { point: "b2", kind: "captured", colour: "W" },
    { point: "c3", kind: "dominated", by: "d4" },
    { point: "e5", kind: "outside" },
  ]);
  assert.deepEqual(parseCells(""), []);
  assert.deepEqual(parseConnections("black north south full h-search [ a1 b2 ] [ ]\nwhite west east semi h-search [ c3 ] [ ] c3\nblack north south full h-search [ ] [ ]"), [
    { full: true, carrier: ["a1", "b2"], key: null },
    { full: false, carrier: ["c3"], key: "c3" },
    { full: true, carrier: [], key: null },
  ]);
  const progress = new Progress();
  const whole = ["gogui-gfx:", "dfpn", "VAR B d4 W c5", "LABEL d4 12@2k c5 L", "TEXT 3021 states, 1.5 s", ""].map((line) => progress.take(line));
  assert.deepEqual(whole, [false, false, false, false, true, false]);
  assert.deepEqual([progress.line, progress.text], [["d4", "c5"], "3021 states, 1.5 s"]);
  assert.deepEqual(progress.labels, [{ point: "d4", kind: "open", mine: "12", theirs: "2k" }, { point: "c5", kind: "lost", mine: "", theirs: "" }]);
});

test("records are read in the character set that they name", () => {
  const bytes = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  for (const [text, wanted] of [
    ["(;CA[ISO-2022-JP]C[\x1b$B1&\x1b(B])", "(;CA[ISO-2022-JP]C[右])"],
    ["(;CA[Shift_JIS]C[\x95\x5c])", "(;CA[Shift_JIS]C[表])"],
    ["(;PB[M\xfcller])", "(;PB[Müller])"],
    ["(;CA[no such set]PB[M\xfcller])", "(;CA[no such set]PB[Müller])"],
    ["(;CA[Shift_JIS]PB[\xe6\x9f\xaf])", "(;CA[Shift_JIS]PB[柯])"],
  ]) {
    assert.equal(records.textOf(bytes(text)), wanted);
  }
});

test("comments of nodes without a move, and of variations that begin alike, stay beside one another", () => {
  const { tree } = sgf.read("(;GM[1]SZ[9];B[dd]C[about D6];C[later];W[ee](;B[cc]C[one])(;B[cc]C[two];W[gg]))", GAMES);
  const [first] = tree.root.children;
  assert.equal(first.comment, "about D6\n\nlater");
  const [second] = first.children;
  assert.deepEqual(second.children.map(({ comment }) => comment), ["one\n\ntwo"]);
  assert.equal(second.children[0].children[0].word, "G3");
  const resigned = sgf.read("(;GM[11]SZ[5];B[a1]C[good];W[resign]C[gives up])", GAMES);
  assert.equal(resigned.tree.root.children[0].comment, "good\n\ngives up");
});

test("a move in the root of a record is played", () => {
  const { tree } = sgf.read("(;GM[1]FF[4]SZ[9]B[dd]C[first];W[ee];B[cc])", GAMES);
  assert.deepEqual(tree.line().map(({ word }) => word), [null, "D6", "E5", "C7"]);
  assert.equal(tree.root.children[0].comment, "first");
});

test("a clock that was stopped goes on with what was left", async () => {
  const timer = new Timer(() => {}, () => {});
  const tree = new Tree();
  timer.begin({ kind: "absolute", main: 5, period: 0, count: 0 });
  const left = () => timer.now(tree.root, "B").time;
  timer.run(tree.root, "B");
  await new Promise((done) => setTimeout(done, 60));
  timer.stop();
  const stopped = left();
  assert.ok(stopped < 4.95 && stopped > 4, `${stopped} s`);
  await new Promise((done) => setTimeout(done, 30));
  assert.equal(left(), stopped);
  timer.run(tree.root, "B");
  await new Promise((done) => setTimeout(done, 30));
  assert.ok(left() < stopped - 0.02, `${left()} s`);
  const child = tree.child(tree.root, "B", "A1");
  timer.moved(tree.root, child);
  assert.ok(child.left.time < stopped);
  timer.stop();
  assert.equal(timer.now(tree.root, "W").time, 5);
  // Another game begins with all of its time.
  timer.begin({ kind: "absolute", main: 5, period: 0, count: 0 });
  assert.equal(left(), 5);
});
