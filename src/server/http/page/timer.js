// The clocks of the game that is played. What a side has left is noted at each of its moves; the clock of the side to move runs.

import { after, full, remaining, rested } from "./clock.js";

export class Timer {
  /** `onTick()` ten times a second while a clock runs, `onFlag(node, colour)` where its time is over. */
  constructor(onTick, onFlag) {
    this.onTick = onTick;
    this.onFlag = onFlag;
    this.system = null;
    this.running = null;
    /** Seconds that a side has thought at a position before its clock was stopped there: [colour, seconds]. */
    this.thought = new WeakMap();
  }

  /** The system of the next game; null for none. */
  begin(system) {
    this.stop();
    this.system = system;
    this.thought = new WeakMap();
  }

  /** The clock of `colour` runs at `node`, if it does not yet. */
  run(node, colour) {
    const { running, system } = this;
    if (!system || (running?.node === node && running.colour === colour)) return;
    this.stop();
    const since = performance.now();
    const ends = 1000 * (remaining(system, this.noted(node, colour)) - this.used(node, colour));
    this.running = { node, colour, since, ticks: setInterval(this.onTick, 100), end: setTimeout(() => this.flag(), ends + 1) };
  }

  stop() {
    if (!this.running) return;
    const { node, colour, ticks, end } = this.running;
    this.thought.set(node, [colour, this.used(node, colour)]);
    clearInterval(ticks);
    clearTimeout(end);
    this.running = null;
  }

  /** Seconds that a side has thought at a position. */
  used(node, colour) {
    const { running } = this;
    const [side, before] = this.thought.get(node) ?? [colour, 0];
    const now = running?.node === node && running.colour === colour ? (performance.now() - running.since) / 1000 : 0;
    return side === colour ? before + now : now;
  }

  flag() {
    const { node, colour } = this.running;
    // Timers may be early; the clock is right.
    if (this.now(node, colour)) {
      this.running.end = setTimeout(() => this.flag(), 20);
      return;
    }
    this.stop();
    this.onFlag(node, colour);
  }

  /** What a side had left at its last move before a position. */
  noted(node, colour) {
    for (let at = node; at; at = at.parent) if (at.colour === colour && at.left) return at.left;
    return full(this.system);
  }

  /** What a side has left now; null where its time is over. */
  now(node, colour) {
    const [left, used] = [this.noted(node, colour), this.used(node, colour)];
    return used ? after(this.system, left, used) : left;
  }

  /** Notes what is left after a move from `node` to `child`. */
  moved(node, child) {
    if (!this.system) return;
    const left = this.now(node, child.colour);
    child.left = rested(this.system, left ?? { time: 0, count: 0 });
  }
}
