// The board: a static grid, pieces that change with the position, an overlay that changes with each report.
// Clicks are found by place, so that nothing drawn can take them away.

import { drawn } from "./insideview.js";
import { el, set, say } from "./svg.js";
import { shapeOf } from "./shapes.js";

/** Most moves of the overlay. */
const SHOWN = 24;

export class Board {
  /** `onPoint(point)` is told of clicks, `onHover(point or null)` of the mouse. */
  constructor(svg, onPoint, onHover) {
    this.svg = svg;
    this.layers = {};
    for (const name of ["grid", "levels", "inside", "heat", "coordinates", "last", "pieces", "marks", "overlay", "cursor"]) {
      this.layers[name] = el("g", { class: name });
      svg.append(this.layers[name]);
    }
    this.pieces = [];
    this.heat = [];
    this.pool = new Map();
    let pressed = null;
    let hovered = null;
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      pressed = this.pointAt(event.clientX, event.clientY);
      if (pressed === null) return;
      // A piece is taken at once, so that it can be dragged.
      if (this.takes?.(pressed)) {
        onPoint(pressed);
        this.dragging = true;
      }
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointerup", (event) => {
      const point = this.pointAt(event.clientX, event.clientY);
      const { dragging } = this;
      this.dragging = false;
      if (pressed === null || point === null) return;
      if (dragging ? point !== pressed : point === pressed) onPoint(point);
      pressed = null;
    });
    svg.addEventListener("pointercancel", () => {
      pressed = null;
      this.dragging = false;
    });
    svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return;
      const point = this.pointAt(event.clientX, event.clientY);
      if (point !== hovered) onHover((hovered = point));
    });
    svg.addEventListener("pointerleave", () => {
      if (hovered !== null) onHover((hovered = null));
    });
  }

  /** Draws the grid of a game. `marks` is the board in the engine's letters. */
  begin(game, points, marks) {
    this.points = points;
    this.isCell = (point) => marks[point] !== "?";
    this.shape = shapeOf(game.grid, points, this.isCell);
    this.arrows = game.points > 1;
    this.svg.setAttribute("viewBox", this.shape.box.map((n) => n.toFixed(3)).join(" "));
    // Letters of the same size on small boards and large ones.
    this.svg.style.setProperty("--letter", `${Math.min(0.3, 0.024 * Math.max(this.shape.box[2], this.shape.box[3])).toFixed(3)}px`);
    this.svg.setAttribute("class", `board ${game.grid} ${game.word}`);
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    delete this.layers.last.dataset.key;
    this.layers.grid.append(...this.shape.grid);
    this.layers.coordinates.append(...this.shape.coordinates);
    this.pool.clear();
    this.pieces = new Array(points.count).fill(null);
    this.heat = new Array(points.count).fill(null);
    this.levels = new Array(points.count).fill(0);
    this.cursorPoint = null;
  }

  /** The ratio of width to height. */
  get ratio() {
    return this.shape.box[2] / this.shape.box[3];
  }

  /** The nearest point to a place on the screen; null where none is near. */
  pointAt(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.points) return null;
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    let [best, nearest] = [null, 0.72 * 0.72];
    for (let point = 0; point < this.points.count; point++) {
      const [x, y] = this.shape.centre(point);
      const distance = (x - at.x) ** 2 + (y - at.y) ** 2;
      if (distance < nearest && this.isCell(point)) [best, nearest] = [point, distance];
    }
    return best;
  }

  /** Where a point is on the screen. */
  placeOf(point) {
    const [x, y] = this.shape.centre(point);
    const place = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM());
    return [place.x, place.y];
  }

  /** Shows the pieces of a position, and what is built. `heights` and `levels` have a number for each point, or are null. */
  position(marks, heights, levels = null) {
    this.built(levels);
    for (let point = 0; point < this.points.count; point++) {
      const mark = marks[point] === "B" || marks[point] === "W" ? marks[point] : null;
      const height = mark ? (heights?.[point] ?? 1) : 0;
      const old = this.pieces[point];
      if (mark === (old?.mark ?? null) && height === (old?.height ?? 0)) continue;
      old?.node.remove();
      this.pieces[point] = mark ? { mark, height, node: this.piece(point, mark, height) } : null;
      if (mark) this.layers.pieces.append(this.pieces[point].node);
    }
  }

  /** Levels as squares on each other, the fourth as a dome. */
  built(levels) {
    const now = this.levels.map((_, point) => levels?.[point] ?? 0);
    if (now.join() === this.levels.join()) return;
    this.levels = now;
    const all = now.flatMap((count, point) => {
      if (!count) return [];
      const [x, y] = this.shape.centre(point);
      // A piece hides the squares, not their number in the corner.
      const number = el("text", { x: x + 0.395, y: y + 0.395, class: "storey" });
      number.textContent = count;
      const squares = Array.from({ length: count }, (_, level) => {
        if (level === 3) return el("circle", { cx: x, cy: y, r: 0.22, class: "dome" });
        const half = 0.46 - 0.09 * level;
        return el("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 0.04, class: `level l${level + 1}` });
      });
      return [...squares, number];
    });
    this.layers.levels.replaceChildren(...all);
  }

  piece(point, mark, height) {
    const [x, y] = this.shape.centre(point);
    const node = el("g", { class: `piece ${mark === "B" ? "b" : "w"}` });
    // A tower: its pieces a little above each other, and their number.
    for (let level = 0; level < height; level++) {
      const top = level === height - 1;
      node.append(el("circle", { cx: x, cy: y + 0.06 * (height - 1) / 2 - 0.06 * level, r: this.shape.stone, class: top ? "top" : "under" }));
    }
    if (height === 1) return node;
    const label = el("text", { x, y: y - 0.06 * (height - 1) / 2, class: "height" });
    label.textContent = height;
    node.append(label);
    return node;
  }

  /** Marks the last move's points, those of the move in hand and where it can go. */
  highlight(last, picked, targets) {
    const { last: layer } = this.layers;
    const key = `${last.join()}|${picked.join()}|${targets.join()}`;
    if (layer.dataset.key === key) return;
    layer.dataset.key = key;
    layer.replaceChildren();
    for (const point of last) layer.append(this.shape.area(point, "last-cell"));
    for (const point of picked) layer.append(this.shape.area(point, "selected-cell"));
    const marks = [];
    for (const point of targets) {
      const [cx, cy] = this.shape.centre(point);
      marks.push(el("circle", { cx, cy, r: 0.16, class: "target" }));
    }
    if (last.length === 1) {
      const [cx, cy] = this.shape.centre(last[0]);
      marks.push(el("circle", { cx, cy, r: 0.17, class: `last-dot ${this.pieces[last[0]]?.mark === "W" ? "w" : "b"}` }));
    }
    this.layers.cursor.querySelectorAll(".target, .last-dot").forEach((node) => node.remove());
    this.layers.cursor.append(...marks);
  }

  /** Shows what the solver tells; null for nothing. */
  inside(picture) {
    this.layers.inside.replaceChildren(...(picture ? drawn(this, picture) : []));
  }

  /** Marks and labels of a position, by name of point. */
  marks(marks) {
    this.layers.marks.replaceChildren();
    for (const [name, kind] of marks) {
      const point = this.points.point(name);
      if (point === null) continue;
      const [x, y] = this.shape.centre(point);
      const on = this.pieces[point] ? `on-${this.pieces[point].mark.toLowerCase()}` : "on-none";
      const r = 0.24;
      const shape =
        kind === "CR" ? el("circle", { cx: x, cy: y, r })
        : kind === "SQ" ? el("rect", { x: x - 0.2, y: y - 0.2, width: 0.4, height: 0.4 })
        : kind === "TR" ? el("path", { d: `M${x} ${y - r}L${x + r} ${y + 0.17}L${x - r} ${y + 0.17}Z` })
        : kind === "SL" ? el("circle", { cx: x, cy: y, r: 0.12, class: "spot" })
        : kind === "MA" ? el("path", { d: `M${x - 0.18} ${y - 0.18}l.36 .36m0 -.36l-.36 .36` })
        : el("text", { x, y });
      if (shape.tagName === "text") shape.textContent = kind;
      shape.classList.add("mark", on);
      this.layers.marks.append(shape);
    }
  }

  /** Whose each point is, from -1 for White to 1 for Black; null for none. */
  owners(owners) {
    for (let point = 0; point < this.points.count; point++) {
      const value = owners?.[point] ?? 0;
      let node = this.heat[point];
      if (!node) {
        if (Math.abs(value) < 0.1) continue;
        const [x, y] = this.shape.centre(point);
        node = el("rect", { x: x - 0.24, y: y - 0.24, width: 0.48, height: 0.48 });
        this.heat[point] = node;
        this.layers.heat.append(node);
      }
      set(node, "class", value > 0 ? "b" : "w");
      set(node, "opacity", Math.abs(value) < 0.1 ? 0 : (0.85 * Math.abs(value)).toFixed(2));
    }
    // Above the stones, so that dead ones are seen.
    if (this.layers.pieces.nextSibling !== this.layers.heat) this.layers.pieces.after(this.layers.heat);
  }

  /** Element of the overlay that stays from report to report. */
  kept(key, make) {
    let kept = this.pool.get(key);
    if (!kept) {
      kept = make();
      this.pool.set(key, kept);
      this.layers.overlay.append(kept.node);
    }
    kept.used = true;
    if (kept.hidden) {
      kept.node.removeAttribute("visibility");
      kept.hidden = false;
    }
    return kept;
  }

  /** Begins a new picture of the overlay; `sweep` hides what was not drawn again. */
  begun() {
    for (const kept of this.pool.values()) kept.used = false;
  }

  sweep() {
    for (const kept of this.pool.values()) {
      if (!kept.used && !kept.hidden) {
        kept.node.setAttribute("visibility", "hidden");
        kept.hidden = true;
      }
    }
  }

  /** Candidates: [{move, quality 0..1, text, small, kind: "" | "won" | "lost", best}], best first. */
  candidates(list) {
    this.begun();
    const shown = list.slice(0, this.arrows ? 6 : SHOWN);
    for (const candidate of shown) {
      const points = this.points.ofMove(candidate.move);
      if (points.length === 1) this.disc(points[0], candidate);
      else if (points.length > 1) this.arrow(points, candidate);
    }
    this.sweep();
  }

  disc(point, { quality, text, small, kind, best }) {
    const [x, y] = this.shape.centre(point);
    const kept = this.kept(`d${point}`, () => {
      const node = el("g");
      const circle = el("circle", { cx: x, cy: y, r: this.shape.stone });
      const big = el("text", { x, y: y - 0.08, class: "value" });
      const little = el("text", { x, y: y + 0.22, class: "visits" });
      node.append(circle, big, little);
      return { node, circle, big, little };
    });
    set(kept.node, "class", `candidate ${kind} ${best ? "best" : ""} q${Math.round(5 * quality)}`);
    say(kept.big, text);
    say(kept.little, small);
  }

  /** From where to where a piece goes; and a dotted line to what it does from there. */
  arrow(points, { quality, text, kind, best }) {
    const [[x1, y1], [x2, y2], third] = points.map((point) => this.shape.centre(point));
    const kept = this.kept(`a${points.join("-")}`, () => {
      const node = el("g");
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [ex, ey] = [x2 - 0.18 * dx, y2 - 0.18 * dy];
      const head = `M${ex} ${ey}L${ex - 0.3 * dx - 0.16 * dy} ${ey - 0.3 * dy + 0.16 * dx}L${ex - 0.3 * dx + 0.16 * dy} ${ey - 0.3 * dy - 0.16 * dx}Z`;
      const [mx, my] = [x1 + 0.45 * (x2 - x1), y1 + 0.45 * (y2 - y1)];
      const big = el("text", { x: mx, y: my, class: "value" });
      node.append(
        el("line", { x1: x1 + 0.2 * dx, y1: y1 + 0.2 * dy, x2: ex - 0.25 * dx, y2: ey - 0.25 * dy }),
        el("path", { d: head }),
        el("rect", { x: mx - 0.19, y: my - 0.12, width: 0.38, height: 0.24, rx: 0.06 }),
        big,
      );
      if (third) {
        const [x, y] = third;
        node.append(el("line", { x1: x2, y1: y2, x2: x, y2: y, class: "then" }), el("rect", { x: x - 0.14, y: y - 0.14, width: 0.28, height: 0.28, class: "then" }));
      }
      return { node, big };
    });
    set(kept.node, "class", `candidate arrow ${kind} ${best ? "best" : ""} q${Math.round(5 * quality)}`);
    say(kept.big, text);
  }

  /** A variation: its moves in order, numbered. */
  variation(moves, turn, players) {
    this.begun();
    let colour = turn;
    moves.slice(0, this.arrows ? 5 : 16).forEach((move, index) => {
      const points = this.points.ofMove(move);
      if (points.length === 1) this.ghost(points[0], colour, index + 1);
      else if (points.length > 1) {
        this.arrow(points, { quality: index % 2 ? 0.3 : 1, text: String(index + 1), kind: index % 2 ? "reply" : "", best: index === 0 });
      }
      if (players > 1) colour = colour === "B" ? "W" : "B";
    });
    this.sweep();
  }

  ghost(point, colour, number) {
    const [x, y] = this.shape.centre(point);
    const kept = this.kept(`g${point}`, () => {
      const node = el("g");
      const label = el("text", { x, y, class: "number" });
      node.append(el("circle", { cx: x, cy: y, r: this.shape.stone }), label);
      return { node, label };
    });
    set(kept.node, "class", `ghost piece ${colour === "B" ? "b" : "w"}`);
    say(kept.label, String(number));
  }

  /** Nothing in the overlay. */
  clear() {
    this.begun();
    this.sweep();
  }

  /** The point that the keyboard is at; null for none. */
  cursor(point) {
    this.cursorPoint = point;
    this.layers.cursor.querySelector(".key")?.remove();
    if (point === null) return;
    const [cx, cy] = this.shape.centre(point);
    this.layers.cursor.append(el("circle", { cx, cy, r: 0.47, class: "key" }));
  }

  /** The point one step from another; itself at the edge. */
  step(point, dx, dy) {
    const { width, height } = this.points;
    let [x, y] = [point % width, Math.floor(point / width)];
    do {
      x += dx;
      y += dy;
      if (x < 0 || y < 0 || x >= width || y >= height) return point;
    } while (!this.isCell(y * width + x));
    return y * width + x;
  }
}
