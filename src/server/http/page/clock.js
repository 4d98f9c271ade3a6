// Clocks of a game: the ways of timing it, and time left before and after a move. Pure arithmetic in seconds.
//
// A system is {kind, main, period, count}: `period` is the length of a period, or what a Fischer clock adds; `count` is stones of a
// Canadian period, or periods of byo-yomi. What a side has left is {time, count}; count is 0 in main time.

/** Words of the systems, for people. */
export const SYSTEMS = [
  ["move", "No clock"],
  ["absolute", "Absolute"],
  ["byoyomi", "Byo-yomi"],
  ["canadian", "Canadian"],
  ["fischer", "Fischer"],
];
/** Seconds from which on time is low. */
export const LOW = 10;

const inOvertime = ({ kind }) => kind === "byoyomi" || kind === "canadian";

/** What each side has at the start. */
export function full(system) {
  return system.main > 0 || !inOvertime(system) ? { time: system.main, count: 0 } : { time: system.period, count: system.count };
}

/** What is left after thinking so many seconds; null where the time is over. */
export function after(system, { time, count }, seconds) {
  let left = time - seconds;
  if (left > 0) return { time: left, count };
  const { kind, period } = system;
  if (kind === "canadian" && !count) {
    left += period;
    return left > 0 ? { time: left, count: system.count } : null;
  }
  if (kind !== "byoyomi") return null;
  const over = Math.floor(-left / period) + 1;
  const periods = count ? count - over : system.count - over + 1;
  return periods > 0 ? { time: left + over * period, count: periods } : null;
}

/** What is left once the move is made, of what was left after thinking. */
export function rested(system, { time, count }) {
  const { kind, period } = system;
  if (kind === "fischer") return { time: time + period, count: 0 };
  if (!count) return { time, count };
  if (kind === "byoyomi") return { time: period, count };
  return count > 1 ? { time, count: count - 1 } : { time: period, count: system.count };
}

/** Seconds until the last of the time is over. */
export function remaining(system, { time, count }) {
  if (system.kind === "byoyomi") return time + system.period * (count ? count - 1 : system.count);
  return system.kind === "canadian" && !count ? time + system.period : time;
}

/** Whether a side must hurry: little time, and nothing but the last period after it. */
export function isLow(system, { time, count }) {
  const spare = system.kind === "byoyomi" ? count !== 1 : system.kind === "canadian" && !count;
  return time < LOW && !spare;
}

/** The system as the engine is told of it. */
export function settings({ kind, main, period, count }) {
  const rest = { absolute: "", fischer: ` ${period}`, byoyomi: ` ${period} ${count}`, canadian: ` ${period} ${count}` }[kind];
  return `kata-time_settings ${kind} ${main}${rest}`;
}

/** The system in the words of SGF's OT; "" for time that nothing follows. */
export function overtime({ kind, period, count }) {
  return { byoyomi: `${count}x${period} byo-yomi`, canadian: `${count}/${period} Canadian`, fischer: `${period} fischer` }[kind] ?? "";
}

/** Time for people: minutes and seconds, tenths where it is low, and what is left of the overtime. */
export function show(system, { time, count }) {
  const low = time < LOW;
  const all = low ? Math.max(0, time) : Math.ceil(time);
  const seconds = low ? (Math.floor(10 * all) / 10).toFixed(1) : String(all % 60);
  const text = `${Math.floor(all / 60)}:${seconds.padStart(low ? 4 : 2, "0")}`;
  if (!count) return text;
  return system.kind === "byoyomi" ? `${text} × ${count}` : `${text} / ${count}`;
}
