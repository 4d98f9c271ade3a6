// Game records: SGF to trees and back. Games that SGF does not number are named by LG, and their moves by LB and LW.

import { overtime } from "./clock.js";
import { wordOf } from "./contents.js";
import * as fox from "./fox.js";
import { Points } from "./points.js";
import { areValues, better } from "./reports.js";
import { Tree, other } from "./tree.js";

const MARKS = ["TR", "SQ", "CR", "MA", "SL"];
/** What a record tells of the game itself; PB and PW are the players. */
const INFO = ["PB", "PW", "BR", "WR", "GN", "EV", "RO", "PC", "DT", "GC", "ON", "AN", "CP", "US", "SO", "RE"];
/** Of the sides, where LittleGolem calls them the other way. */
const SIDES = { PB: "PW", PW: "PB", BR: "WR", WR: "BR" };
/** Adds what has no property in SGF to a point: a word of set-ups behind a colon. */
const ADD = "LA";
/** Labels where LB is a move. */
const LABEL = "LABEL";
/** Rules of Hex with a swap. */
const SWAP_RULE = "swap";
const LARGEST_KOMI = 1000;
const MOST_NODES = 100_000;
/** Longest record, in letters. */
export const MOST_LETTERS = 8_000_000;

/** Nodes of SGF: {props: Map of name to values, children}. Throws an error that says where the text is wrong. */
export function parse(text) {
  let at = text.indexOf("(");
  if (at < 0) throw new Error("this is no SGF: there is no “(”");
  const wrong = (why) => new Error(`the SGF is broken at letter ${at + 1}: ${why}`);
  const blank = () => {
    while (at < text.length && /\s/.test(text[at])) at++;
  };
  let root = null;
  let count = 0;
  // Nodes that following variations go on from; and the last node.
  const open = [];
  let last = null;
  do {
    blank();
    const letter = text[at];
    if (letter === "(") {
      open.push(last);
      at++;
    } else if (letter === ")") {
      last = open.pop();
      at++;
    } else if (letter === ";") {
      at++;
      if (++count > MOST_NODES) throw wrong(`more than ${MOST_NODES} nodes`);
      const node = { props: properties(), children: [] };
      if (last) last.children.push(node);
      else if (!root) root = node;
      last = node;
    } else {
      throw wrong(letter === undefined ? "it ends too early" : `“${letter}” cannot stand here`);
    }
  } while (open.length);
  if (!root) throw wrong("there is no node");
  return root;

  function properties() {
    const props = new Map();
    for (;;) {
      blank();
      const name = /[A-Za-z]*/y;
      name.lastIndex = at;
      const word = name.exec(text)[0];
      if (!word) return props;
      at += word.length;
      const id = word.replace(/[a-z]/g, "");
      const values = props.get(id) ?? [];
      blank();
      if (text[at] !== "[") throw wrong(`${word} has no value`);
      while (text[at] === "[") {
        values.push(value());
        blank();
      }
      props.set(id, values);
    }
  }

  function value() {
    let from = ++at;
    let result = "";
    for (;;) {
      const letter = text[at];
      if (letter === undefined) throw wrong("a value does not end");
      if (letter === "]") {
        result += text.slice(from, at++);
        // LittleGolem writes names with such a letter as they are.
        while (text[at] === "]") result += text[at++];
        return result;
      }
      if (letter === "\\") {
        result += text.slice(from, at);
        // A line break after the sign is none.
        const skip = text[at + 1] === "\r" && text[at + 2] === "\n" ? 3 : text[at + 1] === "\n" ? 2 : 0;
        at += skip || 1;
        from = at;
        if (!skip) at++;
      } else {
        at++;
      }
    }
  }
}

/** The game that a record is of, among those of the engine; null where it says none that we know. */
export function gameOf(root, games) {
  const word = root.props.get("LG")?.[0]?.toLowerCase();
  if (word) return games.find((game) => game.word === word) ?? null;
  const number = root.props.get("GM")?.[0];
  if (number !== undefined) return games.find((game) => game.sgf === Number(number)) ?? null;
  const golems = golem(root);
  return games.find((game) => game.word === golems) ?? null;
}

/** Games by the names of LittleGolem's events. */
const EVENTS = { hex: "hex", go: "go", amazons: "amazons", breakthrough: "breakthrough", reversi: "othello", othello: "othello", loa: "loa", gomoku: "gomoku" };

/** The game of a record without a number, by name: LittleGolem's has at most an event that is named by it. Go where nothing else is said. */
function golem(root) {
  const { props } = root;
  const source = /littlegolem/i.test(props.get("SO")?.[0] ?? "");
  const event = /^([a-z]+?)\d*(\..*)?$/i.exec(props.get("EV")?.[0] ?? "");
  const name = event && (source || event[2] || /^hex/i.test(event[1])) ? event[1].toLowerCase() : null;
  if (name && name !== "null") return EVENTS[name] ?? (source ? name : "go");
  const [colour, move] = firstMove(root);
  if (/^[a-z]\d+-[a-z]\d+\/[a-z]\d+$/i.test(move)) return "amazons";
  return source && colour === "W" && /^[a-z]{2}$/.test(move) ? "hex" : "go";
}

/** A record as {game, size, komi, rules, swap, tree, names}. Throws an error for people. */
export function read(text, games) {
  if (text.length > MOST_LETTERS) throw new Error("the record is too long");
  const root = parse(text);
  const game = gameOf(root, games);
  if (!game) throw new Error("this record is of a game that the engine does not play");
  const size = sizeOf(root, game);
  const points = new Points(game.letters, size);
  const named = root.props.has("GM") || root.props.has("LG");
  const spelling = new Spelling(game, points, !named);
  const tree = new Tree(setupOf(root, spelling, game));
  const first = (name) => root.props.get(name)?.[0];
  let swap = false;
  // LB is a label where SGF numbers the game, and else a move.
  const moves = game.sgf === null && named ? [["LB", "B"], ["LW", "W"]] : [["B", "B"], ["W", "W"]];
  // LittleGolem calls its first player White.
  const turned = game.word !== "go" && !named && firstMove(root)[0] === "W" && !tree.setup;
  for (const key of INFO) {
    const value = first((turned && SIDES[key]) || key);
    if (value) tree.info[key] = turned && key === "RE" ? value.replace(/^[BW]/, other) : value;
  }
  /** Plays the moves of a node and keeps what it says; the position after it. */
  const follow = (at, node) => {
    for (const [name, letter] of moves) {
      const value = node.props.get(name)?.[0];
      if (value === undefined) continue;
      const word = spelling.read(value);
      if (word === null) throw new Error(`${name}[${value.slice(0, 20)}] is no move of ${game.name}`);
      // A swap that changes the players is not seen on the board, and Hex has no pass: the colours of the moves tell all.
      if (word === "resign" || word === "swap-sides" || (word === "pass" && game.word === "hex")) continue;
      swap ||= word === "swap-pieces";
      at = tree.child(at, turned ? other(letter) : letter, word);
    }
    note(at, node.props, spelling);
    return at;
  };
  // Some programs write the first move into the root.
  const start = follow(tree.root, root);
  const open = root.children.map((child) => [start, child]).reverse();
  while (open.length) {
    const [parent, node] = open.pop();
    const played = moves.some(([name]) => node.props.has(name));
    const changes = stonesOf(node, spelling, game);
    const turn = turnOf(node);
    // Programs tell the side to move where it is no news.
    const told = !played && turn && turn !== parent.turn(game.players, tree.first);
    const at = follow(changes.length || told ? tree.edit(parent, { turn, stones: changes }) : parent, node);
    for (let i = node.children.length - 1; i >= 0; i--) open.push([at, node.children[i]]);
  }
  tree.each((node) => {
    if (!node.setup) return;
    // The side whose move comes next, or who was to move.
    node.setup.turn ??= node.children.find(({ colour }) => colour)?.colour ?? node.parent.turn(game.players, tree.first);
  });
  const rules = first("RU") ?? null;
  swap ||= rules?.trim().toLowerCase() === SWAP_RULE;
  return { game, size, tree, swap, komi: komiOf(root), rules };
}

/** Points of komi; null where none are told that can be. */
function komiOf({ props }) {
  // Some programs write a comma, or words behind the number.
  const told = Number.parseFloat(props.get("KM")?.[0]?.replace(",", "."));
  const komi = fox.isFox(props) ? fox.komiOf(told) : told;
  return Math.abs(komi) <= LARGEST_KOMI ? komi : null;
}

/** Colour and value of the first move; of none, null and "". */
function firstMove(root) {
  for (let at = root; at; at = at.children[0]) {
    for (const colour of ["B", "W"]) if (at.props.has(colour)) return [colour, at.props.get(colour)[0]];
  }
  return [null, ""];
}

function sizeOf(root, game) {
  const text = root.props.get("SZ")?.[0];
  if (text === undefined) return game.word === "go" ? [19, 19] : game.usual;
  const [width, height] = text.split(":").map(Number);
  const size = [width, height ?? width];
  const [fewest, most] = game.boards;
  if (size.some((side) => !Number.isInteger(side) || side < fewest || side > most)) {
    throw new Error(`${game.name} is not played on a board of ${text.slice(0, 12)}`);
  }
  return size;
}

/** Words and points of what a node sets up; a dot for points that it empties. */
function stonesOf({ props }, spelling, game) {
  const stones = [];
  for (const [name, word] of [["AE", "."], ["AB", "B"], ["AW", "W"]]) {
    for (const value of props.get(name) ?? []) {
      for (const point of spelling.range(value)) stones.push([word, point]);
    }
  }
  // In records of other programs it could mean anything.
  for (const value of (game.sgf === null && props.get(ADD)) || []) {
    const [at, text] = value.split(":");
    const word = wordOf(text ?? "");
    if (word === null) throw new Error(`${ADD}[${value.slice(0, 20)}] is nothing that stands on a point`);
    for (const point of spelling.range(at)) stones.push([word, point]);
  }
  return stones;
}

function turnOf({ props }) {
  const said = props.get("PL")?.[0]?.toUpperCase()[0];
  return said === "W" || said === "B" ? said : null;
}

function setupOf(root, spelling, game) {
  const all = stonesOf(root, spelling, game);
  const { points } = spelling;
  if (game.word === "go" && !all.length && fox.isFox(root.props) && points.width === fox.LINES && points.height === fox.LINES) {
    for (const [x, y] of fox.stonesOf(Number(root.props.get("HA")?.[0]))) all.push(["B", points.name(y * fox.LINES + x)]);
  }
  const turn = turnOf(root);
  if (!all.length) return turn === "W" && game.players > 1 ? { turn, stones: null } : null;
  const stones = all.filter(([word]) => word !== ".");
  const black = game.word === "go" && stones.length > 1 && stones.every(([colour]) => colour === "B");
  const handicap = black && turn !== "B" && (turn === null || root.props.has("HA"));
  return { turn: turn ?? (handicap ? "W" : "B"), stones, ...(handicap ? { handicap } : {}) };
}

function note(node, props, spelling) {
  // Nodes without a move, and variations that begin alike, have one position.
  const told = props.get("C")?.[0];
  if (told && told !== node.comment) node.comment = node.comment ? `${node.comment}\n\n${told}` : told;
  for (const mark of MARKS) {
    for (const value of props.get(mark) ?? []) {
      for (const point of spelling.range(value, [])) node.marks.set(point, mark);
    }
  }
  for (const value of props.get(spelling.numbered ? "LB" : LABEL) ?? []) {
    const colon = value.indexOf(":");
    if (colon < 0) continue;
    for (const point of spelling.range(value.slice(0, colon), [])) node.marks.set(point, value.slice(colon + 1, colon + 4));
  }
  const time = Number(props.get(`${node.colour}L`)?.[0] || NaN);
  const count = Number(props.get(`O${node.colour}`)?.[0] ?? 0);
  if (time >= 0 && Number.isInteger(count) && count >= 0) node.left = { time, count };
  const saved = props.get("LOSANGE")?.[0];
  if (saved) {
    try {
      const values = JSON.parse(saved);
      if (areValues(values)) node.values = better(node.values, values);
    } catch {
      // Values that cannot be read are not had; the game is.
    }
  }
}

/** How a game's points and moves stand in SGF. */
class Spelling {
  /** `golems`: whether the record may be one of LittleGolem's. */
  constructor(game, points, golems = false) {
    this.points = points;
    this.hex = game.word === "hex";
    // Moves of games that SGF numbers are letters, column and row from the top, but for Hex; so are the points of all others.
    this.numbered = game.sgf !== null;
    this.byLetters = this.numbered && !this.hex;
    this.pairs = game.points === 1;
    this.golems = golems && game.points === 3;
  }

  letters(text) {
    const [x, y] = [text.charCodeAt(0) - 97, text.charCodeAt(1) - 97];
    return x >= 0 && y >= 0 && x < this.points.width && y < this.points.height ? y * this.points.width + x : null;
  }

  /** A point by its letters or its name. */
  point(text) {
    return /^[a-z]{2}$/.test(text) ? this.letters(text) : this.points.point(text);
  }

  /** A move in the engine's words; null where it is none. */
  read(value) {
    const text = value.trim();
    const word = text.toLowerCase();
    if (word === "resign" || word === "forfeit") return "resign";
    const old = text === "tt" && this.points.width <= 19 && this.points.height <= 19;
    if (this.byLetters && (text === "" || old)) return "pass";
    if (this.hex && (word === "swap" || word === "swap-pieces")) return "swap-pieces";
    if (this.hex && word === "swap-sides") return word;
    if (word === "pass") return "pass";
    if (this.golems) return this.ofGolem(word);
    const points = text.split("-").map((name) => (this.pairs ? this.point(name) : this.points.point(name)));
    return points.includes(null) ? null : this.points.ofPoints(points);
  }

  /** A move of LittleGolem's Amazons such as `j4-g7/d7`: its columns have an i. */
  ofGolem(word) {
    const points = word.split(/[-/]/).map((name) => {
      const [, letter, row] = /^([a-z])(\d{1,2})$/.exec(name) ?? [];
      return letter ? this.points.point(this.points.column(letter.charCodeAt(0) - 97) + row) : null;
    });
    return points.length !== 3 || points.includes(null) ? null : this.points.ofPoints(points);
  }

  /** Names of the points of a value such as `aa` or `aa:cc`. */
  range(value, otherwise = null) {
    const ends = value.split(":").map((text) => this.point(text.trim()));
    if (ends.includes(null) || ends.length > 2) {
      if (otherwise) return otherwise;
      throw new Error(`[${value.slice(0, 20)}] is no point of the board`);
    }
    const { width } = this.points;
    const [from, to = from] = ends;
    const names = [];
    for (let y = Math.floor(from / width); y <= Math.floor(to / width); y++) {
      for (let x = from % width; x <= to % width; x++) names.push(this.points.name(y * width + x));
    }
    return names;
  }

  writePoint(name) {
    if (this.hex) return name;
    const point = this.points.point(name);
    return String.fromCharCode(97 + (point % this.points.width), 97 + Math.floor(point / this.points.width));
  }

  write(word) {
    if (!this.byLetters) return word;
    return word === "pass" ? "" : this.writePoint(word);
  }
}

const escaped = (text) => String(text).replace(/[\]\\]/g, "\\$&");

/** The record of a game, with comments, marks and values. */
export function write({ game, size, komi, rules, swap = false, tree, names = {}, result = null, clock = null }) {
  const points = new Points(game.letters, size);
  const spelling = new Spelling(game, points);
  const [width, height] = size;
  const told = { PB: names.B, PW: names.W, ...tree.info, ...(result ? { RE: result } : {}) };
  const head = [
    "FF[4]",
    game.sgf === null ? `LG[${game.word}]` : `GM[${game.sgf}]`,
    "CA[UTF-8]AP[Losange]",
    `SZ[${width === height ? width : `${width}:${height}`}]`,
    komi === null ? "" : `KM[${komi}]`,
    rules ?? swap ? `RU[${escaped(rules ?? SWAP_RULE)}]` : "",
    ...INFO.map((key) => [key, told[key]]).filter(([, value]) => value).map(([key, value]) => `${key}[${escaped(value)}]`),
    clock ? `TM[${clock.main}]` : "",
    clock && overtime(clock) ? `OT[${overtime(clock)}]` : "",
    setup(tree.setup),
  ].join("");
  const [black, white] = game.sgf === null ? ["LB", "LW"] : ["B", "W"];
  const parts = ["(;", head, notes(tree.root)];
  // What is still to be written: nodes and closing brackets.
  const open = [];
  const follow = (node) => {
    const several = node.children.length > 1;
    for (let i = node.children.length - 1; i >= 0; i--) {
      if (several) open.push(")");
      open.push(node.children[i]);
      if (several) open.push("(");
    }
  };
  follow(tree.root);
  while (open.length) {
    const next = open.pop();
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const move = next.setup ? changes(next.setup) : `${next.colour === "B" ? black : white}[${spelling.write(next.word)}]`;
    parts.push(`\n;${move}`, notes(next));
    follow(next);
  }
  return `${parts.join("")})\n`;

  function setup(start) {
    if (!start) return "";
    const handicap = start.handicap ? `HA[${start.stones.length}]` : "";
    // A board without pieces is a set-up too.
    const empty = start.stones?.length === 0 ? `AE[${spelling.writePoint(points.name(0))}]` : "";
    return `${handicap}${empty}${changes(start)}`;
  }

  function changes({ turn, stones }) {
    const names = { ".": "AE", B: "AB", W: "AW" };
    const values = { AE: "", AB: "", AW: "", [ADD]: "" };
    for (const [word, point] of stones ?? []) {
      values[names[word] ?? ADD] += `[${spelling.writePoint(point)}${names[word] ? "" : `:${word}`}]`;
    }
    const lists = Object.entries(values).filter(([, list]) => list);
    return `${lists.map((pair) => pair.join("")).join("")}PL[${turn}]`;
  }

  function notes(node) {
    let text = node.comment ? `C[${escaped(node.comment)}]` : "";
    for (const mark of MARKS) {
      const own = [...node.marks].filter(([, kind]) => kind === mark).map(([point]) => `[${spelling.writePoint(point)}]`);
      if (own.length) text += mark + own.join("");
    }
    const labels = [...node.marks].filter(([, kind]) => !MARKS.includes(kind));
    if (labels.length) {
      text += `${spelling.numbered ? "LB" : LABEL}${labels.map(([point, label]) => `[${spelling.writePoint(point)}:${escaped(label)}]`).join("")}`;
    }
    if (node.left) {
      const { time, count } = node.left;
      text += `${node.colour}L[${time.toFixed(2)}]${count ? `O${node.colour}[${count}]` : ""}`;
    }
    if (node.values) {
      text += `SBKV[${(100 * node.values.winrate).toFixed(2)}]LOSANGE[${escaped(JSON.stringify(node.values))}]`;
    }
    return text;
  }
}
