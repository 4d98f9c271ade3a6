// Keys and the wheel: each is an action of the page, or moves the cursor of the board.

import { $, say } from "./svg.js";
import { contents } from "./texts.js";

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  ArrowUp: "before",
  ArrowDown: "after",
  Home: "first",
  End: "last",
  Enter: "engine",
  " ": "analyse",
  a: "analyse",
  b: "focus",
  c: "letters",
  d: "remove",
  e: "setup",
  f: "firsts",
  h: "hint",
  i: "note",
  l: "teach",
  m: "promote",
  n: "new",
  o: "open",
  p: "pass",
  q: "resign",
  r: "review",
  s: "save",
  t: "theme",
  u: "undo",
  v: "solve",
  w: "heat",
  x: "swap",
  y: "copy",
  "?": "help",
  Escape: "cancel",
};
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Listens from now on. `clicked(point)` is told of points that are chosen by keys, `names()` has names of the sides, `position()` what stands
 * on the board, null where that is not known; while `isBusy()` the wheel is the page's.
 */
export function listen(play, board, { actions, clicked, names, position, isBusy }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const { target } = event;
    if (target.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return;
    // Arrows choose among radio buttons.
    if (target.matches("[type=radio]") && event.key in ARROWS) return;
    if (target.closest("#board") && boardKey(event)) return;
    const pressed = target.matches("button, summary, input") && (event.key === "Enter" || event.key === " ");
    const action = actions[KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]];
    if (!action || pressed || !play.game) return;
    event.preventDefault();
    action();
  });

  /** Keys while the board has the focus: a cursor goes over its points. */
  function boardKey(event) {
    if (!play.game) return false;
    const step = ARROWS[event.key];
    const middle = () => {
      const { width, height } = play.points;
      const at = Math.floor(height / 2) * width + Math.floor(width / 2);
      return board.isCell(at) ? at : board.step(at, 1, 0);
    };
    if (step) {
      board.cursor(board.cursorPoint === null ? middle() : board.step(board.cursorPoint, ...step));
      const name = play.points.name(board.cursorPoint);
      const state = position();
      say($("spoken"), state ? `${name}, ${contents(state, board.cursorPoint, names()).words}` : name);
    } else if ((event.key === "Enter" || event.key === " ") && board.cursorPoint !== null) {
      clicked(board.cursorPoint);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }
  // Enter and Space belong to the game again after a button or a summary was clicked with the mouse.
  document.addEventListener("click", (event) => {
    if (event.detail === 0) return;
    setTimeout(() => {
      const at = document.activeElement;
      if (at?.matches("button, summary, input[type=checkbox]") && !at.closest("dialog")) at.blur();
    });
  });

  // The mouse does not take the keys of the game away.
  $("board").addEventListener("mousedown", (event) => event.preventDefault());
  $("board").addEventListener("blur", () => board.points && board.cursor(null));

  // Wheel over the board: back and forward.
  let wheel = 0;
  $("board").addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || !play.game || isBusy()) return;
      event.preventDefault();
      wheel += event.deltaY;
      if (Math.abs(wheel) < 60) return;
      (wheel > 0 ? actions.forward : actions.back)();
      wheel = 0;
    },
    { passive: false },
  );
}
