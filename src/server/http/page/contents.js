// What stands on points, in the words of set-ups: "B" and "W", a tower "B3", levels "2", "burnt"; a dot empties a point.

const WORD = /^(?:([bw])([2-9])?|([1-9])|burnt|\.)$/i;

/** A word as the engine writes it; null where it is none. */
export function wordOf(text) {
  const match = WORD.exec(text.trim());
  return match && (match[1] ? match[0].toUpperCase() : match[0].toLowerCase());
}

/** All that stands on a board, as pairs of word and point's name. `state` has board, heights and levels as the engine tells them. */
export function contentsOf({ board, heights, levels }, game, points) {
  return [...board].flatMap((mark, point) => {
    const height = heights?.[point] ?? 1;
    const words = [];
    if (mark === "?" && game.burns) words.push("burnt");
    if (levels?.[point]) words.push(String(levels[point]));
    if (mark === "B" || mark === "W") words.push(height > 1 ? `${mark}${height}` : mark);
    return words.map((word) => [word, points.name(point)]);
  });
}
