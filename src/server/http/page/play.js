// The game that is played: its tree, the engine that follows it, whose turn it is, and what the engine thinks.

import { settings as clockSettings } from "./clock.js";
import { Gone, ask } from "./engine.js";
import { Points } from "./points.js";
import { better, parseReport, valuesOf } from "./reports.js";
import { Timer } from "./timer.js";
import { Tree, other, way } from "./tree.js";

/** Hundredths of a second between reports. */
const REPORT_EVERY = 10;
/** Moves of a report. */
const MOST_MOVES = 24;
/** Wait before an analysis begins, so that going through a game starts none. */
const QUIET = 60;
/** The level without any weakness, as the engine calls it. */
export const FULL = "full";

/** Rules of Go that the engine knows by name. */
export const RULES = ["chinese", "japanese", "tromp-taylor", "aga", "korean", "new-zealand", "bga", "stone-scoring", "cgos", "chinese-kgs"];

/** Commands that set a position up. */
function setupLines({ turn, stones, handicap }) {
  if (!stones) return ["clear_board", `losange-edit ${turn}`];
  if (handicap) return ["clear_board", `set_free_handicap ${stones.map(([, point]) => point).join(" ")}`];
  return [`losange-setup ${turn} ${stones.map((stone) => stone.join(" ")).join(" ")}`];
}

/** Moves of one command. */
const SEQUENCE = 500;

/** Commands that lead through nodes that follow each other: {line, edited}, the latter a node that is set up, or null for moves. */
function steps(nodes) {
  const all = [];
  let moves = [];
  const play = () => {
    for (let from = 0; from < moves.length; from += SEQUENCE) all.push({ line: `gogui-play_sequence ${moves.slice(from, from + SEQUENCE).join(" ")}`, edited: null });
    moves = [];
  };
  for (const node of nodes) {
    if (node.setup) {
      play();
      all.push({ line: `losange-edit ${node.setup.turn} ${node.setup.stones.map((stone) => stone.join(" ")).join(" ")}`, edited: node });
    } else {
      moves.push(`${node.colour} ${node.word}`);
    }
  }
  play();
  return all;
}

/** Commands that lead from a new game of the right size to a position. */
export function positionLines(tree, node) {
  const lines = tree.setup ? setupLines(tree.setup) : ["clear_board"];
  return [...lines, ...steps(tree.path(node).slice(1)).map(({ line }) => line)];
}

export class Play extends EventTarget {
  /** `url` is that of more sessions beside the one of `engine`, which is greeted with what games there are, its name and its version. */
  constructor(engine, url) {
    super();
    this.engine = engine;
    this.url = url;
    this.games = [];
    /** Names of models by game, once asked. */
    this.models = new Map();
    this.game = null;
    this.tree = new Tree();
    this.players = { B: "person", W: "engine" };
    this.seconds = 2;
    /** The system of both sides' clocks; null where the engine takes `seconds` for each move. */
    this.clock = null;
    this.timer = new Timer(() => this.tell("tick"), (node, colour) => this.flag(node, colour));
    this.level = FULL;
    /** "given": the model that the engine has for a game; "none": its own knowledge alone. */
    this.model = "given";
    this.analysing = false;
    this.teaching = false;
    this.hinting = false;
    this.heat = false;
    /** Whether the values of first moves are shown, where the engine has a table of them. */
    this.firsts = false;
    this.paused = false;
    /** Newest report, and the position that it is of. */
    this.report = null;
    this.reported = null;
    /** The position that the engine is at; null where that is not known. */
    this.at = null;
    this.told = null;
    this.ticket = 0;
    /** Number of refusals: what was sent before one may have been played on another position. */
    this.refusals = 0;
    this.thinking = null;
    /** Whether the move that the engine thinks about is not wanted any more. */
    this.dropped = false;
    /** The analysis that the engine is at; null for none. */
    this.stream = null;
    this.clicks = [];
    /** Whether the engine reads who lives, which takes long and which nothing waits for. */
    this.scoring = false;
  }

  /** Begins, once all listen. `games` is what the page itself tells of them: then the board waits for no engine. */
  connect(games) {
    this.games = games ?? [];
    this.engine.listen((connected, reason) => this.linked(connected, reason));
    if (games) this.tell("games");
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  async linked(connected, reason) {
    this.at = null;
    this.told = null;
    this.thinking = null;
    this.timer.stop();
    this.tell("link", { connected, reason });
    if (!connected) return;
    try {
      const [games, ...name] = this.engine.greeted;
      const named = Promise.all(name).then((words) => {
        this.name = words.join(" ");
        this.tell("name");
      });
      await Promise.all([named, this.games.length ? this.game && this.refresh() : this.learn(games)]);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Begins with the games that the engine tells. */
  async learn(games) {
    this.games = JSON.parse(await games);
    this.tell("games");
  }

  fail(error) {
    if (!(error instanceof Gone)) this.tell("message", String(error.message ?? error));
  }

  /** Begins a game, or takes over a record's tree. */
  begin({ game, size, komi, rules, swap, tree, thought }) {
    this.game = game;
    this.size = size;
    this.komi = game.word === "go" ? (komi ?? 7.5) : null;
    this.rules = game.word === "go" ? (rules ?? "chinese") : null;
    this.swap = game.word === "hex" && swap;
    this.points = new Points(game.letters, size);
    // Games have other levels, and a browser may keep one that there is no more.
    if (!game.play_levels.includes(this.level)) this.level = FULL;
    this.timer.begin(this.clock);
    this.tree = tree ?? new Tree();
    if (thought) this.timer.thought.set(this.node, thought);
    this.at = null;
    this.clicks = [];
    this.report = null;
    this.hinting = false;
    this.tell("begin");
    this.moved();
  }

  get node() {
    return this.tree.current;
  }

  get turn() {
    return this.node.turn(this.game.players, this.tree.first);
  }

  /** Whether a person makes the next move. */
  get isPersons() {
    return this.paused || this.players[this.turn] === "person";
  }

  get isOver() {
    return Boolean(this.node.state?.end || this.node.resigned || this.node.flagged);
  }

  /** Lets the clock of the side to move run, or none where nobody is to move. */
  time() {
    if (this.paused || this.isOver || !this.engine.connected) this.timer.stop();
    else this.timer.run(this.node, this.turn);
  }

  /** The time of a side is over. */
  flag(node, colour) {
    node.flagged = colour;
    this.stop(true);
    this.rest();
    this.tell("state");
  }

  /** Goes on after a move from the current position. */
  advance(colour, word) {
    const child = this.tree.child(this.node, colour, word);
    child.resigned = child.flagged = null;
    this.timer.moved(this.node, child);
    return this.tree.go(child);
  }

  /** The current position is another one: shows it, and lets the engine follow. */
  moved() {
    this.hinting = false;
    this.time();
    this.tell("moved");
    this.refresh().catch((error) => this.fail(error));
  }

  /** Plays a move of the side to move, if the engine calls it legal. Moves that come before it has said so wait. */
  play(word) {
    const { node } = this;
    if (!node.state) {
      this.clicks.push(word);
      return;
    }
    if (node.flagged || !node.state.legal.includes(word)) {
      this.clicks = [];
      return;
    }
    this.advance(node.state.turn, word);
    this.paused = false;
    this.moved();
  }

  go(node) {
    if (node === this.node || !this.tree.has(node)) return;
    this.clicks = [];
    this.tree.go(node);
    this.paused = true;
    this.moved();
  }

  /** Takes moves back until a person is to move. */
  undo() {
    const { tree } = this;
    if (!tree.current.parent) return;
    this.clicks = [];
    tree.go(tree.current.parent);
    const both = Object.values(this.players).includes("engine") && Object.values(this.players).includes("person");
    if (both && this.players[this.turn] === "engine" && tree.current.parent) tree.go(tree.current.parent);
    this.paused = this.players[this.turn] === "engine";
    this.moved();
  }

  /** What the engine must be told before moves: game, model, level, board, rules. */
  settings() {
    const { game, size, komi, rules, swap, model, level } = this;
    const lines = [`losange-game ${game.word}`, `losange-option model ${model}`, `level ${level}`, `boardsize ${size.join(" ")}`];
    if (game.word === "go") lines.push(`kata-set-rules ${rules}`, `komi ${komi}`);
    if (game.word === "hex") lines.push(`param_game allow_swap ${swap ? 1 : 0}`);
    return lines;
  }

  /** Sets a position up on the engine's board; an error where there is no such position. */
  tryOut(setup) {
    this.hurry();
    this.at = null;
    return Promise.all(setupLines(setup).map((line) => this.engine.send(line)));
  }

  /** The set-up of Go with the usual handicap; an error where there is none. */
  async handicap(size, stones) {
    this.stop(true);
    this.hurry();
    await this.thinking?.catch(() => {});
    this.at = this.told = null;
    const lines = ["losange-game go", `boardsize ${size.join(" ")}`, `fixed_handicap ${stones}`];
    const answers = await Promise.all(lines.map((line) => this.engine.send(line))).catch((error) => {
      // The game that was left for it goes on.
      this.reconsider();
      throw error;
    });
    return { turn: "W", stones: answers[2].split(" ").map((point) => ["B", point]), handicap: true };
  }

  /** The state of a position that has not been shown; an error where there is no such position. The engine comes back afterwards. */
  async stateOf(node) {
    while (this.thinking) await this.thinking.catch(() => {});
    this.hurry();
    // An analysis that was about to begin would be one of that position.
    clearTimeout(this.pause);
    this.ticket++;
    this.at = this.told = null;
    const lines = [...this.settings(), ...positionLines(this.tree, node), "losange-state"];
    const answers = await Promise.all(lines.map((line) => this.engine.send(line))).finally(() => this.reconsider());
    node.state = JSON.parse(answers[answers.length - 1]);
    return node.state;
  }

  /** Names of the models that the engine has for a game; asked beside the game, whose search goes on. */
  async modelsOf({ word }) {
    if (!this.models.has(word)) {
      const [, told] = await ask(this.url, [`losange-game ${word}`, "kata-get-models"]);
      this.models.set(word, JSON.parse(told).map(({ name }) => name));
    }
    return this.models.get(word);
  }

  /** What the engine must be told of the time before it chooses a move. */
  timing() {
    const { clock, timer, node } = this;
    if (!clock) return [`time_settings 0 ${this.seconds} 1`];
    const left = ["B", "W"].map((colour) => {
      const { time, count } = timer.now(node, colour) ?? { time: 0, count: 0 };
      return `time_left ${colour} ${time.toFixed(2)} ${count}`;
    });
    return [clockSettings(clock), ...left];
  }

  /** Ends the reading of who lives, so that the engine hears what comes next. */
  hurry() {
    if (this.scoring) this.engine.interrupt();
  }

  /** Brings the engine to the current position and asks what it is. False where something newer came in between. */
  async follow() {
    this.hurry();
    if (this.thinking) {
      this.engine.interrupt();
      await this.thinking.catch(() => {});
    }
    const { node, tree, engine } = this;
    if (!engine.connected) return false;
    const sent = [];
    // The node that each command sets up; null for others.
    const edits = [];
    const send = (line, edited = null) => {
      sent.push(engine.send(line));
      edits.push(edited);
    };
    const settings = this.settings();
    const key = settings.join("\n");
    let path = this.at && this.told === key ? way(this.at, node) : null;
    if (!path) {
      if (this.told !== key) settings.forEach((line) => send(line));
      const { setup } = tree;
      if (setup) setupLines(setup).forEach((line) => send(line));
      else send("clear_board");
      path = way(tree.root, node);
      this.told = key;
    }
    if (path.undo) send(`gg-undo ${path.undo}`);
    for (const { line, edited } of steps(path.play)) send(line, edited);
    const before = this.at;
    const { refusals } = this;
    this.at = node;
    if (!node.state) sent.push(engine.send("losange-state").then((text) => JSON.parse(text)));
    const answers = await Promise.allSettled(sent);
    const failed = answers.find((answer) => answer.status === "rejected");
    const refused = failed && edits[answers.indexOf(failed)];
    if (refusals !== this.refusals) return this.node === node && this.follow();
    if (failed) {
      this.refusals++;
      this.at = null;
      if (!(failed.reason instanceof Gone)) {
        // A move that the rules forbid: back to the last position that has been shown. A set-up that is none: back to before it.
        const shown = before && tree.has(before) && before !== node ? before : tree.path(node).reverse().find((n) => n.state) ?? tree.root;
        const back = refused?.parent ?? shown;
        if (back !== node && tree.current === node) {
          tree.go(back);
          this.fail(refused ? new Error(`the position that is set up after move ${refused.number} is none: ${failed.reason.message}`) : failed.reason);
          this.moved();
          return false;
        }
      }
      throw failed.reason;
    }
    if (!node.state) {
      node.state = answers[answers.length - 1].value;
    }
    return this.node === node;
  }

  async refresh() {
    const ticket = ++this.ticket;
    clearTimeout(this.pause);
    if (!(await this.follow()) || ticket !== this.ticket) return;
    const { node } = this;
    this.time();
    this.tell("state");
    // A click that came before the answer is a person's, and no move of the engine's.
    if (!this.isPersons) this.clicks = [];
    while (this.clicks.length) {
      const word = this.clicks.shift();
      if (node.state.legal.includes(word)) {
        this.play(word);
        return;
      }
    }
    if (this.isOver) {
      this.tell("thinking", false);
      this.rest();
      const isScored = this.game.word === "go" && node.state.end && !node.resigned && !node.flagged;
      if (isScored && node.finalScore === undefined && !this.scoring) {
        this.scoring = true;
        // What was broken off is asked again; there is no score of what was refused.
        node.finalScore = await this.engine.send("final_score").catch(({ message }) => (/interrupted/.test(message) ? undefined : null));
        this.scoring = false;
        this.tell("state");
      }
      return;
    }
    if (!this.isPersons) {
      this.generate();
    } else {
      this.tell("thinking", false);
      if (this.wantsAnalysis) this.pause = setTimeout(() => this.analyse(ticket), QUIET);
      else if (this.showsFirsts) this.take(node, await this.engine.send("losange-openings"));
      else this.rest();
    }
  }

  get wantsAnalysis() {
    return this.analysing || this.hinting || this.teaching;
  }

  /** Whether the engine has a table of the board's first moves. */
  get hasFirsts() {
    const { width, height } = this.points;
    return width === height && this.game.openings.includes(width);
  }

  get showsFirsts() {
    return this.firsts && this.hasFirsts && !this.node.parent && !this.node.setup && !this.wantsAnalysis;
  }

  get keys() {
    return `rootInfo true provenWinner true maxmoves ${MOST_MOVES}${this.heat ? " ownership true" : ""}`;
  }

  /** Takes a line of a report on `node`. */
  take(node, line) {
    const report = parseReport(line);
    if (!report.moves.length) return;
    node.values = better(node.values, valuesOf(report, node.state?.turn ?? "B"));
    if (node !== this.node) return;
    this.report = report;
    this.reported = node;
    this.tell("report", report);
  }

  analyse(ticket) {
    const { node } = this;
    if (ticket !== this.ticket) return;
    const line = `kata-analyze ${node.state.turn} ${REPORT_EVERY} ${this.keys}`;
    const stream = this.engine.send(line, (info) => this.take(node, info)).catch((error) => this.fail(error));
    this.stream = stream;
    stream.finally(() => {
      if (this.stream === stream) this.stream = null;
    });
  }

  /** Ends an analysis that nobody looks at. Any line does. */
  rest() {
    clearTimeout(this.pause);
    if (this.stream) this.engine.send("protocol_version").catch((error) => this.fail(error));
  }

  /** Starts, restarts or ends the analysis after a switch was changed. */
  reconsider() {
    if (!this.game || this.thinking) {
      this.tell("switches");
      return;
    }
    this.tell("switches");
    this.refresh().catch((error) => this.fail(error));
  }

  /** Lets the engine move, whoever's turn it is. */
  generate() {
    if (this.thinking || this.isOver || !this.node.state) return;
    // An analysis that was about to begin would wait behind the move, and tell of another position.
    clearTimeout(this.pause);
    this.ticket++;
    this.dropped = false;
    const { node } = this;
    this.time();
    const thinking = this.choose(node)
      .then(async ({ word, played }) => {
        if (this.thinking !== thinking) return;
        this.thinking = null;
        const wanted = this.node === node && !this.dropped;
        this.dropped = false;
        if (played && !wanted) {
          this.tell("thinking", false);
          await this.engine.send("undo");
          return;
        }
        this.tell("thinking", false);
        if (!wanted) return;
        if (word === "resign") {
          node.resigned = node.state.turn;
          this.time();
          this.tell("state");
          return;
        }
        if (word === "pass" && !node.state.legal.includes("pass")) return;
        const child = this.advance(node.state.turn, word);
        if (played) this.at = child;
        this.moved();
      })
      .catch((error) => {
        if (this.thinking === thinking) this.thinking = null;
        this.tell("thinking", false);
        this.fail(error);
      });
    this.thinking = thinking;
    this.tell("thinking", true);
  }

  /** The engine's move at its level, which it plays itself. */
  async choose(node) {
    const line = `kata-genmove_analyze ${node.state.turn} ${REPORT_EVERY} ${this.keys}`;
    const timing = this.timing().map((text) => this.engine.send(text));
    const [answer] = await Promise.all([this.engine.send(line, (info) => this.take(node, info)), ...timing]);
    const word = /play (\S+)/.exec(answer)?.[1];
    if (!word) throw new Error(`the engine answered “${answer}”`);
    return { word, played: word !== "resign" && !(word === "pass" && !node.state.legal.includes("pass")) };
  }

  /** Ends the engine's thinking: with its move, or without where `drop` is set. */
  stop(drop) {
    if (!this.thinking) return;
    this.dropped = drop;
    this.engine.interrupt();
  }

  /** How the game ended, for people; null before its end. */
  result(names) {
    const { state, resigned, flagged, finalScore } = this.node;
    if (flagged) return `${names[flagged]} is out of time; ${names[other(flagged)]} wins`;
    if (resigned) return `${names[resigned]} resigns; ${names[other(resigned)]} wins`;
    if (!state?.end) return null;
    if (finalScore) {
      if (finalScore === "0") return "Draw";
      const [side, points] = finalScore.split("+");
      return `${names[side]} wins by ${points}`;
    }
    const { text } = state.end;
    const named = text.replace(/^black/, names.B).replace(/^white/, names.W);
    return named[0].toUpperCase() + named.slice(1);
  }
}
