// Where points of a board lie and how its grid is drawn: a look for each grid that games name, and for games with one of their own.
// Units: 1 is the distance of two points in a row.

import { el } from "./svg.js";

const ROW = Math.sqrt(3) / 2;
const RADIUS = 1 / Math.sqrt(3);

/**
 * A look: box of the drawing, centre and area of a point, size of a piece, and the grid with its letters. `burns` says that squares go
 * out of play, `route(from, to, isEmpty)` how a piece goes that takes no straight way.
 */
export function shapeOf(game, points, isCell) {
  return (SHAPES[game.word] ?? SHAPES[game.grid] ?? cells)(points, isCell);
}

const SHAPES = { lines, cells, hexagons, amazons, othello, surakarta };

function square(x, y, name) {
  return el("rect", { x, y, width: 1, height: 1, class: name });
}

function text(x, y, content) {
  const node = el("text", { x, y, class: "coordinate" });
  node.textContent = content;
  return node;
}

/** Letters above and below, numbers left and right, of a rectangle of points. */
function coordinates(points, left, top, right, bottom, centre) {
  const all = [];
  for (let x = 0; x < points.width; x++) {
    const [at] = centre(x);
    all.push(text(at, top, points.column(x)), text(at, bottom, points.column(x)));
  }
  for (let y = 0; y < points.height; y++) {
    const [, at] = centre(y * points.width);
    all.push(text(left, at, points.row(y)), text(right, at, points.row(y)));
  }
  return all;
}

function lines(points) {
  const { width, height } = points;
  const centre = (point) => [point % width, Math.floor(point / width)];
  const line = (x1, y1, x2, y2) => el("line", { x1, y1, x2, y2, class: "line" });
  const grid = [el("rect", { x: -0.98, y: -0.98, width: width + 0.96, height: height + 0.96, rx: 0.12, class: "wood" })];
  for (let x = 0; x < width; x++) grid.push(line(x, 0, x, height - 1));
  for (let y = 0; y < height; y++) grid.push(line(0, y, width - 1, y));
  for (const x of stars(width)) {
    for (const y of stars(height)) {
      const small = Math.min(width, height) < 13;
      const edge = (2 * x === width - 1) !== (2 * y === height - 1);
      if (!(edge && small)) grid.push(el("circle", { cx: x, cy: y, r: 0.11, class: "star" }));
    }
  }
  return {
    box: [-0.98, -0.98, width + 0.96, height + 0.96],
    centre,
    stone: 0.475,
    grid,
    coordinates: coordinates(points, -0.72, -0.72, width - 0.28, height - 0.28, centre),
    area: (point, name) => {
      const [x, y] = centre(point);
      return square(x - 0.5, y - 0.5, name);
    },
  };
}

function stars(n) {
  if (n < 7) return [];
  const near = n < 13 ? 2 : 3;
  return n % 2 ? [near, (n - 1) / 2, n - 1 - near] : [near, n - 1 - near];
}

function cells(points, isCell) {
  const { width, height } = points;
  const centre = (point) => [(point % width) + 0.5, Math.floor(point / width) + 0.5];
  const grid = [el("rect", { x: -0.5, y: -0.5, width: width + 1, height: height + 1, rx: 0.12, class: "frame" })];
  for (let point = 0; point < points.count; point++) {
    if (!isCell(point)) continue;
    const [x, y] = [point % width, Math.floor(point / width)];
    grid.push(square(x, y, (x + y) % 2 ? "square dark" : "square light"));
  }
  return {
    box: [-0.5, -0.5, width + 1, height + 1],
    centre,
    stone: 0.4,
    grid,
    coordinates: coordinates(points, -0.25, -0.25, width + 0.25, height + 0.25, centre),
    area: (point, name) => square(point % width, Math.floor(point / width), name),
  };
}

/** Squares that are burnt stay on the board. */
function amazons(points) {
  return { ...cells(points, () => true), burns: true };
}

/** One green, ruled, with the spots of its boards. */
function othello(points, isCell) {
  const shape = cells(points, isCell);
  const { width, height } = points;
  if (Math.min(width, height) < 8) return shape;
  const spots = [[2, 2], [width - 2, 2], [2, height - 2], [width - 2, height - 2]];
  return { ...shape, grid: [...shape.grid, ...spots.map(([cx, cy]) => el("circle", { cx, cy, r: 0.07, class: "spot" }))] };
}

/** Lines with loops around the corners: tracks, along which pieces take. */
function surakarta(points) {
  const shape = lines(points);
  const far = points.width - 1;
  const rings = [1, 2].map((track) => ring(track, far));
  const loops = rings.flatMap((sides) => sides.map(({ end, arc }) => el("path", { d: `M${end}${arc}`, class: "line loop" })));
  const box = [-2.9, -2.9, far + 5.8, far + 5.8];
  const [wood, ...rest] = shape.grid;
  for (const [i, name] of ["x", "y", "width", "height"].entries()) wood.setAttribute(name, box[i]);
  return {
    ...shape,
    box,
    grid: [wood, ...loops, ...rest],
    coordinates: coordinates(points, -2.5, -2.5, far + 2.5, far + 2.5, shape.centre),
    route: (from, to, isEmpty) => route(rings, points.width, from, to, isEmpty),
  };
}

/** Sides of a track in the order of a piece that goes along it: points, and the loop from the end of each to the next one. */
function ring(track, far) {
  const along = Array.from({ length: far + 1 }, (_, i) => i);
  const sides = [
    along.map((i) => [i, track]),
    along.map((i) => [far - track, i]),
    along.map((i) => [far - i, far - track]),
    along.map((i) => [track, far - i]),
  ];
  return sides.map((at, i) => {
    const [x, y] = sides[(i + 1) % 4][0];
    return { at, end: at[far].join(" "), arc: `A${track} ${track} 0 1 0 ${x} ${y}`, back: `A${track} ${track} 0 1 1 ${at[far].join(" ")}` };
  });
}

/** The shortest way of a piece that takes along a track: {d, at: a place on its first loop, heading: its direction at the end}. */
function route(rings, width, from, to, isEmpty) {
  const ways = rings.flatMap((sides) => [1, -1].flatMap((step) => ringWays(sides, step, width, from, to, isEmpty)));
  return ways.sort((a, b) => a.steps - b.steps)[0] ?? null;
}

function ringWays(sides, step, width, from, to, isEmpty) {
  const places = sides.flatMap(({ at }, side) => at.map(([x, y]) => ({ side, x, y, point: y * width + x })));
  const found = [];
  for (const [start, place] of places.entries()) {
    if (place.point !== from) continue;
    let d = `M${place.x} ${place.y}`;
    let loop = null;
    let before = place;
    for (let steps = 1; steps < places.length; steps++) {
      const next = places[(start + steps * step + places.length * steps) % places.length];
      if (next.side === before.side) d += `L${next.x} ${next.y}`;
      else {
        const { arc, back } = sides[step > 0 ? before.side : next.side];
        d += step > 0 ? arc : back;
        loop ??= outside(before, next);
      }
      if (next.point === to && loop) {
        found.push({ d, steps, at: loop, heading: heading(before, next) });
        break;
      }
      if (next.point !== from && !isEmpty(next.point)) break;
      before = next;
    }
  }
  return found;
}

/** The middle of the loop between two ends: as far out as it goes. */
function outside(a, b) {
  const far = Math.max(a.x, a.y, b.x, b.y);
  const track = Math.abs(a.x - b.x);
  const [x, y] = [a.x + b.x > far ? far : 0, a.y + b.y > far ? far : 0];
  const out = track * Math.SQRT1_2;
  return [x + (x ? out : -out), y + (y ? out : -out)];
}

/** The direction from a place to the next one; after a loop it is along the line that the loop leads to. */
function heading(before, next) {
  const [dx, dy] = [next.x - before.x, next.y - before.y];
  if (next.side === before.side) return [dx, dy];
  const row = next.side % 2 === 0;
  return row ? [next.x ? -1 : 1, 0] : [0, next.y ? -1 : 1];
}

function hexagons(points) {
  const { width, height } = points;
  const centre = (point) => {
    const [x, y] = [point % width, Math.floor(point / width)];
    return [x + y / 2, y * ROW];
  };
  // Corners of a hexagon, clockwise from the top.
  const corner = (point, k) => {
    const [x, y] = centre(point);
    const angle = ((k - 1.5) * Math.PI) / 3;
    return [x + RADIUS * Math.cos(angle), y + RADIUS * Math.sin(angle)];
  };
  const path = (corners) => corners.map(([x, y]) => `${x.toFixed(4)},${y.toFixed(4)}`).join(" ");
  const area = (point, name) => el("polygon", { points: path([0, 1, 2, 3, 4, 5].map((k) => corner(point, k))), class: name });
  // Where the shortest line from a point meets an edge of the board.
  const meets = (point, edge) => {
    const [cx, cy] = centre(point);
    const far = edge === "south" ? (height - 1) / 2 : 0;
    const near = Math.min(Math.max(cx, far), width - 1 + far);
    const row = Math.floor(point / width) / 2;
    return { north: [near, -0.62], south: [near, (height - 1) * ROW + 0.62], west: [row - 0.62, cy], east: [width - 1 + row + 0.62, cy] }[edge];
  };
  const edge = (corners, side) => el("polyline", { points: path(corners), class: `edge ${side}` });
  const [last, bottom] = [width - 1, (height - 1) * width];
  const corners = { top: [], bottom: [], left: [], right: [] };
  for (let x = 0; x < width; x++) {
    corners.top.push(corner(x, 5), corner(x, 0));
    corners.bottom.push(corner(bottom + x, 3), corner(bottom + x, 2));
  }
  corners.top.push(corner(last, 1));
  corners.bottom.splice(0, 0, corner(bottom, 4));
  for (let y = 0; y < height; y++) {
    corners.left.push(corner(y * width, 5), corner(y * width, 4));
    corners.right.push(corner(y * width + last, 1), corner(y * width + last, 2));
  }
  const grid = [
    edge(corners.left, "w"),
    edge(corners.right, "w"),
    edge(corners.top, "b"),
    edge(corners.bottom, "b"),
  ];
  for (let point = 0; point < points.count; point++) {
    const shade = ((point % width) + 2 * Math.floor(point / width)) % 3;
    grid.push(area(point, `hexagon s${shade}`));
  }
  const letters = [];
  for (let x = 0; x < width; x++) {
    const [low, lowAt] = centre(bottom + x);
    letters.push(text(x - 0.48, -0.95, points.column(x)), text(low + 0.48, lowAt + 0.95, points.column(x)));
  }
  for (let y = 0; y < height; y++) {
    const [at] = centre(y * width);
    letters.push(text(at - 0.98, y * ROW, points.row(y)), text(at + last + 0.98, y * ROW, points.row(y)));
  }
  return {
    box: [-1.3, -1.3, width + height / 2 + 2.1, (height - 1) * ROW + 2.6],
    centre,
    stone: 0.41,
    grid,
    coordinates: letters,
    area,
    edge: meets,
  };
}
