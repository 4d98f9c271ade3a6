// Lines of kata-analyze as objects, and what a move was worth.

const NUMBERS = new Set(["visits", "winrate", "scoreLead", "scoreStdev", "prior", "lcb", "order"]);

/** A report: {moves: [{move, visits, winrate, scoreLead, proven, pv}], root: {visits, winrate, scoreLead, proven}, ownership}. */
export function parseReport(line) {
  const words = line.split(" ");
  const report = { moves: [], root: null, ownership: null };
  let entry = null;
  for (let i = 0; i < words.length; ) {
    const word = words[i++];
    if (word === "info") {
      entry = { move: "", visits: 0, winrate: 0.5, scoreLead: 0, prior: 0, order: 0, proven: null, pv: [] };
      report.moves.push(entry);
    } else if (word === "rootInfo") {
      entry = { visits: 0, winrate: 0.5, scoreLead: 0, proven: null };
      report.root = entry;
    } else if (word === "ownership") {
      const owners = [];
      while (i < words.length && !Number.isNaN(Number(words[i]))) owners.push(Number(words[i++]));
      report.ownership = owners;
    } else if (word === "pv") {
      while (i < words.length && words[i] !== "info" && words[i] !== "rootInfo" && words[i] !== "ownership") entry.pv.push(words[i++]);
    } else if (word === "move") {
      entry.move = words[i++];
    } else if (word === "provenWinner") {
      entry.proven = words[i++];
    } else if (NUMBERS.has(word)) {
      entry[word] = Number(words[i++]);
    } else {
      i++;
    }
  }
  return report;
}

/** Values of a position to be kept, seen by Black. */
export function valuesOf(report, turn) {
  const seen = (winrate) => (turn === "B" ? winrate : 1 - winrate);
  const root = report.root ?? report.moves[0];
  const best = report.moves[0];
  return {
    // The position is worth its best move; the mean over all moves tells of the search.
    winrate: round(seen(best ? best.winrate : root.winrate), 4),
    score: round(turn === "B" ? (best ?? root).scoreLead : -(best ?? root).scoreLead, 2),
    visits: root.visits,
    proven: root.proven ?? (best?.proven === turn ? turn : null),
    moves: report.moves.slice(0, 12).map((m) => ({
      move: m.move,
      winrate: round(seen(m.winrate), 4),
      score: round(turn === "B" ? m.scoreLead : -m.scoreLead, 2),
      visits: m.visits,
      proven: m.proven,
      pv: m.pv.slice(0, 12),
    })),
  };
}

/** What is kept of a position's values: what is proven stays, and else more visits tell more. */
export function better(known, values) {
  if (!known) return values;
  if (known.proven && !values.proven) return { ...values, proven: known.proven, winrate: known.proven === "B" ? 1 : 0 };
  return values.visits >= known.visits || values.proven ? values : known;
}

/** Whether something has the shape of what `valuesOf` makes. */
export function areValues(told) {
  const numbers = (of) => [of?.winrate, of?.score, of?.visits].every(Number.isFinite) && [null, "B", "W"].includes(of.proven);
  const words = (all) => Array.isArray(all) && all.every((word) => typeof word === "string");
  return numbers(told) && Array.isArray(told.moves) && told.moves.every((entry) => numbers(entry) && words([entry.move]) && words(entry.pv));
}

function round(value, digits) {
  return Number(value.toFixed(digits));
}

/** Least loss, in winning chances, of each kind of move, worst first. */
const KINDS = [
  ["blunder", 0.2],
  ["mistake", 0.1],
  ["inaccuracy", 0.05],
  ["good", 0.02],
];

/**
 * What a move was: {kind: "best" | "good" | "inaccuracy" | "mistake" | "blunder", loss, points, better}.
 * `before` and `after` are values as `valuesOf` makes them; null where too little is known.
 */
export function judge(before, after, colour, word) {
  if (!before || !before.moves?.length) return null;
  const own = before.moves.find((m) => m.move === word);
  const best = before.moves[0];
  const enough = after && after.visits >= Math.min(10, own?.visits ?? 0);
  const told = enough ? after : own;
  if (!told) return null;
  const chance = (winrate) => (colour === "B" ? winrate : 1 - winrate);
  const lead = (score) => (colour === "B" ? score : -score);
  const thrown = (before.proven === colour || best.proven === colour) && told.proven && told.proven !== colour;
  const loss = Math.max(0, chance(best.winrate) - chance(told.winrate));
  const points = lead(best.score) - lead(told.score);
  let kind = KINDS.find(([, least]) => loss >= least)?.[0] ?? "best";
  if (best.move === word) kind = "best";
  else if (kind === "best" && loss > 0.005) kind = "good";
  if (thrown) kind = "blunder";
  return { kind, loss: thrown ? 1 : best.move === word ? 0 : loss, points: best.move === word ? 0 : points, better: best.move === word ? null : best.move };
}
