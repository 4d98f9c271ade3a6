// Setting a position up, and marking points.

import { Tree } from "./tree.js";
import { $, h } from "./svg.js";

const TOOLS = [
  ["B", "First colour"],
  ["W", "Second colour"],
  [".", "Empty"],
  ["TR", "△"],
  ["SQ", "□"],
  ["CR", "○"],
  ["MA", "✕"],
  ["LB", "A"],
];

export class Setup {
  constructor(play, board, draw) {
    this.play = play;
    this.board = board;
    this.draw_ = draw;
    this.active = false;
  }

  begin() {
    const { play } = this;
    if (!play.game || !play.node.state) return;
    play.stop(true);
    play.timer.stop();
    this.active = true;
    this.marks = [...play.node.state.board];
    this.before = this.marks.join("");
    this.turn = play.turn;
    this.tool = "B";
    const names = play.game.grid === "hexagons" ? { B: "Red", W: "Blue" } : { B: "Black", W: "White" };
    const label = (id, text) => ({ B: names.B, W: names.W })[id] ?? text;
    const tools = TOOLS.map(([id, text]) => {
      const input = h("input", { type: "radio", name: "tool", value: id, checked: id === this.tool });
      input.addEventListener("change", () => (this.tool = id));
      return h("label", { className: "tool" }, input, h("span", { textContent: label(id, text) }));
    });
    const turn = h("select", { ariaLabel: "Side to move" }, ...["B", "W"].map((side) => h("option", { value: side, textContent: `${names[side]} to move`, selected: side === this.turn })));
    turn.addEventListener("change", () => (this.turn = turn.value));
    const button = (text, action) => {
      const node = h("button", { textContent: text });
      node.addEventListener("click", action);
      return node;
    };
    const empty = button("Clear", () => {
      this.marks = this.marks.map((mark) => (mark === "?" ? "?" : "."));
      this.draw();
    });
    const done = button("Done", () => this.finish());
    done.classList.add("main");
    $("tools").replaceChildren(h("div", { role: "radiogroup", ariaLabel: "What a click does" }, ...tools), turn, empty, button("Cancel", () => this.end()), done);
    $("tools").hidden = false;
    this.draw_();
  }

  draw() {
    this.board.clear();
    this.board.inside(null);
    this.board.owners(null);
    this.board.highlight([], [], []);
    this.board.position(this.marks, null);
    this.board.marks(this.play.node.marks);
  }

  click(point) {
    const { tool, play } = this;
    if (this.marks[point] === "?") return;
    if (tool === "B" || tool === "W" || tool === ".") {
      this.marks[point] = this.marks[point] === tool ? "." : tool;
    } else {
      const { marks } = play.node;
      const name = play.points.name(point);
      if (marks.has(name)) marks.delete(name);
      else marks.set(name, tool === "LB" ? this.nextLabel(marks) : tool);
    }
    this.draw();
  }

  nextLabel(marks) {
    const taken = new Set(marks.values());
    return [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !taken.has(letter)) ?? "Z";
  }

  /** Begins a game at the position, if it is another one. */
  async finish() {
    const { play } = this;
    if (this.marks.join("") === this.before && this.turn === play.turn) {
      this.end();
      return;
    }
    const stones = [];
    this.marks.forEach((mark, point) => {
      if (mark === "B" || mark === "W") stones.push([mark, play.points.name(point)]);
    });
    const { marks } = play.node;
    const setup = { turn: this.turn, stones };
    try {
      // The engine knows whether there is such a position.
      await play.tryOut(setup);
    } catch (error) {
      play.fail(error);
      return;
    }
    const tree = new Tree(setup);
    tree.root.marks = marks;
    this.active = false;
    $("tools").hidden = true;
    const { game, size, komi, rules, swap } = play;
    play.paused = true;
    play.begin({ game, size, komi, rules, swap, tree });
  }

  end() {
    if (!this.active) return;
    this.active = false;
    $("tools").hidden = true;
    this.play.moved();
  }
}
