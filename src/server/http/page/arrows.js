// Arrows for moves of several points, and the tags that tell what they are worth.

import { el } from "./svg.js";

/** Places of a tag along its arrow, the liked ones first. */
const ALONG = [0.45, 0.6, 0.3, 0.75, 0.15];
/** Those of an arrow to a neighbour, whose head would be hidden. */
const BESIDE = [0.36, 0.5, 0.2, 0.62, 0.05];
/** Length of a way along a track, beside straight ones. */
const LONGEST = 99;

/** An arrow: {node, length, places: where its tag may be}. `third` is what the piece does from where it goes. */
export function arrow(shape, points, isEmpty) {
  const [from, to, third] = points.map((point) => shape.centre(point));
  const node = el("g");
  const long = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])) > 1;
  // A step is straight; what goes further, or takes, goes along a track.
  const way = long || !isEmpty(points[1]) ? (shape.route?.(points[0], points[1], isEmpty) ?? null) : null;
  const places = way ? bent(node, way, to) : straight(node, from, to);
  if (third) {
    const [x, y] = third;
    node.append(el("line", { x1: to[0], y1: to[1], x2: x, y2: y, class: "then" }), el("rect", { x: x - 0.14, y: y - 0.14, width: 0.28, height: 0.28, class: "then" }));
  }
  return { node, length: way ? LONGEST : Math.hypot(to[0] - from[0], to[1] - from[1]), places };
}

function straight(node, [x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [ex, ey] = [x2 - 0.18 * dx, y2 - 0.18 * dy];
  node.append(el("path", { d: `M${x1 + 0.2 * dx} ${y1 + 0.2 * dy}L${ex - 0.25 * dx} ${ey - 0.25 * dy}`, class: "shaft" }), head([ex, ey], [dx, dy]));
  return (length < 1.5 ? BESIDE : ALONG).map((share) => [x1 + share * (x2 - x1), y1 + share * (y2 - y1)]);
}

/** Along a track around corners of the board. */
function bent(node, { d, at, heading }, [x, y]) {
  node.append(el("path", { d, class: "shaft" }), head([x + 0.1 * heading[0], y + 0.1 * heading[1]], heading));
  return [at, [at[0] + 0.4, at[1]], [at[0] - 0.4, at[1]]];
}

function head([x, y], [dx, dy]) {
  const back = [x - 0.3 * dx, y - 0.3 * dy];
  return el("path", { d: `M${x} ${y}L${back[0] - 0.16 * dy} ${back[1] + 0.16 * dx}L${back[0] + 0.16 * dy} ${back[1] - 0.16 * dx}Z`, class: "head" });
}

/** Tags on top of all arrows, none over another. */
export class Tags {
  constructor() {
    this.size = 0.19;
    this.taken = [];
  }

  /** Forgets what is taken. */
  begin() {
    this.taken = [];
  }

  make() {
    const node = el("g");
    const box = el("rect", { rx: 0.06 });
    const text = el("text", { class: "value" });
    node.append(box, text);
    return { node, box, text };
  }

  /** A free place of so many letters among `places`; null where there is none. */
  place(places, letters) {
    const [width, height] = this.measure(letters);
    const free = places.find(([x, y]) => this.taken.every((other) => Math.abs(x - other.x) >= (width + other.width) / 2 || Math.abs(y - other.y) >= (height + other.height) / 2));
    if (!free) return null;
    const [x, y] = free;
    this.taken.push({ x, y, width, height });
    return { x, y, width, height };
  }

  measure(letters) {
    return [this.size * (0.68 * letters + 0.5), 1.2 * this.size];
  }
}
