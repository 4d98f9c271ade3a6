// What the engine tells of the inside of a position of Hex, and of the solver's work, as objects. Points are names.

/** Pairs of a cell and a word, as vc-build answers: [{point, kind: "outside" | "dead" | "captured" | "dominated", colour, by}]. */
export function parseCells(text) {
  const words = text.split(/\s+/).filter(Boolean);
  const cells = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [point, word] = [words[i], words[i + 1]];
    const filled = /^f([dc])([bw])$/.exec(word);
    const dominated = /^id\[(.+)\]$/.exec(word);
    if (filled) cells.push({ point, kind: filled[1] === "d" ? "dead" : "captured", colour: filled[2].toUpperCase() });
    else if (dominated) cells.push({ point, kind: "dominated", by: dominated[1] });
    else if (word === "x") cells.push({ point, kind: "outside" });
  }
  return cells;
}

/** Connections of two ends, as vc-between-cells-full answers: [{full, carrier, key}]. */
export function parseConnections(text) {
  const lines = text.split("\n").map((line) => /^\S+ \S+ \S+ (full|semi) \S+ \[ ?([^\]]*)\] \[ ?\] ?(\S*)$/.exec(line.trim()));
  return lines.filter(Boolean).map(([, kind, cells, key]) => ({ full: kind === "full", carrier: cells.split(" ").filter(Boolean), key: key || null }));
}

/** Reads the blocks of dfpn-solve-state line by line. */
export class Progress {
  constructor() {
    this.line = [];
    this.labels = [];
    this.text = "";
  }

  /** Takes a line; true where a block is whole. */
  take(line) {
    const [word, ...rest] = line.split(" ");
    if (word === "VAR") this.line = rest.filter((_, i) => i % 2 === 1);
    else if (word === "LABEL") this.labels = pairs(rest).map(([point, told]) => ({ point, ...label(told) }));
    else if (word === "TEXT") this.text = rest.join(" ");
    return word === "TEXT";
  }
}

function pairs(words) {
  return Array.from({ length: Math.floor(words.length / 2) }, (_, i) => [words[2 * i], words[2 * i + 1]]);
}

/** Result of a move for the side to move, or how much its proofs still need: for that side and for the other. */
function label(told) {
  if (told === "W" || told === "L") return { kind: told === "W" ? "won" : "lost", mine: "", theirs: "" };
  const [mine, theirs] = told.split("@");
  return { kind: "open", mine, theirs: theirs ?? "" };
}
