// The page: what is clicked and typed goes to the game, and what the game tells is shown.

import { Board } from "./board.js";
import { dialogs } from "./dialogs.js";
import { Engine } from "./engine.js";
import { Graph } from "./graph.js";
import { listen } from "./keys.js";
import { Candidates, Moves, SIGNS, judged, lesson, percent, thousands } from "./panel.js";
import { FULL, Play } from "./play.js";
import { Review } from "./review.js";
import { Seats } from "./seats.js";
import { Setup } from "./setup.js";
import { Solver } from "./solver.js";
import { $, el, h, say, set } from "./svg.js";
import { TextBoard, contents, keep, recall, sides } from "./texts.js";
import { other } from "./tree.js";

/** The address of one of the server's protocols. */
const address = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${path}${location.search}`;

const engine = new Engine(address("gtp"), ["losange-games", "name", "version"]);
const play = new Play(engine, address("gtp"));
const svg = el("svg", { "aria-hidden": "true" });
$("board").append(svg);
const board = new Board(svg, clicked, hovered);
const candidates = new Candidates((move) => isFree() && play.play(move), (line) => variation(line));
const moveList = new Moves(go, menu);
const graph = new Graph($("graph"), go);
const text = new TextBoard($("text"));
const seats = new Seats(play, names);
const setup = new Setup(play, board, () => draw());
const ask = dialogs(play, { begin, message });
const review = new Review(play, address("analysis"), (node) => go(node), redrawn);
const solver = new Solver(play, address("gtp"), names, solved);
/** For tests. */
window.losange = { play, board, setup, review, solver };

/** Points of a move that are clicked so far. */
let picked = [];
let shown = null;
let frame = 0;

function names() {
  return sides(play.game);
}

function begin(game) {
  setup.leave();
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

/** Whether a person makes the next move, and nothing else is going on. */
function isFree() {
  return !setup.active && !play.thinking && (play.isPersons || !play.node.state);
}

function legal() {
  return play.node.state?.legal ?? null;
}

/** Legal moves by their points. */
function moves(state) {
  if (!state) return [];
  if (!pointed.has(state)) pointed.set(state, state.legal.flatMap((word) => orders(state, word)));
  return pointed.get(state);
}
const pointed = new WeakMap();

/** A move by its points. Two pieces that are put down at once may be clicked in any order. */
function orders(state, word) {
  const at = play.points.ofMove(word);
  const places = at.length === 2 && state.board[at[0]] === ".";
  return (places ? [at, [...at].reverse()] : [at]).map((points) => ({ word, at: points }));
}

/** Legal moves whose points begin so. */
function begun(points) {
  return moves(play.node.state).filter(({ at }) => at.length && points.every((point, i) => at[i] === point));
}

/** Points that can come next. */
function nexts(points) {
  return [...new Set(begun(points).map(({ at }) => at[points.length]))];
}

board.takes = (point) => {
  if (setup.active || !play.isPersons || !(play.game?.points > 1) || picked[0] === point) return false;
  return !(picked.length && nexts(picked).includes(point)) && nexts([]).includes(point);
};

function clicked(point) {
  if (!play.game) return;
  if (setup.active) {
    setup.click(point);
    say($("spoken"), `${play.points.name(point)}, ${contents(setup.position, point, names()).words}`);
    return;
  }
  if (!isFree()) return;
  // Before the engine has told the legal moves, only a move of one point is known to be whole.
  if (play.game.points === 1) {
    play.play(play.points.name(point));
    return;
  }
  const again = picked[0] === point ? [] : [point];
  const next = nexts(picked).includes(point) ? [...picked, point] : again;
  const possible = next.length ? begun(next) : [];
  picked = possible.length ? next : [];
  const whole = possible.find(({ at }) => at.length === next.length);
  if (whole) {
    play.play(whole.word);
  } else {
    highlight();
    const name = (point) => play.points.name(point);
    say($("spoken"), picked.length ? `${picked.map(name).join(" ")} picked; to ${nexts(picked).map(name).join(" ")}` : "nothing picked");
  }
}

/** Gives up what was picked, or the set-up. */
function cancel() {
  if (setup.active) {
    setup.end();
  } else if (picked.length) {
    picked = [];
    highlight();
    say($("spoken"), "nothing picked");
  }
}

function hovered(point) {
  variation(shown && point !== null ? (candidateAt(point)?.pv ?? null) : null);
}

/** The best candidate at a point: that is played there, or whose piece comes from there or goes there. */
function candidateAt(point) {
  const reach = [...picked, point];
  const all = shown.moves.map((entry) => ({ ...entry, at: play.points.ofMove(entry.move) }));
  return all.find(({ at }) => reach.every((each, i) => at[i] === each)) ?? all.find(({ at }) => !picked.length && at[1] === point);
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
  picked = [];
  document.body.className = `on-${game.word} ${game.grid} of-${game.points}`;
  say($("win"), game.players === 1 ? "Value" : "Win");
  document.title = `${game.name} – Losange`;
  // Holes of the board are drawn once the engine has told of them.
  board.holes = ".".repeat(points.count);
  board.begin(game, points, board.holes);
  text.begin(points);
  moveList.begin();
  $("table").style.setProperty("--ratio", board.ratio.toFixed(4));
  $("solve").parentElement.hidden = game.word !== "hex";
  $("firsts").parentElement.hidden = !play.hasFirsts;
  solver.show();
  review.close();
});

play.addEventListener("moved", () => {
  setup.leave();
  picked = [];
  line = null;
  shown = null;
  solver.moved();
  draw();
  changed();
});

play.addEventListener("state", () => {
  draw();
  solver.moved();
  store();
});

play.addEventListener("report", () => later());
play.addEventListener("switches", () => draw());
play.addEventListener("thinking", () => buttons());
play.addEventListener("tick", () => seats.tick());
play.addEventListener("message", (event) => message(event.detail));
play.addEventListener("link", ({ detail }) => {
  const why = detail.reason ? `${detail.reason}; ` : "";
  say($("link"), detail.connected ? "" : `no engine: ${why}connecting again`);
  document.body.classList.toggle("offline", !detail.connected);
});
play.addEventListener("name", () => ($("link").title = play.name));
play.addEventListener("games", () => {
  const kept = recall(play.games);
  const [word, asked] = location.hash.slice(1).split("?");
  const game = play.games.find((known) => known.word === word);
  const settings = new URLSearchParams(asked);
  const goesOn = kept && (!game || kept.game === game) && isAsked(kept, settings);
  if (goesOn) Object.assign(play, kept.options);
  // Asked for once: a reload shows the game that was begun.
  if (asked !== undefined) history.replaceState(null, "", `#${word}`);
  if (settings.has("time")) play.seconds = Number(settings.get("time"));
  const chosen = goesOn ? kept.game : (game ?? play.games[0]);
  if (settings.has("level")) play.level = levelOf(chosen, settings.get("level"));
  if (goesOn) {
    begin(kept);
    return;
  }
  const size = settings.get("size")?.split("x").map(Number) ?? (chosen.word === "go" ? [9, 9] : chosen.usual);
  const komi = settings.has("komi") ? Number(settings.get("komi")) : undefined;
  begin({ game: chosen, size, komi, rules: settings.get("rules") ?? undefined, swap: chosen.word === "hex" });
});

/** The level of a game that an address asks for, by its name or by its number. */
function levelOf({ name, play_levels: levels }, asked) {
  const level = levels.includes(asked) || asked === FULL ? asked : levels[Number(asked) - 1];
  if (!level) message(`${name} has no level ${asked}: it is played at full strength`);
  return level ?? FULL;
}

/** Whether a game has the board, rules and komi that an address asks for. */
function isAsked({ game, size, rules, komi }, settings) {
  const told = { size: size.join("x"), ...(game.word === "go" ? { rules: rules ?? "chinese", komi: String(komi ?? 7.5) } : {}) };
  return Object.entries(told).every(([key, value]) => !settings.has(key) || settings.get(key) === value);
}

/** What stands on the board that is seen; null where it is not known. */
function shownPosition() {
  return setup.active ? setup.position : play.node.state;
}

/** The picture of a position: of this one, or of the last one that is known and the move since. */
function draw() {
  if (!play.game) return;
  if (setup.active) {
    setup.draw();
    text.show(setup.position, names());
    buttons();
    return;
  }
  const { node } = play;
  const { state } = node;
  if (state) {
    holes(state.board);
    board.position(state.board, state.heights, state.levels);
  } else if (node.parent?.state && node.word) {
    const guess = [...node.parent.state.board];
    const points = play.points.ofMove(node.word);
    if (points.length > 1) guess[points[0]] = ".";
    if (points.length) guess[points[Math.min(points.length, 2) - 1]] = node.colour;
    board.position(guess, node.parent.state.heights, node.parent.state.levels);
  }
  board.marks(node.marks);
  $("comment").hidden = !node.comment;
  say($("comment"), node.comment);
  highlight();
  board.inside(solver.picture);
  text.show(state, names());
  spoken();
  buttons();
  seats.show();
  overlay();
  values();
}

/** A board with holes is drawn anew when they are first told. */
function holes(marks) {
  const key = [...marks].map((mark) => (mark === "?" ? "?" : ".")).join("");
  if (board.holes === key || board.shape.burns) return;
  board.holes = key;
  board.begin(play.game, play.points, marks);
}

/** What the solver tells has changed. */
function solved() {
  if (!play.game || setup.active) return;
  board.inside(solver.picture);
  solver.show();
  values();
  store();
}

function highlight() {
  const { node } = play;
  const last = node.word ? play.points.ofMove(node.word) : [];
  board.highlight(node.word === "swap-pieces" ? [] : last, picked, picked.length ? nexts(picked) : []);
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
  return play.analysing || play.hinting || play.showsFirsts || (play.thinking && !play.teaching);
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
  board.shares(play.heat && report && !report.ownership ? visited(report) : null);
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
  const list = play.hinting && !play.analysing ? shown.moves.slice(0, 1) : shown.moves.filter((m, index) => index < 8 || m.visits >= least || play.showsFirsts);
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
    play.showsFirsts ? list.length : undefined,
  );
}

/** The share of the visits that goes to each point; of a piece's moves, to where it goes. The most is 1. */
function visited(report) {
  const shares = new Map();
  for (const { move, visits } of report.moves) {
    const at = play.points.ofMove(move);
    const point = at[Math.min(at.length, 2) - 1];
    if (point !== undefined) shares.set(point, (shares.get(point) ?? 0) + visits);
  }
  const most = Math.max(1, ...shares.values());
  return new Map([...shares].map(([point, visits]) => [point, visits / most]));
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
  const told = node.colour && play.players[node.colour] !== "engine" ? lesson(node, Boolean(node.values?.score)) : null;
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
      go(node.parent);
      const entry = node.parent.values.moves.find((m) => m.move === told.better);
      variation(entry?.pv ?? [told.better]);
    });
    box.append(better);
  }
  const at = moveList.buttons.get(node.id);
  if (at) moveList.dress(node, at);
}

/** The tree or its values have changed. */
function changed() {
  moveList.show(play.tree);
  course();
  store();
}

/** The order of the variations has changed, or the values of many moves. */
function redrawn() {
  moveList.forget();
  changed();
}

function course() {
  if (!play.game) return;
  const all = play.tree.line();
  const kind = (node) => {
    const fault = judged(node)?.kind;
    return fault === "blunder" || fault === "mistake" || fault === "inaccuracy" ? fault : null;
  };
  graph.show(all, play.node, kind, names().B);
  moveList.dress(play.node);
}

function buttons() {
  const { node, game } = play;
  if (!game) return;
  const all = legal() ?? [];
  $("pass").hidden = game.word !== "go" && !all.includes("pass");
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
  $("firsts").checked = play.firsts;
  $("setup").setAttribute("aria-pressed", setup.active);
  seats.show();
}

function spoken() {
  const { node } = play;
  const name = names();
  const result = play.result(name);
  const move = node.word ? `${name[node.colour]} ${node.word}. ` : node.setup ? "Set up. " : "";
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
  const changed = () => {
    draw();
    store();
  };
  ask.menu(node, { promote: () => promote(node), remove: () => remove(node), changed });
}

function promote(node) {
  play.tree.promote(node);
  redrawn();
}

/** Deletes a position and all behind it; of several, once that was confirmed. */
function remove(node) {
  if (!node.parent || !isSettled()) return;
  const count = play.tree.count(node);
  if (count > 1) ask.sure(`Delete ${count} positions from here on?`, "Delete", () => removed(node));
  else removed(node);
}

function removed(node) {
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
  if (!isSettled()) return;
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
  first: () => go(play.tree.root),
  back: () => go(play.node.parent),
  forward: () => go(play.tree.next()),
  last: () => {
    let { node } = play;
    while (node.children.length) node = play.tree.next(node);
    go(node);
  },
  undo: () => isSettled() && play.undo(),
  hint: () => {
    if (!isSettled()) return;
    play.hinting = true;
    play.reconsider();
  },
  engine: move,
  pass: () => isFree() && play.play("pass"),
  swap: () => isFree() && play.play("swap-pieces"),
  resign: () => {
    if (!isSettled() || play.isOver || play.game.players === 1) return;
    const person = play.players[play.turn] === "person" ? play.turn : other(play.turn);
    play.stop(true);
    play.node.resigned = person;
    play.time();
    play.rest();
    draw();
    store();
  },
  setup: () => (setup.active ? setup.end() : setup.begin()),
  note: () => menu(play.node),
  review: () => review.begin(names()),
};

function go(node) {
  if (node && isSettled()) play.go(node);
}

/** Whether no position is being set up, which another one would throw away. */
function isSettled() {
  if (setup.active) message("Done or Cancel first: a position is being set up");
  return !setup.active;
}

for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);

const switches = { analyse: "analysing", teach: "teaching", heat: "heat", firsts: "firsts" };
for (const [id, name] of Object.entries(switches)) {
  $(id).addEventListener("change", (event) => {
    play[name] = event.target.checked;
    if (name === "heat" && play.heat && !play.wantsAnalysis) play.analysing = true;
    if (name === "firsts" && play.firsts) play.analysing = play.teaching = false;
    play.reconsider();
    store();
  });
}
$("solve").addEventListener("change", ({ target }) => solver.use(target.checked));
$("letters").addEventListener("change", (event) => {
  svg.classList.toggle("bare", !event.target.checked);
  localStorage.setItem("losange-letters", event.target.checked ? "yes" : "no");
});

const toggle = (id) => $(id).click();
listen(play, board, {
  actions: {
    ...actions,
    analyse: () => toggle("analyse"),
    teach: () => toggle("teach"),
    heat: () => toggle("heat"),
    letters: () => toggle("letters"),
    firsts: () => play.hasFirsts && toggle("firsts"),
    solve: () => play.game.word === "hex" && toggle("solve"),
    before: () => go(play.tree.sister(-1)),
    after: () => go(play.tree.sister(1)),
    remove: () => remove(play.node),
    promote: () => promote(play.node),
    cancel,
    focus: () => $("board").focus(),
  },
  clicked,
  names,
  position: shownPosition,
  isBusy: () => setup.active,
});

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

// Nothing where the page does not come from the server itself.
const games = $("games").textContent;
play.connect(games ? JSON.parse(games) : null);
