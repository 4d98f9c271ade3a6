// Records of Little Golem's that are no SGF: Breakthrough and Lines of Action stand in the manner of chess, with White as the first player.

import { Points } from "./points.js";
import { Tree, other } from "./tree.js";

/** Games by the names of events. */
const EVENTS = { brkthr: "breakthrough", loa: "loa" };
const RESULTS = { "1-0": "B+", "0-1": "W+", "1/2-1/2": "0", "*": "" };

/** Whether a text begins as such a record does. */
export function isRecord(text) {
  return /^\s*\[Event "/.test(text);
}

/** The first game of a text: {game, size, tree, swap, komi, rules}. Throws an error for people. */
export function read(text, games) {
  const [, head, body] = /^\s*((?:\[\w+ ".*"\][^\S\n]*\n)+)([^[]*)/.exec(text.replaceAll("\r\n", "\n")) ?? [];
  if (!head) throw new Error("the record is broken: its head does not end");
  const tags = Object.fromEntries([...head.matchAll(/^\[(\w+) "(.*)"\]/gm)].map(([, name, value]) => [name, value]));
  const words = body.split(/\s+/).filter((word) => word && !/^\d+\.$/.test(word));
  const word = gameOf(tags.Event ?? "", words[0] ?? "");
  const game = games.find((known) => known.word === word);
  if (!game) throw new Error("this record is of a game that the engine does not play");
  const points = new Points(game.letters, game.usual);
  const tree = new Tree();
  let node = tree.root;
  let ending = "";
  for (const move of words) {
    if (Object.hasOwn(RESULTS, move)) break;
    if (move === "resign") {
      ending = "Resign";
      continue;
    }
    const ends = move.split(/[-x]/).map((name) => points.point(name));
    if (ends.length !== 2 || ends.includes(null)) throw new Error(`“${move.slice(0, 20)}” is no move of ${game.name}`);
    node = tree.child(node, node.colour ? other(node.colour) : "B", points.ofPoints(ends));
  }
  const result = RESULTS[tags.Result] ?? "";
  const info = { PB: tags.White, PW: tags.Black, EV: tags.Event, SO: tags.Site, RE: /\+$/.test(result) ? result + ending : result };
  for (const [key, value] of Object.entries(info)) if (value) tree.info[key] = value;
  return { game, size: game.usual, tree, swap: false, komi: null, rules: null };
}

/** The game of an event. One without a name is told by its first move: no piece of Lines of Action begins with a step to the next row. */
function gameOf(event, move) {
  const name = /^Tournament ([a-z]+)\d*\./.exec(event)?.[1];
  if (name) return EVENTS[name] ?? null;
  const [, from, to] = /^[a-z](\d)[-x][a-z](\d)$/.exec(move) ?? [];
  return Number(to) - Number(from) === 1 ? "breakthrough" : "loa";
}
