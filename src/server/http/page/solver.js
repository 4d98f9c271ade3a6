// The solver of Hex beside the game, in a session of its own: who wins, and what is inside a position.

import { Engine, Gone } from "./engine.js";
import { Progress, parseCells, parseConnections } from "./inside.js";
import { positionLines } from "./play.js";
import { $, say } from "./svg.js";

/** Wait before a position is looked into, so that going through a game costs nothing. */
const QUIET = 120;
/** Edges of both sides. */
const EDGES = { B: ["north", "south"], W: ["west", "east"] };

export class Solver {
  /** `names()`: names of the sides; `changed()` after each change of what is to be drawn. */
  constructor(play, url, names, changed) {
    this.play = play;
    this.url = url;
    this.names = names;
    this.changed = changed;
    this.engine = null;
    this.told = null;
    /** What is inside `node`: {cells, ends, winning}. */
    this.inside = null;
    this.node = null;
    /** The proof that runs: {node, progress, stopped}; and the last one's words. */
    this.proof = null;
    this.words = "";
    this.ticket = 0;
    $("prove").addEventListener("click", () => (this.proof ? this.stop() : this.prove()));
  }

  get active() {
    return this.engine !== null && this.play.game?.word === "hex";
  }

  /** Begins or ends. */
  use(on) {
    if (on === (this.engine !== null)) return;
    this.stop();
    this.forget();
    if (on) {
      this.engine = new Engine(this.url);
      this.engine.listen(() => {
        this.told = null;
        this.look();
      });
    } else {
      clearTimeout(this.timer);
      this.engine.close();
      this.engine = null;
    }
    this.changed();
  }

  /** The position has changed. */
  moved() {
    if (this.play.node === (this.proof?.node ?? this.node)) return;
    this.stop();
    this.forget();
    if (this.active) this.look();
  }

  forget() {
    this.ticket++;
    this.node = this.inside = null;
    this.words = "";
  }

  /** Looks into the current position, once it rests. */
  look() {
    clearTimeout(this.timer);
    const ticket = ++this.ticket;
    this.timer = setTimeout(() => this.read(ticket).catch((error) => this.fail(error)), QUIET);
  }

  fail(error) {
    this.told = null;
    if (!(error instanceof Gone)) this.words = String(error.message);
    this.changed();
  }

  /** Sends the engine to a position of the game; the answers of `commands` there, null for those that are refused. */
  async at(node, commands, onLine = null) {
    const { play, engine } = this;
    const settings = play.settings();
    const key = settings.join("\n");
    const lines = [...(this.told === key ? [] : settings), ...positionLines(play.tree, node)];
    this.told = key;
    const sent = lines.map((line) => engine.send(line));
    const asked = commands.map((line) => engine.send(line, onLine).catch((error) => (error instanceof Gone ? Promise.reject(error) : null)));
    const [answers] = await Promise.all([Promise.all(asked), ...sent]);
    return answers;
  }

  async read(ticket) {
    const { play, engine } = this;
    const { node } = play;
    if (!this.active || !engine.connected || this.proof || !node.state || play.isOver) return;
    engine.interrupt();
    const turn = node.state.turn;
    const whole = ["B", "W"].map((side) => `vc-between-cells-full ${side} ${EDGES[side].join(" ")}`);
    const ends = ["B", "W"].flatMap((side) => EDGES[side].map((edge) => [side, edge]));
    const [cells, black, white, semi, ...connected] = await this.at(node, [
      `vc-build ${turn}`,
      ...whole,
      `vc-between-cells-semi ${turn} ${EDGES[turn].join(" ")}`,
      ...ends.map(([side, edge]) => `vc-connected-to-full ${side} ${edge}`),
    ]);
    if (ticket !== this.ticket) return;
    const of = (text, side) => parseConnections(text ?? "").map((connection) => ({ ...connection, colour: side }));
    const winning = [...of(black, "B"), ...of(white, "W"), ...of(semi, turn)];
    this.node = node;
    this.inside = {
      cells: parseCells(cells ?? ""),
      ends: connected.flatMap((text, i) => this.stones(node, text ?? "", ...ends[i])),
      winning: winning.sort((a, b) => a.carrier.length - b.carrier.length)[0] ?? null,
    };
    this.changed();
  }

  /** Stones of a side among the ends that are connected with an edge; empty cells would be too many to draw. */
  stones(node, text, colour, edge) {
    const { points } = this.play;
    return text.split(" ").filter((word) => node.state.board[points.point(word)] === colour).map((point) => ({ colour, edge, point }));
  }

  /** Proves who wins: the solver goes on where it was until it knows, or is stopped. */
  async prove() {
    const { play, engine } = this;
    const { node } = play;
    if (!this.active || !engine.connected || !node.state || play.isOver) return;
    engine.interrupt();
    const proof = { node, progress: new Progress(), stopped: false };
    this.proof = proof;
    this.words = "";
    this.changed();
    const { turn } = node.state;
    const take = (line) => {
      if (proof.progress.take(line) && this.proof === proof) this.changed();
    };
    try {
      let winner = null;
      while (!winner && !proof.stopped) {
        const [, answer] = await this.at(node, ["param_dfpn use_guifx 1", `dfpn-solve-state ${turn}`], take);
        winner = { black: "B", white: "W" }[answer] ?? null;
      }
      this.proved(proof, winner);
    } catch (error) {
      this.fail(error);
    } finally {
      if (this.proof === proof) this.proof = null;
      this.changed();
      this.look();
    }
  }

  proved(proof, winner) {
    const { node, progress } = proof;
    if (winner) {
      const values = node.values ?? { score: 0, visits: 0, moves: [] };
      node.values = { ...values, winrate: winner === "B" ? 1 : 0, proven: winner };
    }
    if (this.play.node !== node) return;
    this.node = node;
    const name = this.names()[winner];
    const swap = node.state.legal.includes("swap-pieces") ? ", without the swap" : "";
    const first = winner === node.state.turn ? ` with ${progress.line[0] ?? "any move"}` : "";
    const rest = progress.line.length > 1 ? `: ${progress.line.slice(0, 8).join(" ")}` : "";
    this.words = winner ? `${name} wins${first}${swap}${rest}. ${progress.text}` : `Stopped. ${progress.text}`;
  }

  stop() {
    if (!this.proof) return;
    this.proof.stopped = true;
    this.engine?.interrupt();
  }

  /** What is to be drawn now; null for nothing. */
  get picture() {
    if (!this.active) return null;
    const { inside, proof, node, play } = this;
    if (proof?.node === play.node) return { cells: [], ends: [], winning: null, labels: proof.progress.labels };
    return node === play.node && inside ? { ...inside, labels: [] } : null;
  }

  /** Shows words beside the board. */
  show() {
    $("solver").hidden = !this.active;
    if (!this.active) return;
    const { proof, play } = this;
    say($("prove"), proof ? "Stop" : "Prove");
    $("prove").disabled = !proof && (play.isOver || !play.node.state);
    say($("proof"), proof ? `Proving. ${named(proof.progress.text, this.names())}` : named(this.words, this.names()));
    const drawn = this.picture;
    for (const item of $("legend").children) item.hidden = !shows(drawn, item.className);
    say($("found"), this.node === play.node && this.inside ? told(this.inside, play, this.names()) : "");
  }
}

/** The engine's words with the names of the sides. */
function named(text, names) {
  return text.replace(/\bblack\b/g, names.B).replace(/\bwhite\b/g, names.W);
}

/** Whether a kind of cell, or a connection, is in a picture. */
function shows(picture, kind) {
  if (!picture) return false;
  if (kind === "carrier") return Boolean(picture.winning) || picture.ends.length > 0;
  return picture.cells.some((cell) => cell.kind === kind);
}

/** What is inside, in words. */
function told({ cells, winning }, play, names) {
  const { state } = play.node;
  const count = (kind) => cells.filter((cell) => cell.kind === kind).length;
  const empty = [...state.board].filter((mark) => mark === ".").length;
  const parts = [`${names[state.turn]} needs to look at ${empty - cells.length} of ${empty} cells`];
  for (const [kind, words] of [["outside", "outside the must-play region"], ["dominated", "dominated"], ["captured", "captured"], ["dead", "dead"]]) {
    if (count(kind)) parts.push(`${count(kind)} ${words}`);
  }
  if (winning) parts.push(`${names[winning.colour]}’s edges are connected${winning.full ? "" : ` by ${winning.key}`}`);
  return `${parts.join(", ")}.`;
}
