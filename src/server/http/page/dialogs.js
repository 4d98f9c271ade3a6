// Dialogs: a new game, records opened and saved, links copied, keys.

import * as hexworld from "./hexworld.js";
import { FULL, RULES } from "./play.js";
import * as sgf from "./sgf.js";
import { $, h } from "./svg.js";
import { record } from "./texts.js";
import { Tree } from "./tree.js";

const KEYS = [
  ["← →", "back, forward"],
  ["↑ ↓", "other variation"],
  ["Home End", "start, end"],
  ["Space, a", "analysis"],
  ["Enter", "engine moves"],
  ["h", "hint"],
  ["u", "take back"],
  ["p, x", "pass, swap"],
  ["l", "teacher"],
  ["w, c", "heat map, coordinates"],
  ["m, d", "make main line, delete variation"],
  ["i", "comment on the move"],
  ["e", "set up a position, mark points"],
  ["r", "review the game"],
  ["n, o, s, y", "new, open, save, copy"],
  ["b", "to the board: arrows move, Enter plays"],
  ["t", "light or dark"],
];

function dialog(title, ...content) {
  const box = h("dialog", { ariaLabel: title }, h("h2", { textContent: title }), ...content);
  document.body.append(box);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  box.showModal();
  return box;
}

function button(text, action, className = "") {
  const node = h("button", { type: "button", textContent: text, className });
  node.addEventListener("click", action);
  return node;
}

function select(options, value) {
  return h("select", {}, ...options.map(([id, text]) => h("option", { value: id, textContent: text, selected: String(id) === String(value) })));
}

function download(name, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function dialogs(play, { begin, message }) {
  /** A game of text: SGF, a link of HexWorld's, or moves. Throws an error for people. */
  function read(text) {
    const find = (word) => play.games.find((game) => game.word === word);
    if (!text.includes("(")) {
      const linked = hexworld.read(text);
      if (linked) return { game: find("hex"), komi: null, rules: null, ...linked };
      const words = text.trim().split(/[\s,]+/).filter((word) => !/^\d+\.$/.test(word));
      const { game, points, size, komi, rules, swap } = play;
      const tree = new Tree();
      let node = tree.root;
      for (const word of words) {
        const named = /^(pass|swap-pieces)$/i.test(word) ? word.toLowerCase() : points.ofPoints(points.ofMove(word));
        if (!named) throw new Error(`“${word.slice(0, 20)}” is no SGF, no link and no move of this board`);
        node = tree.child(node, node.depth % 2 && game.players > 1 ? "W" : "B", named);
      }
      tree.go(node);
      return { game, size, komi, rules, swap: swap || words.includes("swap-pieces"), tree };
    }
    return sgf.read(text, play.games);
  }

  function load(text) {
    try {
      const game = read(text);
      const rules = game.rules?.toLowerCase();
      play.paused = true;
      play.analysing = true;
      begin({ ...game, rules: RULES.includes(rules) ? rules : "chinese" });
      return true;
    } catch (error) {
      message(String(error.message ?? error));
      return false;
    }
  }

  async function loadFile(file) {
    if (file.size > sgf.MOST_LETTERS) message("the record is too long");
    else load(await file.text());
  }

  $("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) loadFile(file);
    event.target.value = "";
  });
  const drop = $("drop");
  addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files") && ![...event.dataTransfer.types].includes("text/plain")) return;
    event.preventDefault();
    drop.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.hidden = true;
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.hidden = true;
    const [file] = event.dataTransfer.files;
    if (file) loadFile(file);
    else load(event.dataTransfer.getData("text/plain"));
  });
  addEventListener("paste", (event) => {
    if (event.target.matches?.("input, textarea")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.includes("(;") || /hexworld/i.test(text)) load(text);
  });

  function newGame() {
    if (!play.games.length) return;
    let { game } = play;
    const games = h("div", { className: "games", role: "radiogroup", ariaLabel: "Game" });
    for (const known of play.games) {
      const input = h("input", { type: "radio", name: "game", value: known.word, checked: known === game });
      input.addEventListener("change", () => choose(known));
      games.append(h("label", { className: "tool" }, input, h("span", { textContent: known.name })));
    }
    const number = (value, min, max, step = 1) => h("input", { type: "number", value, min, max, step });
    const width = number(play.size?.[0] ?? 9, 1, 32);
    const height = number(play.size?.[1] ?? 9, 1, 32);
    const komi = number(play.komi ?? 7.5, -400, 400, 0.5);
    const rules = select(RULES.map((name) => [name, name]), play.rules ?? "chinese");
    const swap = h("input", { type: "checkbox", checked: play.swap ?? true });
    const who = [["person", "Person"], ["engine", "Engine"]];
    const black = select(who, play.players.B);
    const white = select(who, play.players.W);
    const seconds = number(play.seconds, 0.2, 3600, 0.1);
    const level = select([...Array(FULL).keys()].map((i) => [i + 1, i + 1 === FULL ? "Full strength" : `Level ${i + 1}`]), play.level);
    const field = (text, ...inputs) => h("label", {}, h("span", { textContent: text }), ...inputs);
    const fields = {
      size: h("div", { className: "field" }, h("span", { textContent: "Board" }), width, "×", height),
      komi: field("Komi", komi),
      rules: field("Rules", rules),
      swap: field("Swap rule", swap),
      black: field("", black),
      white: field("", white),
      seconds: field("Seconds a move", seconds),
      level: field("Engine’s level", level),
    };
    width.ariaLabel = "Columns";
    height.ariaLabel = "Rows";
    const start = button("Play", () => go(), "main");
    const form = h("form", { className: "fields" }, games, ...Object.values(fields), h("menu", {}, button("Cancel", () => box.close()), start));
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
      fields.komi.hidden = fields.rules.hidden = known.word !== "go";
      fields.swap.hidden = known.word !== "hex";
      fields.white.hidden = known.players === 1;
      const [first, second] = known.grid === "hexagons" ? ["Red", "Blue"] : ["Black", "White"];
      fields.black.firstChild.textContent = known.players === 1 ? "Player" : first;
      fields.white.firstChild.textContent = second;
    }
    function go() {
      if (!form.reportValidity()) return;
      const size = [Number(width.value), Number(height.value)];
      play.players = { B: black.value, W: game.players === 1 ? black.value : white.value };
      play.seconds = Number(seconds.value);
      play.level = Number(level.value);
      play.paused = false;
      box.close();
      begin({ game, size, komi: Number(komi.value), rules: rules.value, swap: swap.checked });
    }
    choose(game);
    const box = dialog("New game", form);
  }

  function open() {
    const area = h("textarea", { rows: 6, placeholder: "SGF, a link of HexWorld’s, or moves", ariaLabel: "Record" });
    const box = dialog(
      "Open",
      h("p", { textContent: "Choose a file, drop one on the page, or paste a record here." }),
      area,
      h("menu", {}, button("Cancel", () => box.close()), button("Choose a file", () => {
        box.close();
        $("file").click();
      }), button("Open", () => load(area.value) && box.close(), "main")),
    );
    area.focus();
  }

  function save() {
    if (!play.game) return;
    download(`${play.game.word}-${play.size.join("x")}.sgf`, record(play));
  }

  function copy() {
    if (!play.game) return;
    const moves = play.tree.line().slice(1).map((node) => node.word).join(" ");
    const link = play.game.word === "hex" ? hexworld.link(play.size, play.tree) : null;
    const texts = [["Moves", moves], ["SGF", record(play)], ...(link ? [["HexWorld link", link]] : [])];
    const box = dialog(
      "Copy",
      ...texts.map(([title, text]) => {
        const area = h("textarea", { rows: title === "SGF" ? 5 : 2, value: text, readOnly: true, ariaLabel: title });
        const done = button(`Copy ${title === "Moves" ? "moves" : title}`, async () => {
          area.select();
          try {
            await navigator.clipboard.writeText(text);
            done.textContent = "Copied";
          } catch {
            done.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
          }
        });
        return h("div", { className: "copy" }, area, done);
      }),
      h("menu", {}, button("Close", () => box.close(), "main")),
    );
  }

  function help() {
    const rows = KEYS.map(([keys, what]) => h("tr", {}, h("th", { scope: "row", textContent: keys }), h("td", { textContent: what })));
    const box = dialog(
      "Keys",
      h("table", { className: "keys" }, ...rows),
      h("p", { textContent: "A right click on a move makes its variation the main one, or deletes it. The wheel over the board goes through the game." }),
      h("menu", {}, button("Close", () => box.close(), "main")),
    );
  }

  function menu(node, { promote, remove, changed }) {
    const item = (text, action) => button(text, () => {
      box.close();
      action();
    });
    const comment = h("textarea", { rows: 3, value: node.comment, ariaLabel: "Comment", placeholder: "Comment" });
    comment.addEventListener("input", () => {
      node.comment = comment.value;
      changed();
    });
    const box = dialog(node.word ? `Move ${node.depth}: ${node.word}` : "The start", comment, h("menu", {}, item("Make main line", promote), item("Delete from here", remove), button("Close", () => box.close(), "main")));
  }

  return { newGame, open, save, copy, help, menu, load };
}
