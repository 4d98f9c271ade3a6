// Dialogs: a new game, records opened and saved, links copied, keys.

import { button, dialog } from "./box.js";
import * as hexworld from "./hexworld.js";
import { newGame } from "./newgame.js";
import { RULES } from "./play.js";
import * as records from "./records.js";
import * as sgf from "./sgf.js";
import { $, h } from "./svg.js";
import { record } from "./texts.js";

const KEYS = [
  ["← →", "back, forward"],
  ["↑ ↓", "other variation"],
  ["Home End", "start, end"],
  ["Space, a", "analysis"],
  ["Enter", "engine moves"],
  ["h", "hint"],
  ["u", "take back"],
  ["p, x, q", "pass, swap, resign"],
  ["l", "teacher"],
  ["w, c", "heat map, coordinates"],
  ["v", "solver of Hex"],
  ["f", "values of first moves"],
  ["m, d", "make main line, delete variation"],
  ["i", "comment on the move"],
  ["e", "set up a position, mark points"],
  ["r", "review the game"],
  ["n, o, s, y", "new, open, save, copy"],
  ["b", "to the board: arrows move, Enter plays"],
  ["t", "light or dark"],
];

function download(name, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function dialogs(play, { begin, message }) {
  function load(text) {
    try {
      const game = records.read(text, play);
      const rules = game.rules?.toLowerCase();
      play.paused = true;
      play.clock = null;
      play.analysing = true;
      begin({ ...game, rules: RULES.includes(rules) ? rules : "chinese" });
      document.querySelector("dialog")?.close();
    } catch (error) {
      message(String(error.message ?? error));
    }
  }

  async function loadFile(file) {
    if (file.size > sgf.MOST_LETTERS) message("the record is too long");
    else load(records.textOf(await file.arrayBuffer()));
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
    if (!play.game) return;
    if (file) loadFile(file);
    else load(event.dataTransfer.getData("text/plain"));
  });
  addEventListener("paste", (event) => {
    if (event.target.matches?.("input, textarea")) return;
    const text = event.clipboardData.getData("text/plain");
    if (play.game && records.isLikely(text, play.points)) load(text);
  });

  function open() {
    const area = h("textarea", { rows: 6, placeholder: "SGF, a link of HexWorld’s, or moves", ariaLabel: "Record" });
    const box = dialog(
      "Open",
      h("p", { textContent: "Choose a file, drop one on the page, or paste a record here." }),
      area,
      h("menu", {}, button("Cancel", () => box.close()), button("Choose a file", () => {
        box.close();
        $("file").click();
      }), button("Open", () => load(area.value), "main")),
    );
    area.focus();
  }

  function save() {
    if (!play.game) return;
    download(`${play.game.word}-${play.size.join("x")}.sgf`, record(play));
  }

  function copy() {
    if (!play.game) return;
    const moves = play.tree.line().map((node) => node.word).filter(Boolean).join(" ");
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
      h("p", { textContent: "A right click on a move, or “Note”, makes its variation the main one, or deletes it. The wheel over the board goes through the game." }),
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
    const items = node.parent ? [item("Make main line", promote), item("Delete from here", remove)] : [];
    const title = node.word ? `Move ${node.number}: ${node.word}` : node.setup ? `Set up after move ${node.number}` : "The start";
    const box = dialog(title, comment, h("menu", {}, ...items, button("Close", () => box.close(), "main")));
  }

  /** Does something that cannot be undone, if that is meant. */
  function sure(question, word, action) {
    const done = button(word, () => {
      box.close();
      action();
    }, "main");
    const box = dialog(question, h("menu", {}, button("Cancel", () => box.close()), done));
    done.focus();
  }

  return { newGame: () => newGame(play, begin, message), open, save, copy, help, menu, sure };
}
