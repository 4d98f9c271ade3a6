// The rows above and below the board: who plays each side, whose turn it is, clocks, and how the game ended.

import { LOW, isLow, show } from "./clock.js";
import { FULL } from "./play.js";
import { $, say, set } from "./svg.js";
import { levelName } from "./texts.js";

export class Seats {
  /** `names()`: names of the sides. */
  constructor(play, names) {
    this.play = play;
    this.names = names;
    this.warned = null;
  }

  show() {
    const { play } = this;
    const names = this.names();
    const { state } = play.node;
    const result = play.result(names);
    const single = play.game.players === 1;
    const level = `Engine${play.level === FULL ? "" : `, ${levelName(play.level).toLowerCase()}`}${play.model === "none" ? ", no model" : ""}`;
    const counted = (marks) => (state ? [...state.board].filter((mark) => marks.includes(mark)).length : 0);
    for (const [place, colour] of [["above", "W"], ["below", "B"]]) {
      const box = $(place);
      const [stone, label, note] = box.children;
      box.hidden = single && colour === "W";
      set(stone, "class", `stone ${colour.toLowerCase()} ${play.game.grid}`);
      const person = play.tree.info[`P${colour}`] ?? "Person";
      say(label, single ? "Stones" : `${names[colour]} · ${play.players[colour] === "engine" ? level : person}`);
      const turn = !result && play.turn === colour;
      box.classList.toggle("turn", turn);
      const pieces = single ? `${counted("BW")} left` : play.game.grid === "cells" ? `${counted(colour)} on the board` : "";
      say(note, result ? (colour === "B" ? result : "") : turn && play.thinking ? "thinking" : pieces);
    }
    this.tick();
  }

  /** Shows the clocks. */
  tick() {
    const { play } = this;
    const { clock, timer, node } = play;
    for (const [place, colour] of [["above", "W"], ["below", "B"]]) {
      const face = $(place).lastElementChild;
      face.hidden = !clock;
      if (!clock) continue;
      const left = (node.flagged !== colour && timer.now(node, colour)) || { time: 0, count: 0 };
      const low = isLow(clock, left);
      say(face, show(clock, left));
      set(face, "class", `clock ${timer.running?.colour === colour ? "running" : ""} ${low ? "low" : ""}`);
      if (low && timer.running?.colour === colour) this.warn(node, colour, left);
    }
  }

  /** Says once a move that time is low. */
  warn(node, colour, { time }) {
    if (this.warned === node || time > LOW) return;
    this.warned = node;
    say($("spoken"), `${this.names()[colour]}: ${Math.ceil(time)} seconds left.`);
  }
}
