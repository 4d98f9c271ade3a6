// Setting a position up, and marking points.

import { button, select } from "./box.js";
import { $, h } from "./svg.js";
import { sides } from "./texts.js";
import { Tree } from "./tree.js";

/** Tools beside the two colours. */
const TOOLS = [
  [".", "Empty"],
  ["TR", "△"],
  ["SQ", "□"],
  ["CR", "○"],
  ["MA", "✕"],
  ["LB", "A"],
];

export class Setup {
  /** `shown()` has the whole page shown anew. */
  constructor(play, board, shown) {
    this.play = play;
    this.board = board;
    this.shown = shown;
    this.active = false;
  }

  begin() {
    const { play } = this;
    if (!play.game || !play.node.state) return;
    play.stop(true);
    play.rest();
    play.timer.stop();
    // Nobody moves meanwhile.
    this.paused = play.paused;
    play.paused = true;
    this.active = true;
    this.marks = [...play.node.state.board];
    this.before = this.marks.join("");
    this.turn = play.turn;
    // A board with holes is that of a game whose pieces cannot be set up.
    const marksOnly = !this.board.shape.burns && this.before.includes("?");
    this.ground = this.before.includes("?") ? "burnt squares" : play.node.state.levels ? "buildings" : null;
    if (marksOnly) this.ground = null;
    this.tool = marksOnly ? "TR" : "B";
    const names = Object.entries(sides(play.game));
    const tools = [...names, ...TOOLS].filter(([id]) => !marksOnly || id.length > 1).map(([id, text]) => {
      const input = h("input", { type: "radio", name: "tool", value: id, checked: id === this.tool });
      input.addEventListener("change", () => (this.tool = id));
      return h("label", { className: "tool" }, input, h("span", { textContent: text }));
    });
    const turn = select(names.map(([side, name]) => [side, `${name} to move`]), this.turn);
    turn.ariaLabel = "Side to move";
    turn.addEventListener("change", () => (this.turn = turn.value));
    const empty = button("Clear", () => {
      this.clear();
      this.marks = this.marks.map(() => ".");
      this.draw();
    });
    turn.hidden = empty.hidden = marksOnly;
    const done = button("Done", () => this.finish(), "main");
    $("tools").replaceChildren(h("div", { role: "radiogroup", ariaLabel: "What a click does" }, ...tools), turn, empty, button("Cancel", () => this.end()), done);
    $("tools").hidden = false;
    this.shown();
  }

  draw() {
    this.board.clear();
    this.board.inside(null);
    this.board.owners(null);
    this.board.highlight([], [], []);
    const { state } = this.play.node;
    const same = this.marks.join("") === this.before;
    this.board.position(this.marks, same ? state.heights : null, same ? state.levels : null);
    this.board.marks(this.play.node.marks);
  }

  click(point) {
    const { tool, play } = this;
    if (tool === "B" || tool === "W" || tool === ".") {
      this.clear();
      this.marks[point] = this.marks[point] === tool ? "." : tool;
    } else {
      const { marks } = play.node;
      const name = play.points.name(point);
      if (marks.has(name)) marks.delete(name);
      else marks.set(name, tool === "LB" ? this.nextLabel(marks) : tool);
    }
    this.draw();
  }

  /** A position is set up of pieces alone: with the first change what else stands there is gone. */
  clear() {
    if (!this.ground) return;
    this.marks = this.marks.map((mark) => (mark === "?" ? "." : mark));
    this.play.tell("message", `A position that is set up has no ${this.ground}. Cancel brings them back.`);
    this.ground = null;
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
    if (!this.active) return;
    const tree = new Tree(setup);
    tree.root.marks = marks;
    this.leave();
    const { game, size, komi, rules, swap } = play;
    play.paused = true;
    play.begin({ game, size, komi, rules, swap, tree });
  }

  /** Goes back to the game as it was. */
  end() {
    if (!this.active) return;
    this.leave();
    this.play.paused = this.paused;
    this.play.moved();
  }

  /** Ends where the game is at another position. */
  leave() {
    this.active = false;
    $("tools").hidden = true;
  }
}
