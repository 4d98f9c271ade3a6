// Small helpers for elements.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element. */
export function el(name, attributes = {}) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/** An HTML element with properties and children. */
export function h(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/** The element of that id. */
export function $(id) {
  return document.getElementById(id);
}

/** Sets an attribute only where it changes. */
export function set(node, name, value) {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Sets a text only where it changes. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
