// Review of a whole game: every position of a line is valued over the JSON protocol, and the worst moves are listed.

import { contentsOf } from "./contents.js";
import { judged, percent } from "./panel.js";
import { better, valuesOf } from "./reports.js";
import { $, h } from "./svg.js";

/** Positions of one query, so that a long game is answered part by part. */
const AT_ONCE = 40;
/** Milliseconds after which a choice of visits is taken. */
const SETTLED = 600;
const WORST = 8;
const MOST_KOMI = 400;

export class Review {
  /** `go(node)` shows a position, `changed()` draws what was valued. */
  constructor(play, url, go, changed) {
    this.play = play;
    this.go = go;
    this.url = url;
    this.changed = changed;
    this.socket = null;
    this.visits = 100;
  }

  begin(names) {
    const { play } = this;
    if (!play.game) return;
    if (this.socket) {
      this.end();
      return;
    }
    this.names = names;
    this.line = play.tree.line();
    this.done = 0;
    this.cut = null;
    this.number = (this.number ?? 0) + 1;
    const box = $("report");
    box.hidden = false;
    this.bar = h("progress", { max: this.line.length, value: 0, ariaLabel: "Positions valued" });
    this.list = h("ol", {});
    const visits = h("select", { ariaLabel: "Visits a position" }, ...[20, 100, 400, 1600].map((n) => h("option", { value: n, textContent: `${n} visits`, selected: n === this.visits })));
    const again = () => {
      if (!visits.isConnected) return;
      this.end();
      this.begin(names);
      $("report").querySelector("select").focus();
    };
    // Keys step through the choices: the last one is taken.
    let keyed = false;
    visits.addEventListener("keydown", () => (keyed = true));
    visits.addEventListener("pointerdown", () => (keyed = false));
    visits.addEventListener("change", () => {
      this.visits = Number(visits.value);
      clearTimeout(this.chosen);
      if (keyed) this.chosen = setTimeout(again, SETTLED);
      else again();
    });
    this.stopButton = h("button", { className: "plain", textContent: "Stop" });
    this.stopButton.addEventListener("click", () => this.end());
    const close = h("button", { className: "plain", textContent: "Close" });
    close.addEventListener("click", () => this.close());
    this.title = h("strong", { textContent: "Review" });
    box.replaceChildren(h("div", { className: "head" }, this.title, visits, this.bar, this.stopButton, close), this.list);
    // The analysis of the board would take half of the machine.
    if (play.analysing) {
      play.analysing = false;
      play.reconsider();
    }
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => this.ask();
    socket.onmessage = (event) => String(event.data).split("\n").filter(Boolean).forEach((text) => this.take(JSON.parse(text)));
    socket.onclose = () => {
      if (this.socket === socket) this.finish(this.done < this.line.length ? "the connection to the engine is gone" : null);
    };
  }

  /** Asks for the values of each part of the line: the first, and those that begin where something is set up. */
  async ask() {
    const { play, socket } = this;
    this.parts = [{ first: 0, setup: play.tree.setup }];
    for (const [first, node] of this.line.entries()) {
      if (!node.setup) continue;
      try {
        const state = node.state ?? (await play.stateOf(node));
        if (this.socket !== socket) return;
        this.parts.push({ first, setup: { turn: state.turn, stones: contentsOf(state, play.game, play.points) } });
      } catch (error) {
        if (this.socket !== socket) return;
        this.cut = `not beyond move ${node.number}: ${error.message}`;
        this.line = this.line.slice(0, first);
        this.bar.max = first;
        break;
      }
    }
    this.parts.forEach(({ first, setup }, index) => this.askPart(first, this.parts[index + 1]?.first ?? this.line.length, setup));
  }

  askPart(first, end, setup) {
    const { game, size, komi, rules, swap } = this.play;
    const line = this.line.slice(first, end);
    const moves = line.slice(1).map((node) => [node.colour, node.word]);
    for (let from = 0; from < line.length; from += AT_ONCE) {
      const to = Math.min(line.length, from + AT_ONCE);
      const query = {
        id: `${this.number}.${first}.${from}`,
        game: game.word,
        boardXSize: size[0],
        boardYSize: size[1],
        moves: moves.slice(0, to - 1),
        analyzeTurns: Array.from({ length: to - from }, (_, i) => from + i),
        maxVisits: this.visits,
        rules: game.word === "go" ? rules : game.word === "hex" && swap ? "swap" : "standard",
        // Queries know whole and half points alone.
        ...(komi === null ? {} : { komi: Math.max(-MOST_KOMI, Math.min(MOST_KOMI, Math.round(2 * komi) / 2)) }),
        ...(setup ? { initialPlayer: setup.turn } : {}),
        ...(setup?.stones ? { initialStones: setup.stones } : {}),
      };
      this.socket.send(`${JSON.stringify(query)}\n`);
    }
  }

  take(answer) {
    if (answer.error) {
      this.finish(answer.error);
      return;
    }
    if (answer.isDuringSearch || answer.turnNumber === undefined) return;
    const node = this.line[Number(answer.id.split(".")[1]) + answer.turnNumber];
    if (!node) return;
    this.done++;
    this.bar.value = this.done;
    const root = answer.rootInfo;
    if (root && answer.moveInfos?.length) {
      const moves = answer.moveInfos.map((entry) => ({ scoreLead: 0, ...entry, proven: entry.provenWinner ?? null }));
      const values = valuesOf({ moves, root: { ...root, proven: root.provenWinner ?? null } }, root.currentPlayer);
      node.values = better(node.values, values);
    }
    if (this.done === this.line.length) this.finish(null);
    else if (this.done % 5 === 0) this.show();
  }

  show() {
    const faults = this.line
      .map((node) => [node, judged(node)])
      .filter(([, told]) => told && ["blunder", "mistake", "inaccuracy"].includes(told.kind))
      .sort(([, a], [, b]) => b.loss - a.loss)
      .slice(0, WORST);
    this.list.replaceChildren(
      ...faults.map(([node, told]) => {
        const go = h("button", { className: `move ${told.kind}`, textContent: `${node.number}. ${this.names[node.colour]} ${node.word}` });
        go.addEventListener("click", () => this.go(node));
        return h("li", {}, go, ` ${told.kind}, lost ${percent(told.loss)}; better ${told.better}`);
      }),
    );
    this.changed();
  }

  finish(why) {
    const { socket } = this;
    this.socket = null;
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
    this.show();
    const sides = ["B", "W"].map((side) => {
      const told = this.line.filter((node) => node.colour === side).map((node) => judged(node)).filter(Boolean);
      const mean = told.reduce((sum, { loss }) => sum + loss, 0) / Math.max(1, told.length);
      return told.length ? `${this.names[side]} lost ${percent(mean)} a move` : "";
    });
    const told = sides.filter(Boolean).join(", ") || "no move was valued";
    this.title.textContent = `Review: ${why ?? (this.cut ? `${told}; ${this.cut}` : told)}`;
    this.stopButton.remove();
    this.bar.remove();
    if (!why && !this.list.children.length) this.list.replaceChildren(h("li", { textContent: "No move lost 5 % or more." }));
  }

  close() {
    this.end();
    $("report").hidden = true;
  }

  end() {
    if (!this.socket) return;
    this.finish("stopped");
  }
}
