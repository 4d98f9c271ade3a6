// Parts of dialogs.

import { h } from "./svg.js";

/** Opens a dialog, which goes away when it is closed. */
export function dialog(title, ...content) {
  const box = h("dialog", { ariaLabel: title }, h("h2", { textContent: title }), ...content);
  document.body.append(box);
  box.addEventListener("close", () => box.remove());
  // Closed by a click beside it; one that began inside marks text.
  const isBeside = ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    return target === box && (x < left || x > right || y < top || y > bottom);
  };
  let began = false;
  box.addEventListener("pointerdown", (event) => (began = isBeside(event)));
  box.addEventListener("click", (event) => began && isBeside(event) && box.close());
  box.showModal();
  return box;
}

export function button(text, action, className = "") {
  const node = h("button", { type: "button", textContent: text, className });
  node.addEventListener("click", action);
  return node;
}

/** A choice among [value, text] pairs. */
export function select(options, value) {
  return h("select", {}, ...options.map(([id, text]) => h("option", { value: id, textContent: text, selected: String(id) === String(value) })));
}
