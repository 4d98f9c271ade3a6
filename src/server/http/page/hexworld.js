// Links to HexWorld's board: size, flags, moves before the cursor, moves after it. Colours alternate from Black, who is red.

import { Points } from "./points.js";
import { Tree, other } from "./tree.js";

const HEAD = "https://hexworld.org/board/#";

/** The link of the line through the current position. Null for a game that none can hold. */
export function link(size, tree) {
  if (tree.setup || tree.line().some(({ setup }) => setup)) return null;
  const [width, height] = size;
  const path = tree.path().slice(1);
  const all = tree.line().slice(1);
  const tokens = [];
  let turn = "B";
  for (const node of all) {
    // A colour that moves twice: the other one has passed.
    if (node.colour !== turn) {
      tokens.push(":p");
      turn = other(turn);
    }
    tokens.push(node.word === "swap-pieces" ? ":s" : node.word === "pass" ? ":p" : node.word);
    if (node === path[path.length - 1]) tokens.push("|");
    turn = other(turn);
  }
  const cut = path.length ? tokens.indexOf("|") : 0;
  const played = tokens.slice(0, cut).join("");
  const ahead = tokens.slice(path.length ? cut + 1 : 0).join("");
  const board = width === height ? `${width}` : `${width}x${height}`;
  return `${HEAD}${board}c1,${played}${ahead ? `,${ahead}` : ""}`;
}

/** The game of a link, or of what stands after its `#`: {size, tree, swap}. Null where the text is no link; throws where it is a wrong one. */
export function read(text) {
  const match = /^(?:https?:\/\/(?:www\.)?hexworld\.org\/board\/?#)?(\d{1,2})(?:x(\d{1,2}))?((?:r\d+|c\d+|n|m)*)(?:(?:,|%2C)(.*))?$/i.exec(text.trim());
  if (!match || (match[4] === undefined && !/^http/i.test(text.trim()))) return null;
  const size = [Number(match[1]), Number(match[2] ?? match[1])];
  if (size.some((side) => side < 1 || side > 32)) throw new Error("Hex is played here on boards from 1 to 32");
  const points = new Points("htp", size);
  const tree = new Tree();
  const lists = (match[4] ?? "").split(/,|%2C/i);
  if (lists.length > 2) throw new Error("the link has too many commas");
  let turn = "B";
  let swap = false;
  let cursor = tree.root;
  let node = tree.root;
  const taken = new Set();
  for (const list of lists) {
    let rest = list;
    while (rest) {
      const token = /^([a-z]+[1-9][0-9]*|:[spS]|:[rf][bw])/.exec(rest)?.[1];
      if (!token) throw new Error(`“${rest.slice(0, 8)}” in the link is no move`);
      rest = rest.slice(token.length);
      if (token === ":S" || /^:[rf]/.test(token)) continue;
      if (token === ":p") {
        turn = other(turn);
        continue;
      }
      if (token === ":s") {
        if (node.depth !== 1) throw new Error("the link swaps at a move other than the second");
        swap = true;
        taken.clear();
        const first = points.point(node.word);
        const mirrored = (first % size[0]) * size[0] + Math.floor(first / size[0]);
        taken.add(points.name(mirrored));
        node = tree.child(node, turn, "swap-pieces");
      } else {
        if (points.point(token) === null || taken.has(token)) throw new Error(`${token} in the link is no free cell`);
        taken.add(token);
        node = tree.child(node, turn, token);
      }
      turn = other(turn);
    }
    if (list === lists[0]) cursor = node;
  }
  tree.go(node);
  tree.go(cursor);
  return { size, tree, swap };
}
