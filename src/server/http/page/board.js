// The board: a static grid, pieces that change with the position, an overlay that changes with each report.
// Clicks are found by place, so that nothing drawn can take them away.

import { Tags, arrow } from "./arrows.js";
import { drawn } from "./insideview.js";
import { el, set, say } from "./svg.js";
import { shapeOf } from "./shapes.js";

/** Most moves of the overlay: of one point, and of several. */
const SHOWN = 24;
const ARROWS = 6;
/** Most moves of a variation by the points of a move: arrows soon hide each other. */
const LINE = { 1: 16, 2: 5, 3: 3 };
/** Longer side of a board, with its coordinates, from which on a small screen has no room for visits. */
const LARGE = 13.5;

export class Board {
  /** `onPoint(point)` is told of clicks, `onHover(point or null)` of the mouse. */
  constructor(svg, onPoint, onHover) {
    this.svg = svg;
    this.layers = {};
    for (const name of ["grid", "last", "levels", "inside", "shares", "heat", "coordinates", "pieces", "marks", "overlay", "tags", "cursor"]) {
      this.layers[name] = el("g", { class: name });
      svg.append(this.layers[name]);
    }
    this.pieces = [];
    this.heat = [];
    this.shared = new Map();
    this.pool = new Map();
    this.tags = new Tags();
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
      if (event.button !== 0) return;
      const point = this.pointAt(event.clientX, event.clientY);
      const [from, dragging] = [pressed, this.dragging];
      pressed = null;
      this.dragging = false;
      if (from === null || point === null) return;
      if (dragging ? point !== from : point === from) onPoint(point);
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
    this.shape = shapeOf(game, points, this.isCell);
    if (this.shape.burns) this.isCell = () => true;
    this.arrows = game.points > 1;
    this.longest = LINE[game.points];
    const longer = Math.max(this.shape.box[2], this.shape.box[3]);
    this.tags.size = Math.min(0.25, Math.max(0.19, 0.026 * longer));
    this.svg.setAttribute("viewBox", this.shape.box.map((n) => n.toFixed(3)).join(" "));
    // Letters of the same size on small boards and large ones.
    this.svg.style.setProperty("--letter", `${Math.min(0.3, 0.024 * longer).toFixed(3)}px`);
    this.svg.style.setProperty("--tag", `${this.tags.size.toFixed(3)}px`);
    const bare = this.svg.classList.contains("bare") ? "bare" : "";
    this.svg.setAttribute("class", `board ${game.grid} ${game.word} ${longer > LARGE ? "large" : ""} ${bare}`);
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    delete this.layers.last.dataset.key;
    this.layers.grid.append(...this.shape.grid);
    this.layers.coordinates.append(...this.shape.coordinates);
    this.pool.clear();
    this.shared.clear();
    this.pieces = new Array(points.count).fill(null);
    this.heat = new Array(points.count).fill(null);
    this.ground = "";
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

  /** Shows the pieces of a position, and what is built or burnt. `heights` and `levels` have a number for each point, or are null. */
  position(marks, heights, levels = null) {
    this.built(marks, levels);
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

  /** Levels as squares on each other, the fourth as a dome; and squares that are burnt. */
  built(marks, levels) {
    const burnt = this.shape.burns ? [...Array(this.points.count).keys()].filter((point) => marks[point] === "?") : [];
    const ground = `${burnt.join()}|${levels?.join() ?? ""}`;
    if (ground === this.ground) return;
    this.ground = ground;
    const all = burnt.flatMap((point) => {
      const [x, y] = this.shape.centre(point);
      return [this.shape.area(point, "burnt"), el("path", { d: `M${x - 0.2} ${y - 0.2}l.4 .4m0 -.4l-.4 .4`, class: "burnt-cross" })];
    });
    this.layers.levels.replaceChildren(...all, ...(levels ?? []).flatMap((count, point) => (count ? this.building(point, count) : [])));
  }

  building(point, count) {
    const [x, y] = this.shape.centre(point);
    // A piece hides the squares, not their number in the corner.
    const number = el("text", { x: x + 0.375, y: y + 0.375, class: "storey" });
    number.textContent = Math.min(3, count);
    const squares = Array.from({ length: count }, (_, level) => {
      if (level === 3) return el("circle", { cx: x, cy: y, r: 0.27, class: "dome" });
      const half = 0.46 - 0.09 * level;
      return el("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 0.04, class: `level l${level + 1}` });
    });
    return count > 3 ? squares : [...squares, number];
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
    if (last.length) {
      const to = last[Math.min(last.length, 2) - 1];
      const [cx, cy] = this.shape.centre(to);
      marks.push(el("circle", { cx, cy, r: 0.17, class: `last-dot ${this.pieces[to]?.mark === "W" ? "w" : "b"}` }));
    }
    if (last.length > 1) {
      const [cx, cy] = this.shape.centre(last[0]);
      marks.push(el("circle", { cx, cy, r: 0.17, class: "last-dot from" }));
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

  /** How much of something goes to each point: a map to numbers up to 1; null for nothing. */
  shares(shares) {
    for (const [point, node] of this.shared) set(node, "opacity", (0.75 * Math.sqrt(shares?.get(point) ?? 0)).toFixed(2));
    for (const [point, share] of shares ?? []) {
      if (this.shared.has(point)) continue;
      const node = this.shape.area(point, "share");
      node.setAttribute("opacity", (0.75 * Math.sqrt(share)).toFixed(2));
      this.shared.set(point, node);
      this.layers.shares.append(node);
    }
  }

  /** Element of the overlay that stays from report to report. */
  kept(key, make) {
    let kept = this.pool.get(key);
    if (!kept) {
      kept = make();
      this.pool.set(key, kept);
      this.layers.overlay.append(kept.node);
      if (kept.tag) this.layers.tags.append(kept.tag.node);
    }
    kept.used = true;
    if (kept.hidden) {
      kept.node.removeAttribute("visibility");
      kept.tag?.node.removeAttribute("visibility");
      kept.hidden = false;
    }
    return kept;
  }

  /** Begins a new picture of the overlay; `sweep` hides what was not drawn again. */
  begun() {
    for (const kept of this.pool.values()) kept.used = false;
    this.tags.begin();
  }

  sweep() {
    for (const kept of this.pool.values()) {
      if (!kept.used && !kept.hidden) {
        kept.node.setAttribute("visibility", "hidden");
        kept.tag?.node.setAttribute("visibility", "hidden");
        kept.hidden = true;
      }
    }
  }

  /** At most so many candidates: [{move, quality 0..1, text, small, kind: "" | "won" | "lost", best}], best first. */
  candidates(list, most = SHOWN) {
    this.begun();
    if (this.arrows) {
      this.stacked(foremost(list.map((candidate) => ({ ...candidate, points: this.points.ofMove(candidate.move) }))).slice(0, ARROWS));
    } else {
      for (const candidate of list.slice(0, most)) for (const point of this.points.ofMove(candidate.move)) this.disc(point, candidate);
    }
    this.sweep();
  }

  /** Arrows, short ones on long ones and else the first on top. What a piece does from where it goes is shown of the first alone. */
  stacked(list) {
    const shown = list.map((candidate, index) => this.arrow(index ? candidate.points.slice(0, 2) : candidate.points, candidate));
    const nodes = shown.reverse().sort((a, b) => b.length - a.length).map(({ node }) => node);
    const { overlay } = this.layers;
    const now = [...overlay.children].slice(-nodes.length);
    if (now.some((node, i) => node !== nodes[i])) overlay.append(...nodes);
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
    set(kept.node, "class", `candidate disc ${kind} ${best ? "best" : ""} q${Math.round(5 * quality)}`);
    say(kept.big, text);
    say(kept.little, small);
  }

  /** From where to where a piece goes; and a dotted line to what it does from there. */
  arrow(points, { quality, text, kind, best }) {
    // A way along a track depends on the pieces that stand on it.
    const stand = this.shape.route ? this.pieces.map((piece) => (piece ? 1 : 0)).join("") : "";
    const kept = this.kept(`a${points.join("-")} ${stand}`, () => ({ ...arrow(this.shape, points, (point) => !this.pieces[point]), tag: this.tags.make() }));
    const looks = `candidate arrow ${kind} ${best ? "best" : ""} q${Math.round(5 * quality)}`;
    set(kept.node, "class", looks);
    const { node, box, text: words } = kept.tag;
    const at = this.tags.place(kept.places, text.length);
    set(node, "class", at ? `${looks} tag` : "none");
    if (at) {
      for (const [name, value] of [["x", at.x - at.width / 2], ["y", at.y - at.height / 2], ["width", at.width], ["height", at.height]]) set(box, name, value.toFixed(3));
      for (const name of ["x", "y"]) set(words, name, at[name].toFixed(3));
    }
    say(words, text);
    return kept;
  }

  /** A variation: its moves in order, numbered. */
  variation(moves, turn, players) {
    this.begun();
    let colour = turn;
    const arrows = [];
    moves.slice(0, this.longest).forEach((move, index) => {
      const points = this.points.ofMove(move);
      if (points.length === 1) this.ghost(points[0], colour, index + 1);
      else if (points.length > 1) {
        const looks = { quality: index % 2 ? 0.3 : 1, text: String(index + 1), kind: index % 2 ? "reply" : "", best: index === 0 };
        arrows.push(this.arrow(points, looks));
      }
      if (players > 1) colour = colour === "B" ? "W" : "B";
    });
    this.layers.overlay.append(...arrows.map(({ node }) => node).reverse());
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

/** The first of the moves of each piece to each place. */
function foremost(list) {
  const seen = new Set();
  return list.filter(({ points }) => {
    const key = points.slice(0, 2).join();
    if (points.length < 2 || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
