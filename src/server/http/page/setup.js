// Setting a position up, and marking points.

import { button, select } from "./box.js";
import { contentsOf } from "./contents.js";
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

/** Tools for what a game has beside pieces: burnt squares, and levels, the fourth of which is a dome. */
function groundTools({ burns, levels }) {
  const building = Array.from({ length: levels }, (_, i) => [String(i + 1), i === 3 ? "Dome" : `Level ${i + 1}`]);
  return burns ? [["?", "Burnt"], ...building] : building;
}

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
    const { state } = play.node;
    this.marks = [...state.board];
    this.heights = [...(state.heights ?? this.marks.map((mark) => (mark === "B" || mark === "W" ? 1 : 0)))];
    this.levels = [...(state.levels ?? this.marks.map(() => 0))];
    this.before = this.key();
    this.turn = play.turn;
    this.tool = "B";
    this.height = 1;
    const names = Object.entries(sides(play.game));
    const tools = [...names, ...groundTools(play.game), ...TOOLS].map(([id, text]) => {
      const input = h("input", { type: "radio", name: "tool", value: id, checked: id === this.tool });
      input.addEventListener("change", () => (this.tool = id));
      return h("label", { className: "tool" }, input, h("span", { textContent: text }));
    });
    const heights = Array.from({ length: play.game.tallest }, (_, i) => [i + 1, i ? `Towers of ${i + 1}` : "Single pieces"]);
    const height = select(heights, this.height);
    height.ariaLabel = "Height";
    height.addEventListener("change", () => (this.height = Number(height.value)));
    const turn = select(names.map(([side, name]) => [side, `${name} to move`]), this.turn);
    turn.ariaLabel = "Side to move";
    turn.addEventListener("change", () => (this.turn = turn.value));
    const empty = button("Clear", () => {
      for (const point of this.marks.keys()) this.empty(point);
      this.shown();
    });
    const done = button("Done", () => this.finish(), "main");
    $("tools").replaceChildren(h("div", { role: "radiogroup", ariaLabel: "What a click does" }, ...tools), ...(heights.length > 1 ? [height] : []), turn, empty, button("Cancel", () => this.end()), done);
    $("tools").hidden = false;
    this.shown();
  }

  draw() {
    this.board.clear();
    this.board.inside(null);
    this.board.owners(null);
    this.board.highlight([], [], []);
    this.board.position(this.marks, this.heights, this.levels);
    this.board.marks(this.play.node.marks);
  }

  /** The position as it stands, as the engine tells of one. */
  get position() {
    return { game: this.play.game.word, board: this.marks, heights: this.heights, levels: this.levels };
  }

  /** All that stands on the board, to be compared. */
  key() {
    return `${this.marks.join("")} ${this.heights} ${this.levels}`;
  }

  /** Leaves nothing on a point. Points beside the board stay so. */
  empty(point) {
    if (this.marks[point] !== "?" || this.play.game.burns) this.marks[point] = ".";
    this.heights[point] = this.levels[point] = 0;
  }

  /** Does what the tool does; a second time it takes that away. */
  click(point) {
    const { tool, play } = this;
    if (tool === ".") {
      this.empty(point);
    } else if (tool === "B" || tool === "W") {
      const again = this.marks[point] === tool && this.heights[point] === this.height;
      this.marks[point] = again ? "." : tool;
      this.heights[point] = again ? 0 : this.height;
    } else if (tool === "?") {
      this.marks[point] = this.marks[point] === "?" ? "." : "?";
      this.heights[point] = 0;
    } else if (Number(tool)) {
      this.levels[point] = this.levels[point] === Number(tool) ? 0 : Number(tool);
    } else {
      const { marks } = play.node;
      const name = play.points.name(point);
      if (marks.has(name)) marks.delete(name);
      else marks.set(name, tool === "LB" ? this.nextLabel(marks) : tool);
    }
    this.shown();
  }

  nextLabel(marks) {
    const taken = new Set(marks.values());
    return [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !taken.has(letter)) ?? "Z";
  }

  /** Begins a game at the position, if it is another one. */
  async finish() {
    const { play } = this;
    if (this.key() === this.before && this.turn === play.turn) {
      this.end();
      return;
    }
    const { marks } = play.node;
    const setup = { turn: this.turn, stones: contentsOf(this.position, play.game, play.points) };
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
