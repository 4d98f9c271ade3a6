// Texts that hold a game: SGF, Little Golem's records, links of HexWorld's, plain moves. Links to games on other sites are told to be none.

import * as golem from "./golem.js";
import * as hexworld from "./hexworld.js";
import * as sgf from "./sgf.js";
import { Tree, other } from "./tree.js";

/** Sites whose links name a game without holding it, and how to get it there. */
const SITES = [
  [/(^|\.)playhex\.org$/, "PlayHex", "Download its SGF there, or open its HexWorld link"],
  [/(^|\.)littlegolem\.net$/, "Little Golem", "Download its record there"],
];

/** Whether a text that was pasted beside a field may be meant as a game. */
export function isLikely(text, points) {
  const words = text.trim();
  return words.includes("(;") || golem.isRecord(words) || /^https?:\/\/\S+$/i.test(words) || /hexworld/i.test(words) || (points !== null && plain(words, points)?.length > 1);
}

/** The moves of a text such as `a5 swap d4`, `1. a5 2. d4` or `a5d7f3`; null where there is something else too. */
export function plain(text, points) {
  const words = text.trim().split(/[\s,;]+/).filter((word) => word && !/^\d+\.?$/.test(word));
  const moves = [];
  for (const word of words) {
    const named = one(word.replace(/^\d+\./, ""), points);
    // Moves that are not parted; a move of several points has its own sign between them.
    const parts = named ? null : word.match(/[a-z]+\d+|:s|:p/gi);
    const all = named ? [named] : parts?.join("") === word ? parts.map((part) => one(part, points)) : [null];
    if (all.includes(null)) return null;
    moves.push(...all);
  }
  return moves;
}

function one(word, points) {
  if (/^(:p|pass)$/i.test(word)) return "pass";
  if (/^(:s|swap|swap-pieces)$/i.test(word)) return "swap-pieces";
  return points.ofPoints(points.ofMove(word)) || null;
}

/** The game of a text; `play` has the games, and the board that plain moves are of. Throws an error for people. */
export function read(text, play) {
  const words = text.trim();
  if (golem.isRecord(words)) return golem.read(words, play.games);
  if (words.includes("(")) return sgf.read(text, play.games);
  const linked = hexworld.read(words);
  if (linked) return { game: play.games.find((game) => game.word === "hex"), komi: null, rules: null, ...linked };
  elsewhere(words);
  const { game, points, size, komi, rules } = play;
  const moves = plain(words, points);
  if (!moves?.length) throw new Error(`“${words.slice(0, 20)}” is no SGF, no link and no moves of this board`);
  const tree = new Tree();
  let node = tree.root;
  let turn = "B";
  for (const move of moves) {
    // Hex has no pass: the other side goes on.
    if (move !== "pass" || game.word !== "hex") node = tree.child(node, turn, move);
    if (game.players > 1) turn = other(turn);
  }
  tree.go(node);
  return { game, size, komi, rules, swap: play.swap || moves.includes("swap-pieces"), tree };
}

/** Refuses a link that would have to be asked for. */
function elsewhere(text) {
  if (!/^(https?:\/\/|www\.)\S+$/i.test(text)) return;
  let host = text;
  try {
    host = new URL(text.replace(/^www\./i, "https://www.")).hostname;
  } catch {
    // A link that cannot be read is named as it is.
  }
  const [, name, how] = SITES.find(([site]) => site.test(host)) ?? [];
  const why = "This page asks no other host for a game";
  throw new Error(name ? `${why}. The link only names one on ${name}. ${how}, and paste or drop it here.` : `${why}: nothing was read from ${host.slice(0, 60)}. Paste its SGF.`);
}

/** The text of a record's bytes, in the character set that it names where it is not in UTF-8, and in that of Latin letters where it names none. */
export function textOf(bytes) {
  const latin = new TextDecoder("windows-1252").decode(bytes);
  const name = /(?:^|[^A-Za-z])CA\[([^\]]+)\]/.exec(latin)?.[1].trim();
  const named = () => {
    try {
      return name ? new TextDecoder(name).decode(bytes) : latin;
    } catch {
      return latin;
    }
  };
  // In seven bits, all of it is ASCII.
  if (name?.toLowerCase() === "iso-2022-jp") return named();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return named();
  }
}
