// The dialog of a new game: game, board, rules, handicap, players, clock and level.

import { button, dialog, select } from "./box.js";
import { SYSTEMS } from "./clock.js";
import { FULL, RULES } from "./play.js";
import { h } from "./svg.js";
import { levelName, sides } from "./texts.js";
import { Tree } from "./tree.js";

/** Komi of an even game, and of one with a handicap. */
const KOMI = { even: 7.5, handicap: 0.5 };
const MOST_STONES = 9;

const field = (text, ...inputs) => h("label", {}, h("span", { textContent: text }), ...inputs);
const number = (value, min, max, step = 1) => h("input", { type: "number", required: true, value, min, max, step });

/** Fields of the clock, and the system that they say: null for seconds a move. */
function clockFields(play) {
  const clock = play.clock ?? { kind: "move", main: 300, period: 10, count: 3 };
  const kind = select(SYSTEMS, clock.kind);
  const seconds = number(play.seconds, 0.01, 1e7, "any");
  const main = number(clock.main / 60, 0, 1440, "any");
  const period = number(clock.period, 0.1, 3600, "any");
  const count = number(clock.count, 1, 99);
  const fields = {
    kind: field("Clock", kind),
    seconds: field("Seconds a move", seconds),
    main: field("Minutes", main),
    period: field("", period),
    count: field("", count),
  };
  const choose = () => {
    const { value } = kind;
    const overtime = value === "byoyomi" || value === "canadian";
    fields.main.hidden = value === "move";
    fields.period.hidden = !overtime && value !== "fischer";
    fields.count.hidden = !overtime;
    main.min = overtime ? 0 : 0.01;
    fields.seconds.hidden = value !== "move";
    for (const { hidden, lastChild } of Object.values(fields)) lastChild.disabled = hidden;
    fields.period.firstChild.textContent = value === "fischer" ? "Seconds added" : "Period, seconds";
    fields.count.firstChild.textContent = value === "canadian" ? "Stones a period" : "Periods";
  };
  kind.addEventListener("change", choose);
  choose();
  const told = () => {
    play.seconds = Number(seconds.value);
    if (kind.value === "move") return null;
    return { kind: kind.value, main: 60 * Number(main.value), period: Number(period.value), count: Number(count.value) };
  };
  return { fields: Object.values(fields), told };
}

/** Opens the dialog. `begin(game)` starts what was chosen, `message(words)` tells why it cannot be. */
export function newGame(play, begin, message) {
  if (!play.games.length) return;
  let { game } = play;
  const games = h("div", { className: "games", role: "radiogroup", ariaLabel: "Game" });
  for (const known of play.games) {
    const input = h("input", { type: "radio", name: "game", value: known.word, checked: known === game });
    input.addEventListener("change", () => choose(known));
    games.append(h("label", { className: "tool" }, input, h("span", { textContent: known.name })));
  }
  const width = number(play.size?.[0] ?? 9, 1, 32);
  const height = number(play.size?.[1] ?? 9, 1, 32);
  const komi = number(play.komi ?? KOMI.even, -4096, 4096, "any");
  const rules = select(RULES.map((name) => [name, name]), play.rules ?? "chinese");
  const stones = play.tree.setup?.handicap ? play.tree.setup.stones.length : 0;
  const handicap = select([[0, "None"], ...Array.from({ length: MOST_STONES - 1 }, (_, i) => [i + 2, `${i + 2} stones`])], stones);
  const swap = h("input", { type: "checkbox", checked: play.game.word === "hex" ? play.swap : true });
  const who = [["person", "Person"], ["engine", "Engine"]];
  const black = select(who, play.players.B);
  const white = select(who, play.players.W);
  const clock = clockFields(play);
  const model = select([["given", "The engine’s"], ["none", "None"]], play.model);
  const level = select([], play.level);
  const fields = {
    size: h("div", { className: "field" }, h("span", { textContent: "Board" }), width, "×", height),
    rules: field("Rules", rules),
    handicap: field("Handicap", handicap),
    komi: field("Komi", komi),
    swap: field("Swap rule", swap),
    black: field("", black),
    white: field("", white),
    model: field("Model", model),
    level: field("Engine’s level", level),
  };
  width.ariaLabel = "Columns";
  height.ariaLabel = "Rows";
  handicap.addEventListener("change", () => (komi.value = Number(handicap.value) ? KOMI.handicap : KOMI.even));
  const start = h("button", { type: "submit", textContent: "Play", className: "main" });
  const form = h("form", { className: "fields" }, games, ...Object.values(fields), ...clock.fields, h("menu", {}, button("Cancel", () => box.close()), start));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });

  function choose(known) {
    const other = known !== game;
    game = known;
    const [fewest, most] = known.boards;
    for (const [input, side] of [[width, 0], [height, 1]]) {
      input.min = fewest;
      input.max = most;
      if (other) input.value = known.word === "go" ? 9 : known.usual[side];
      input.disabled = fewest === most;
    }
    fields.komi.hidden = fields.rules.hidden = fields.handicap.hidden = known.word !== "go";
    // A value that nobody sees is not asked about.
    komi.disabled = fields.komi.hidden;
    fields.swap.hidden = known.word !== "hex";
    const chosen = other ? FULL : play.level;
    level.replaceChildren(...select([...known.play_levels, FULL].map((name) => [name, levelName(name)]), chosen).children);
    models(known);
    fields.white.hidden = known.players === 1;
    const names = sides(known);
    fields.black.firstChild.textContent = known.players === 1 ? "Player" : names.B;
    fields.white.firstChild.textContent = names.W;
  }

  /** A game without a model leaves nothing to choose. */
  async function models(known) {
    fields.model.hidden = true;
    const names = await play.modelsOf(known).catch(() => []);
    if (known !== game || !names.length) return;
    model.options[0].textContent = names.join(", ");
    fields.model.hidden = false;
  }

  async function go() {
    if (!form.reportValidity()) return;
    const size = [Number(width.value), Number(height.value)];
    const count = game.word === "go" ? Number(handicap.value) : 0;
    let tree;
    if (count) {
      try {
        tree = new Tree(await play.handicap(size, count));
      } catch (error) {
        message(`no handicap of ${count} on this board: ${error.message}`);
        return;
      }
      // Pressed twice, or closed meanwhile.
      if (!box.open) return;
    }
    play.players = { B: black.value, W: game.players === 1 ? black.value : white.value };
    play.clock = clock.told();
    play.level = level.value;
    // Names may still be on their way.
    if (!fields.model.hidden) play.model = model.value;
    else if (game !== play.game) play.model = "given";
    play.paused = false;
    box.close();
    begin({ game, size, komi: Number(komi.value), rules: rules.value, swap: swap.checked, tree });
  }

  choose(game);
  const box = dialog("New game", form);
}
