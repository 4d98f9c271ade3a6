// The page: what is clicked and typed goes to the game, and what the game tells is shown.

import { Board } from "./board.js";
import { dialogs } from "./dialogs.js";
import { Graph } from "./graph.js";
import { Candidates, Moves, SIGNS, judged, lesson, percent, thousands } from "./panel.js";
import { FULL, Play } from "./play.js";
import { Review } from "./review.js";
import { Setup } from "./setup.js";
import { $, el, h, say, set } from "./svg.js";
import { TextBoard, keep, recall } from "./texts.js";
import { other } from "./tree.js";

const address = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${path}${location.search}`;

const play = new Play(address("gtp"));
const svg = el("svg", { "aria-hidden": "true" });
$("board").append(svg);
const board = new Board(svg, clicked, hovered);
const candidates = new Candidates((move) => play.play(move), (line) => variation(line));
const moves = new Moves((node) => play.go(node), menu);
const graph = new Graph($("graph"), (node) => play.go(node));
const text = new TextBoard($("text"));
const setup = new Setup(play, board, () => draw());
const review = new Review(play, address("analysis"), () => changed());
const ask = dialogs(play, { begin, message });

let selected = null;
let shown = null;
let frame = 0;

/** Names of the sides: Hex is played in red and blue. */
function names() {
  return play.game.grid === "hexagons" ? { B: "Red", W: "Blue" } : { B: "Black", W: "White" };
}

function begin(game) {
  setup.end();
  review.close();
  play.begin(game);
}

function message(words) {
  const box = $("message");
  box.textContent = words;
  box.hidden = false;
  clearTimeout(message.timer);
  message.timer = setTimeout(() => (box.hidden = true), 8000);
}

// What is clicked

function legal() {
  return play.node.state?.legal ?? null;
}

function targets(point) {
  const name = play.points.name(point);
  const all = legal() ?? [];
  return all.filter((move) => move.startsWith(`${name}-`)).map((move) => play.points.ofMove(move)[1]);
}

board.takes = (point) => !setup.active && play.game?.points > 1 && play.isPersons && selected !== point && targets(point).length > 0 && !(selected !== null && targets(selected).includes(point));

function clicked(point) {
  if (!play.game) return;
  if (setup.active) {
    setup.click(point);
    return;
  }
  if (play.thinking || (!play.isPersons && play.node.state)) return;
  const name = play.points.name(point);
  if (play.game.points === 1) {
    play.play(name);
    return;
  }
  if (selected !== null && selected !== point && targets(selected).includes(point)) {
    const move = `${play.points.name(selected)}-${name}`;
    selected = null;
    play.play(move);
    return;
  }
  selected = selected !== point && targets(point).length ? point : null;
  highlight();
}

function hovered(point) {
  if (!shown || point === null || play.game.points > 1) {
    variation(null);
    return;
  }
  const name = play.points.name(point);
  variation(shown.moves.find((entry) => entry.move === name)?.pv ?? null);
}

let line = null;
function variation(moves) {
  if (line === moves) return;
  line = moves;
  overlay();
}

// What is shown

play.addEventListener("begin", () => {
  const { game, points } = play;
  selected = null;
  document.body.className = `on-${game.word} ${game.grid}`;
  say($("win"), game.players === 1 ? "Value" : "Win");
  document.title = `${game.name} – Losange`;
  // Holes of the board are drawn once the engine has told of them.
  board.holes = ".".repeat(points.count);
  board.begin(game, points, board.holes);
  text.begin(points);
  moves.begin((node) => node.word);
  $("table").style.setProperty("--ratio", board.ratio.toFixed(4));
});

play.addEventListener("moved", () => {
  selected = null;
  line = null;
  shown = null;
  draw();
  changed();
});

play.addEventListener("state", () => {
  draw();
  store();
});

play.addEventListener("report", () => later());
play.addEventListener("switches", () => draw());
play.addEventListener("thinking", () => buttons());
play.addEventListener("message", (event) => message(event.detail));
play.addEventListener("link", ({ detail }) => {
  say($("link"), detail.connected ? "" : "no engine: connecting again");
  document.body.classList.toggle("offline", !detail.connected);
});
play.addEventListener("games", () => {
  say($("link"), "");
  $("link").title = play.name;
  const kept = recall(play.games);
  const word = location.hash.slice(1);
  const game = play.games.find((known) => known.word === word);
  if (kept && (!game || kept.game === game)) {
    Object.assign(play, kept.options);
    begin(kept);
    return;
  }
  const chosen = game ?? play.games[0];
  begin({ game: chosen, size: chosen.word === "go" ? [9, 9] : chosen.usual, swap: chosen.word === "hex" });
});

/** The picture of a position: of this one, or of the last one that is known and the move since. */
function draw() {
  if (!play.game) return;
  if (setup.active) {
    setup.draw();
    buttons();
    return;
  }
  const { node } = play;
  const { state } = node;
  if (state) {
    holes(state.board);
    board.position(state.board, state.heights);
  } else if (node.parent?.state && node.word) {
    const guess = [...node.parent.state.board];
    const points = play.points.ofMove(node.word);
    if (points.length === 2) guess[points[0]] = ".";
    if (points.length) guess[points[points.length - 1]] = node.colour;
    board.position(guess, node.parent.state.heights);
  }
  board.marks(node.marks);
  $("comment").hidden = !node.comment;
  say($("comment"), node.comment);
  highlight();
  text.show(state, names());
  spoken();
  buttons();
  players();
  overlay();
  values();
}

/** A board with holes is drawn anew when they are first told. */
function holes(marks) {
  const key = [...marks].map((mark) => (mark === "?" ? "?" : ".")).join("");
  if (board.holes === key) return;
  board.holes = key;
  board.begin(play.game, play.points, marks);
}

function highlight() {
  const { node } = play;
  const last = node.word ? play.points.ofMove(node.word) : [];
  board.highlight(node.word === "swap-pieces" ? [] : last, selected, selected === null ? [] : targets(selected));
}

function later() {
  if (frame) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    overlay();
    values();
    if (performance.now() - (later.slow ?? 0) > 400) {
      later.slow = performance.now();
      course();
    }
  });
}

/** Whether the engine's thoughts are shown on the board. */
function isShown() {
  return play.analysing || play.hinting || (play.thinking && !play.teaching);
}

function current() {
  return play.reported === play.node ? play.report : null;
}

function overlay() {
  if (!play.game || setup.active) return;
  const report = current();
  shown = report && isShown() ? report : null;
  const turn = play.turn;
  board.owners(play.heat && report?.ownership ? report.ownership.map((v) => (turn === "B" ? v : -v)) : null);
  if (line) {
    board.variation(line, turn, play.game.players);
    return;
  }
  if (!shown) {
    board.clear();
    return;
  }
  // A value of hardly any visits says little.
  const least = (shown.moves[0]?.visits ?? 0) / 200;
  const list = play.hinting && !play.analysing ? shown.moves.slice(0, 1) : shown.moves.filter((m, index) => index < 8 || m.visits >= least);
  const best = list[0]?.winrate ?? 0;
  board.candidates(
    list.map((m, index) => ({
      move: m.move,
      best: index === 0,
      quality: Math.max(0, 1 - (best - m.winrate) / 0.15),
      kind: m.proven ? (m.proven === turn ? "won" : "lost") : "",
      text: m.proven ? (m.proven === turn ? "won" : "lost") : (100 * m.winrate).toFixed(0),
      small: thousands(m.visits),
    })),
  );
}

function values() {
  if (!play.game) return;
  const report = current();
  const turn = play.turn;
  const told = play.node.values;
  const scores = Boolean(report?.moves.some((m) => m.scoreLead !== 0));
  const list = report && isShown() ? report.moves : [];
  candidates.show(play.hinting && !play.analysing ? list.slice(0, 1) : list, turn, scores);
  const name = names();
  if (play.game.players === 1) {
    say($("value"), told ? `value ${told.winrate.toFixed(2)}` : "–");
  } else if (told?.proven) {
    say($("value"), `${name[told.proven]} wins, proved`);
  } else if (told) {
    const side = told.winrate >= 0.5 ? "B" : "W";
    const share = side === "B" ? told.winrate : 1 - told.winrate;
    const lead = told.score ? ` · ${told.score > 0 ? name.B[0] : name.W[0]}+${Math.abs(told.score).toFixed(1)}` : "";
    say($("value"), `${name[side]} ${percent(share)}${lead}`);
  } else {
    say($("value"), "–");
  }
  // How far the proofs have come, of the moves that are shown.
  const proofs = ["won", "lost"].map((kind) => [list.filter((m) => m.proven && (m.proven === turn) === (kind === "won")).length, kind]);
  const proved = proofs.filter(([count]) => count).map(([count, kind]) => `${count} ${kind} · `);
  say($("searched"), told ? `${proved.join("")}${thousands(told.visits)} visits` : "");
  const share = told?.proven ? (told.proven === "B" ? 1 : 0) : (told?.winrate ?? 0.5);
  $("bar").firstElementChild.style.height = `${(100 * share).toFixed(1)}%`;
  set($("bar"), "class", told?.proven ? "proved" : "");
  set($("bar"), "aria-label", told ? `${name.B} ${Math.round(100 * share)} %` : "no value yet");
  lessons();
}

/** The last move that a person made, as the teacher sees it. */
function lessons() {
  const box = $("teacher");
  set(box, "class", "");
  if (!play.teaching) {
    box.hidden = true;
    return;
  }
  let { node } = play;
  if (node.colour && play.players[node.colour] === "engine" && node.parent?.colour) node = node.parent;
  const told = node.colour && play.players[node.colour] !== "engine" ? lesson(node, names(), Boolean(node.values?.score)) : null;
  const words = told ? `${told.title}. ${told.text}` : "I look at your moves as you play.";
  const key = `${node.id} ${words}`;
  box.hidden = false;
  box.classList.add(told?.kind ?? "none");
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(h("strong", { textContent: told ? `${told.title}${SIGNS[told.kind]}` : "Teacher" }), h("span", { textContent: told ? told.text : words }));
  if (told?.better) {
    const better = h("button", { className: "plain", textContent: "Show the better move" });
    better.addEventListener("click", () => {
      better.replaceWith(h("span", { className: "better", textContent: `${told.better} was better.` }));
      play.go(node.parent);
      const entry = node.parent.values.moves.find((m) => m.move === told.better);
      variation(entry?.pv ?? [told.better]);
    });
    box.append(better);
  }
  const at = moves.buttons.get(node.id);
  if (at) moves.dress(node, at);
}

/** The tree or its values have changed. */
function changed() {
  moves.show(play.tree);
  course();
  store();
}

function course() {
  if (!play.game) return;
  const all = play.tree.line();
  const kind = (node) => {
    const fault = judged(node)?.kind;
    return fault === "blunder" || fault === "mistake" || fault === "inaccuracy" ? fault : null;
  };
  graph.show(all, play.node, kind);
  moves.dress(play.node);
}

function players() {
  const name = names();
  const { state } = play.node;
  const result = play.result(name);
  for (const [place, colour] of [["above", "W"], ["below", "B"]]) {
    const box = $(place);
    const [stone, label, note] = box.children;
    box.hidden = play.game.players === 1 && colour === "W";
    set(stone, "class", `stone ${colour.toLowerCase()} ${play.game.grid}`);
    const who = play.game.players === 1 ? "" : play.players[colour] === "engine" ? (play.level === FULL ? "Engine" : `Engine, level ${play.level}`) : "Person";
    say(label, play.game.players === 1 ? "Stones" : `${name[colour]} · ${who}`);
    const turn = !result && play.turn === colour;
    box.classList.toggle("turn", turn);
    const counted = state ? [...state.board].filter((mark) => mark === colour).length : 0;
    const all = state ? [...state.board].filter((mark) => mark === "B" || mark === "W").length : 0;
    say(note, result ? (colour === "B" ? result : "") : turn && play.thinking ? "thinking" : play.game.players === 1 ? `${all} left` : play.game.grid === "cells" ? `${counted} on the board` : "");
  }
}

function buttons() {
  const { node, game } = play;
  if (!game) return;
  const all = legal() ?? [];
  $("pass").hidden = game.word !== "go";
  $("pass").disabled = !all.includes("pass") || !play.isPersons;
  $("swap").hidden = !(game.word === "hex" && play.swap);
  $("swap").disabled = !all.includes("swap-pieces") || !play.isPersons;
  $("undo").disabled = $("back").disabled = $("first").disabled = !node.parent;
  $("forward").disabled = $("last").disabled = !node.children.length;
  $("hint").disabled = play.isOver || Boolean(play.thinking);
  $("resign").disabled = play.isOver || game.players === 1;
  say($("engine"), play.thinking ? "Move now" : "Engine moves");
  $("engine").disabled = play.isOver;
  $("analyse").checked = play.analysing;
  $("teach").checked = play.teaching;
  $("heat").checked = play.heat;
  $("setup").setAttribute("aria-pressed", setup.active);
  players();
}

function spoken() {
  const { node } = play;
  const name = names();
  const result = play.result(name);
  const move = node.word ? `${name[node.colour]} ${node.word}. ` : "";
  say($("spoken"), `${move}${result ?? `${name[play.turn]} to move.`}`);
}

// Storing

function store() {
  clearTimeout(store.timer);
  store.timer = setTimeout(() => play.game && !setup.active && keep(play), 400);
}
window.addEventListener("pagehide", () => play.game && !setup.active && keep(play));

// Buttons and keys

function menu(node) {
  ask.menu(node, {
    promote: () => {
      play.tree.promote(node);
      changed();
    },
    remove: () => remove(node),
    changed: () => {
      draw();
      store();
    },
  });
}

function remove(node) {
  if (!node.parent) return;
  const here = play.tree.path().includes(node);
  play.tree.remove(node);
  if (here) {
    play.paused = true;
    play.moved();
  } else {
    changed();
  }
}

function move() {
  if (play.thinking) {
    play.stop(false);
    return;
  }
  play.paused = false;
  play.generate();
}

const actions = {
  new: () => ask.newGame(),
  open: () => ask.open(),
  save: () => ask.save(),
  copy: () => ask.copy(),
  help: () => ask.help(),
  theme: () => {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    theme(dark ? "light" : "dark");
  },
  first: () => play.go(play.tree.root),
  back: () => go(play.node.parent),
  forward: () => go(play.tree.next()),
  last: () => {
    let { node } = play;
    while (node.children.length) node = play.tree.next(node);
    play.go(node);
  },
  undo: () => play.undo(),
  hint: () => {
    play.hinting = true;
    play.reconsider();
  },
  engine: move,
  pass: () => play.isPersons && play.play("pass"),
  swap: () => play.isPersons && play.play("swap-pieces"),
  resign: () => {
    if (play.isOver) return;
    const person = play.players[play.turn] === "person" ? play.turn : other(play.turn);
    play.stop(true);
    play.node.resigned = person;
    draw();
  },
  setup: () => (setup.active ? setup.end() : setup.begin()),
  review: () => review.begin(names()),
};

function go(node) {
  if (node) play.go(node);
}

for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);

const switches = { analyse: "analysing", teach: "teaching", heat: "heat" };
for (const [id, name] of Object.entries(switches)) {
  $(id).addEventListener("change", (event) => {
    play[name] = event.target.checked;
    if (name === "heat" && play.heat && !play.wantsAnalysis) play.analysing = true;
    play.reconsider();
    store();
  });
}
$("letters").addEventListener("change", (event) => {
  svg.classList.toggle("bare", !event.target.checked);
  localStorage.setItem("losange-letters", event.target.checked ? "yes" : "no");
});

const toggle = (id) => $(id).click();
const keys = {
  ArrowLeft: actions.back,
  ArrowRight: actions.forward,
  ArrowUp: () => go(play.tree.sister(-1)),
  ArrowDown: () => go(play.tree.sister(1)),
  Home: actions.first,
  End: actions.last,
  Enter: actions.engine,
  " ": () => toggle("analyse"),
  a: () => toggle("analyse"),
  b: () => $("board").focus(),
  c: () => toggle("letters"),
  d: () => remove(play.node),
  e: actions.setup,
  h: actions.hint,
  i: () => menu(play.node),
  l: () => toggle("teach"),
  m: () => {
    play.tree.promote(play.node);
    changed();
  },
  n: actions.new,
  o: actions.open,
  p: actions.pass,
  r: actions.review,
  s: actions.save,
  t: actions.theme,
  u: actions.undo,
  w: () => toggle("heat"),
  x: actions.swap,
  y: actions.copy,
  "?": actions.help,
  Escape: () => setup.end(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const { target } = event;
  if (target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (target.closest("#board") && boardKey(event)) return;
  const pressed = target.matches("button, summary, input") && (event.key === "Enter" || event.key === " ");
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action || pressed || !play.game) return;
  event.preventDefault();
  action();
});

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

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
    const mark = play.node.state?.board[board.cursorPoint];
    say($("spoken"), `${name}, ${mark === "B" || mark === "W" ? names()[mark] : "empty"}`);
  } else if ((event.key === "Enter" || event.key === " ") && board.cursorPoint !== null) {
    clicked(board.cursorPoint);
  } else {
    return false;
  }
  event.preventDefault();
  return true;
}
// Enter and Space belong to the game again after a button was clicked with the mouse.
document.addEventListener("click", (event) => {
  if (event.detail === 0) return;
  setTimeout(() => {
    const at = document.activeElement;
    if (at?.matches("button, input[type=checkbox]") && !at.closest("dialog")) at.blur();
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
    if (event.ctrlKey || !play.game) return;
    event.preventDefault();
    wheel += event.deltaY;
    if (Math.abs(wheel) < 60) return;
    (wheel > 0 ? actions.forward : actions.back)();
    wheel = 0;
  },
  { passive: false },
);

function theme(name) {
  document.documentElement.dataset.theme = name;
  localStorage.setItem("losange-theme", name);
}

try {
  const kept = localStorage.getItem("losange-theme");
  if (kept) document.documentElement.dataset.theme = kept;
  if (localStorage.getItem("losange-letters") === "no") toggle("letters");
} catch {
  // A browser that keeps nothing shows the page all the same.
}

/** For tests. */
window.losange = { play, board, setup, review };
