// The panel beside the board: value, candidates, moves as a tree, the teacher's words. Only what changes is touched.

import { judge } from "./reports.js";
import { $, h, say, set } from "./svg.js";

const ROWS = 8;
export const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!", good: "", best: "" };

export const percent = (share) => `${(100 * share).toFixed(1)} %`;
const signed = (points) => (points > 0 ? "+" : points < 0 ? "−" : "") + Math.abs(points).toFixed(1);

export function thousands(count) {
  if (count < 1000) return String(count);
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)}k`;
  return `${(count / 1e6).toFixed(1)}M`;
}

/** What the move that led to a node was; null where too little is known. */
export function judged(node) {
  if (!node.word) return null;
  return judge(node.parent.values, node.values, node.colour, node.word);
}

/** The table of candidates. */
export class Candidates {
  /** `onPlay(move)`, and `onShow(variation or null)` while one is pointed at. */
  constructor(onPlay, onShow) {
    this.rows = [];
    const body = $("candidates").tBodies[0];
    for (let i = 0; i < ROWS; i++) {
      const button = h("button", { className: "move" });
      const cells = ["win", "score", "visits", "line"].map((className) => h("td", { className }));
      const tr = h("tr", { hidden: true }, h("td", {}, button), ...cells);
      const row = { tr, button, cells, entry: null };
      button.addEventListener("click", () => row.entry && onPlay(row.entry.move));
      tr.addEventListener("click", (event) => event.target !== button && row.entry && onShow(row.entry.pv));
      tr.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && row.entry && onShow(row.entry.pv));
      tr.addEventListener("pointerleave", () => onShow(null));
      button.addEventListener("focus", () => row.entry && onShow(row.entry.pv));
      button.addEventListener("blur", () => onShow(null));
      this.rows.push(row);
      body.append(tr);
    }
  }

  /** Shows moves as a report has them, seen by the side to move. */
  show(moves, turn, scores) {
    set($("candidates"), "class", scores ? "scores" : "");
    this.rows.forEach((row, index) => {
      const entry = moves[index] ?? null;
      row.entry = entry;
      if (row.tr.hidden !== !entry) row.tr.hidden = !entry;
      if (!entry) return;
      say(row.button, entry.move);
      const won = entry.proven ? (entry.proven === turn ? "won" : "lost") : "";
      set(row.tr, "class", won || (index === 0 ? "best" : ""));
      say(row.cells[0], won || percent(entry.winrate));
      say(row.cells[1], signed(entry.scoreLead));
      say(row.cells[2], thousands(entry.visits));
      say(row.cells[3], entry.pv.slice(1, 9).join(" "));
    });
  }
}

/** The moves: the main line, and variations in blocks of their own. */
export class Moves {
  /** `onGo(node)` and `onMenu(node)`. */
  constructor(onGo, onMenu) {
    this.box = $("moves");
    this.buttons = new Map();
    this.box.addEventListener("click", (event) => {
      const node = this.nodeOf(event);
      if (node) onGo(node);
    });
    this.box.addEventListener("contextmenu", (event) => {
      const node = this.nodeOf(event);
      if (!node) return;
      event.preventDefault();
      onMenu(node);
    });
    this.current = null;
  }

  nodeOf(event) {
    return this.nodes?.get(Number(event.target.closest("button")?.dataset.node));
  }

  button(node) {
    let button = this.buttons.get(node.id);
    if (!button) {
      // One of them is a stop of the Tab key: that of the position.
      button = h("button", { tabIndex: -1 });
      button.dataset.node = node.id;
      this.buttons.set(node.id, button);
    }
    this.nodes.set(node.id, node);
    this.dress(node, button);
    return button;
  }

  dress(node, button = this.buttons.get(node.id)) {
    if (!button) return;
    const kind = judged(node)?.kind ?? "";
    say(button, node.setup ? "set up" : node.word + (SIGNS[kind] ?? ""));
    set(button, "class", node.setup ? "move setup" : `move ${node.colour === "B" ? "b" : "w"} ${kind}`);
  }

  begin() {
    this.buttons.clear();
    this.box.replaceChildren();
    this.current = null;
    this.forget();
  }

  /** Has the tree drawn anew the next time: the order of its variations has changed, or what many moves were. */
  forget() {
    this.nodes = new Map();
    this.tail = null;
  }

  /** Draws the tree anew where it has other positions than before. */
  show(tree) {
    if (this.appends(tree)) return this.mark(tree.current);
    this.nodes = new Map();
    this.box.replaceChildren();
    this.line(tree.root, this.box);
    this.count = this.nodes.size;
    this.tail = end(tree.root);
    this.mark(tree.current);
  }

  /** A move at the end of the main line is put behind it. */
  appends(tree) {
    const { current } = tree;
    if (this.nodes.has(current.id)) return this.count === size(tree);
    if (!this.tail || current.parent !== this.tail || current.parent.children.length !== 1 || end(tree.root) !== current) return false;
    if (this.count + 1 !== size(tree)) return false;
    this.pair(current, this.box);
    this.tail = current;
    this.count++;
    return true;
  }

  pair(node, box) {
    if (node.word && (node.colour === "B" || node.number === 1 || node.parent.setup || box.dataset.broken)) {
      box.append(h("span", { className: "number", textContent: `${node.number}.` }));
      delete box.dataset.broken;
    }
    box.append(this.button(node));
  }

  line(from, box) {
    for (let node = from; node.children.length; node = node.children[0]) {
      const [first, ...others] = node.children;
      this.pair(first, box);
      for (const other of others) {
        const block = h("div", { className: "variation" });
        block.dataset.broken = "yes";
        this.pair(other, block);
        this.line(other, block);
        box.append(block);
      }
      if (others.length) box.dataset.broken = "yes";
    }
    delete box.dataset.broken;
  }

  mark(node) {
    const button = this.buttons.get(node.id);
    if (this.current) {
      this.current.removeAttribute("aria-current");
      this.current.tabIndex = -1;
    }
    this.current = button ?? null;
    if (!button) {
      // An empty list is where it should be; to ask for its place would lay out the page.
      if (this.box.firstChild) this.box.scrollTop = 0;
      return;
    }
    button.setAttribute("aria-current", "true");
    button.tabIndex = 0;
    const top = button.offsetTop - this.box.offsetTop;
    if (top < this.box.scrollTop || top + button.offsetHeight > this.box.scrollTop + this.box.clientHeight) {
      this.box.scrollTop = top - this.box.clientHeight / 2;
    }
  }
}

function end(root) {
  let node = root;
  while (node.children.length) [node] = node.children;
  return node;
}

function size(tree) {
  let count = -1;
  tree.each(() => count++);
  return count;
}

/** What the teacher says of a person's move. */
export function lesson(node, scores) {
  const told = judged(node);
  if (!told) return null;
  const title = told.kind[0].toUpperCase() + told.kind.slice(1);
  const lost = told.loss >= 0.995 ? "it gives a won game away" : `it lost ${percent(told.loss)}`;
  const points = scores && told.points > 0.05 ? `, ${told.points.toFixed(1)} points` : "";
  const fine = told.better === null ? "is the best move" : "is as good as any";
  const text = told.kind === "best" ? `${node.word} ${fine}.` : `${node.word}: ${lost}${points}.`;
  return { ...told, title, text, better: told.kind === "best" ? null : told.better };
}
