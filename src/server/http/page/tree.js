// The game as a tree of variations. Knows no rules: what a position is, the engine says.

let numbers = 0;

/** A position: the move or the set-up that led here, what the engine said of it, and what was noted. */
export class Node {
  constructor(parent, colour, word) {
    this.id = ++numbers;
    this.parent = parent;
    this.colour = colour;
    this.word = word;
    this.children = [];
    /** What is set up here, in the place of a move: {turn, stones: [[word, point name], ...]} of the points that change; null for a move. */
    this.setup = null;
    /** The engine's answer to losange-state, once asked. */
    this.state = null;
    /** Best values so far, seen by Black: {winrate, score, visits, proven, moves}. */
    this.values = null;
    this.comment = "";
    /** The colour that has resigned here, or whose time is over. */
    this.resigned = null;
    this.flagged = null;
    /** What the mover had left on its clock after the move: {time, count}. */
    this.left = null;
    /** Marks by point: "TR", "SQ", "CR", "MA", "SL" or a label of at most three letters. */
    this.marks = new Map();
    this.depth = parent ? parent.depth + 1 : 0;
    /** Moves up to here. */
    this.number = (parent?.number ?? 0) + (word === null ? 0 : 1);
  }

  /** The colour to move here: after a move the other one, at the root Black or as set up. */
  turn(players, first) {
    if (this.state) return this.state.turn;
    if (players === 1) return "B";
    if (this.setup) return this.setup.turn;
    return this.colour ? other(this.colour) : first;
  }
}

export function other(colour) {
  return colour === "B" ? "W" : "B";
}

export class Tree {
  /**
   * `setup`: null, or {turn, stones: [[word, point name], ...], handicap} of the root; `stones` is null where those of a new game stand,
   * `handicap` is set where they are one of Go.
   */
  constructor(setup = null) {
    this.setup = setup;
    /** What a record tells of the game, by property of SGF: players, event, date and the like. */
    this.info = {};
    this.root = new Node(null, null, null);
    this.current = this.root;
  }

  get first() {
    return this.setup?.turn ?? "B";
  }

  /** The position after a move; makes it where there is none. */
  child(node, colour, word) {
    const found = node.children.find((child) => child.colour === colour && child.word === word);
    if (found) return found;
    const child = new Node(node, colour, word);
    node.children.push(child);
    return child;
  }

  /** The position after something is set up; `setup` as of a node. */
  edit(node, setup) {
    const child = new Node(node, null, null);
    child.setup = setup;
    node.children.push(child);
    return child;
  }

  /** Nodes from the root to `node`. */
  path(node = this.current) {
    const path = [];
    for (let at = node; at; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The line through the current position: its past, then first children. */
  line() {
    const line = this.path();
    for (let at = this.current.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  /** The next position: of the variation last gone through where there was one. */
  next(node = this.current) {
    return node.children.includes(node.last) ? node.last : node.children[0];
  }

  /** Goes to a position; each position before it remembers the way. */
  go(node) {
    this.current = node;
    for (let at = node; at.parent; at = at.parent) at.parent.last = at;
    return node;
  }

  /** Another variation beside the current position, so many further. */
  sister(step) {
    const all = this.current.parent?.children ?? [];
    return all[all.indexOf(this.current) + step];
  }

  /** Makes the variation of `node` the main one, up to the root. */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const all = at.parent.children;
      all.splice(all.indexOf(at), 1);
      all.unshift(at);
    }
  }

  /** Takes a position and all after it away; the current one becomes its parent where it was among them. */
  remove(node) {
    if (!node.parent) return;
    if (this.path().includes(node)) this.go(node.parent);
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  /** Calls `visit` with every node, parents first. */
  each(visit) {
    const open = [this.root];
    while (open.length) {
      const node = open.pop();
      visit(node);
      for (let i = node.children.length - 1; i >= 0; i--) open.push(node.children[i]);
    }
  }

  /** Positions from a node on. */
  count(node) {
    let count = 0;
    const open = [node];
    while (open.length) {
      count++;
      open.push(...open.pop().children);
    }
    return count;
  }

  /** Whether a node is of this tree, and has not been taken away. */
  has(node) {
    const path = this.path(node);
    return path[0] === this.root && path.every(({ parent }, i) => !i || parent.children.includes(path[i]));
  }
}

/**
 * How to get from one position to another: so many moves to take back, then nodes to play.
 * Null where they have no position in common, or a set-up would have to be taken back.
 */
export function way(from, to) {
  const play = [];
  let undo = 0;
  let [a, b] = [from, to];
  while (a !== b) {
    if (!a || !b) return null;
    if (a.depth > b.depth) {
      if (!a.parent || a.setup) return null;
      a = a.parent;
      undo++;
    } else {
      if (!b.parent) return null;
      play.push(b);
      b = b.parent;
      if (a.depth > b.depth) {
        if (a.setup) return null;
        a = a.parent;
        undo++;
      }
    }
  }
  return { undo, play: play.reverse() };
}
