// Turns tags, properties and texts into DOM nodes. Every text that reaches the page passes here, as a text node or an
// attribute, with invisible characters made visible; nothing on the page is parsed as HTML.

import { visible } from './text.js';

const SVG = 'http://www.w3.org/2000/svg';
/** Attributes that people read. */
const READABLE = new Set(['title', 'aria-label', 'placeholder', 'alt']);

/**
 * Returns an HTML element. `properties` are attributes; `on` maps events to listeners and `data` fills `dataset`.
 * Children are nodes, texts or lists of these; null and false are left out.
 */
export function el(tag, properties, ...children) {
  return build(document.createElement(tag), properties, children);
}

/** Returns an SVG element, as `el` does. */
export function svg(tag, properties, ...children) {
  return build(document.createElementNS(SVG, tag), properties, children);
}

function build(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === 'data') {
      for (const [key, datum] of Object.entries(value))
        if (datum !== null && datum !== undefined) node.dataset[key] = datum;
    } else {
      const text = value === true ? '' : String(value);
      node.setAttribute(name, READABLE.has(name) ? visible(text) : text);
    }
  }
  append(node, children);
  return node;
}

/** Appends children to a node. */
export function append(node, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
}

/** Replaces the children of a node. */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, ...children);
}

/** Tells a screen reader something that changed on the page. */
export function announce(text) {
  document.getElementById('status').textContent = visible(text);
}
