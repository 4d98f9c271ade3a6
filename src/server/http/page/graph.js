// The course of the game: Black's winning chances and the score over the moves of a line. A click goes there.

import { el, set } from "./svg.js";

const WIDTH = 600;
const HEIGHT = 120;

export class Graph {
  constructor(box, onGo) {
    this.svg = el("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": "No values yet" });
    this.area = el("path", { class: "area" });
    this.above = el("path", { class: "above" });
    this.score = el("path", { class: "score" });
    this.win = el("path", { class: "win" });
    this.now = el("line", { y1: 0, y2: HEIGHT, class: "now" });
    this.faults = el("g", { class: "faults" });
    this.svg.append(
      el("rect", { width: WIDTH, height: HEIGHT, class: "ground" }),
      this.above,
      this.area,
      el("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "half" }),
      this.score,
      this.win,
      this.faults,
      this.now,
    );
    box.append(this.svg);
    this.line = [];
    this.svg.addEventListener("click", (event) => {
      const bounds = this.svg.getBoundingClientRect();
      const at = Math.round(((event.clientX - bounds.left) / bounds.width) * Math.max(1, this.line.length - 1));
      if (this.line[at]) onGo(this.line[at]);
    });
  }

  /** `kind(node)` names a fault of the move before a node, or nothing; `first` is the name of the side whose chances are drawn. */
  show(line, current, kind, first) {
    this.line = line;
    const last = Math.max(1, line.length - 1);
    const x = (i) => ((i / last) * WIDTH).toFixed(1);
    const known = line.map((node, i) => [i, node.values]).filter(([, values]) => values);
    const y = (winrate) => ((1 - winrate) * HEIGHT).toFixed(1);
    const path = known.map(([i, values], k) => `${k ? "L" : "M"}${x(i)} ${y(values.winrate)}`).join("");
    set(this.win, "d", path || "M0 0");
    const ends = known.length ? [known[0][0], known[known.length - 1][0]] : null;
    const closed = (side) => (ends ? `${path}L${x(ends[1])} ${side}L${x(ends[0])} ${side}Z` : "M0 0");
    set(this.area, "d", closed(HEIGHT));
    set(this.above, "d", closed(0));
    const most = Math.max(10, ...known.map(([, values]) => Math.abs(values.score)));
    const scored = known.some(([, values]) => values.score !== 0);
    const at = (score) => (HEIGHT / 2 - (score / most) * (HEIGHT / 2 - 4)).toFixed(1);
    set(this.score, "d", scored ? known.map(([i, values], k) => `${k ? "L" : "M"}${x(i)} ${at(values.score)}`).join("") : "M0 0");
    const here = line.indexOf(current);
    set(this.now, "x1", x(here));
    set(this.now, "x2", x(here));
    const dots = known.map(([i, values]) => [i, values, kind(line[i])]).filter(([, , fault]) => fault);
    this.faults.replaceChildren(...dots.map(([i, values, fault]) => el("ellipse", { cx: x(i), cy: y(values.winrate), rx: 4, ry: 4, class: fault })));
    const told = line[here]?.values;
    set(this.svg, "aria-label", told ? `Move ${line[here].number} of ${line[line.length - 1].number}: ${first} ${Math.round(100 * told.winrate)} %` : "No value of this move yet");
  }
}
