// Pictures of what is inside a position of Hex: cells that need no move, connections, and what a proof still needs.

import { el } from "./svg.js";

/** Elements for a picture of the solver's, of shapes of `board`. */
export function drawn(board, { cells, ends, winning, labels }) {
  const { points, shape } = board;
  const place = (name) => points.point(name);
  const centre = (name) => shape.centre(place(name));
  const all = [];
  for (const point of winning?.carrier ?? []) all.push(shape.area(place(point), `carrier ${side(winning.colour)} ${winning.full ? "" : "semi"}`));
  for (const { point, kind, colour, by } of cells) {
    const [cx, cy] = centre(point);
    all.push(shape.area(place(point), `cell ${kind} ${colour ? side(colour) : ""}`));
    if (kind === "captured") all.push(el("circle", { cx, cy, r: 0.17, class: `filled ${side(colour)}` }));
    if (kind === "dead") all.push(el("path", { d: `M${cx - 0.13} ${cy - 0.13}l.26 .26m0 -.26l-.26 .26`, class: "cross" }));
    if (kind === "dominated") all.push(...arrow([cx, cy], centre(by)));
  }
  for (const { point, edge, colour } of ends) all.push(bond(centre(point), shape.edge(place(point), edge), colour));
  for (const { point, kind, mine, theirs } of labels) {
    const [x, y] = centre(point);
    if (kind !== "open") all.push(shape.area(place(point), `cell ${kind}`));
    const text = el("text", { x, y, class: "proof" });
    text.textContent = kind === "open" ? `${mine} ${theirs}` : kind;
    all.push(text);
  }
  return all;
}

const side = (colour) => colour.toLowerCase();

function bond([x1, y1], [x2, y2], colour) {
  return el("line", { x1, y1, x2, y2, class: `bond ${side(colour)}` });
}

/** From a cell to the one that is as good. */
function arrow([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [ex, ey] = [x2 - 0.3 * dx, y2 - 0.3 * dy];
  return [
    el("circle", { cx: x1, cy: y1, r: 0.09, class: "better" }),
    el("path", { d: `M${x1} ${y1}L${ex} ${ey}M${ex - 0.14 * dx - 0.09 * dy} ${ey - 0.14 * dy + 0.09 * dx}L${ex} ${ey}L${ex - 0.14 * dx + 0.09 * dy} ${ey - 0.14 * dy - 0.09 * dx}`, class: "better" }),
  ];
}
