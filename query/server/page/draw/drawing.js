// Turns a drawing, which the server lays out, into SVG. How it looks is the server's: `--draw svg` prints the same elements.
// The style sheet replaces colours by those of the theme.

import { el, svg } from '../dom.js';

/** Elements that a drawing consists of. Nothing else is made of what the server says. */
const NAMES = new Set(['g', 'rect', 'path', 'text', 'title']);
/** What an attribute may be called: geometry, colours, and what the page itself looks for. */
const ATTRIBUTE = /^(class|d|data-(from|key|node|to)|fill|font-size|font-weight|height|rx|stroke|stroke-[a-z]+|transform|width|x|y)$/;
const MIN_SCALE = 0.65;

/** Returns the picture. `address(key)` is where the box of that key leads to; `selected` is a key. */
export function picture(drawing, { address, selected = null }) {
  const node = svg(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${drawing.width} ${drawing.height}`,
      width: drawing.width,
      height: drawing.height,
      class: 'drawing',
      role: 'group',
      'aria-label': drawing.label,
      'font-family': 'system-ui, sans-serif',
      'font-size': 12,
    },
    drawing.elements.map((element) => build(element, address, selected)),
  );
  // It shrinks to the window, but stays readable.
  node.style.minWidth = `${Math.round(drawing.width * MIN_SCALE)}px`;
  highlight(node);
  return node;
}

function build(element, address, selected) {
  if (!NAMES.has(element.name)) return null;
  const attributes = Object.fromEntries(Object.entries(element.attributes).filter(([name]) => ATTRIBUTE.test(name)));
  const key = attributes['data-key'];
  const children = [element.text ?? null, (element.children ?? []).map((child) => build(child, address, selected))];
  if (!key) return svg(element.name, attributes, children);
  if (key === selected) attributes.class += ' selected';
  return svg('a', { ...attributes, href: address(key), 'data-item': true }, children);
}

/** Shows only the edges of the box under the pointer or with the focus. */
function highlight(node) {
  const show = (event) => {
    const box = event.target.closest?.('.module')?.dataset.node;
    node.classList.toggle('focused', box !== undefined);
    for (const flow of node.querySelectorAll('.flow[data-from]'))
      flow.classList.toggle('on', flow.dataset.from === box || flow.dataset.to === box);
  };
  for (const event of ['pointerover', 'pointerout', 'focusin', 'focusout'])
    node.addEventListener(event, (one) => show(event.endsWith('out') ? { target: one.relatedTarget ?? node } : one));
}

/** Attributes that mean something on the page only. */
const OF_THE_PAGE = /^(class|data-.*)$/;
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Characters that hide or reorder others, and those that XML forbids. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;

const escape = (text) => text.replace(HIDDEN, '\ufffd').replace(/[&<>"']/g, (one) => ENTITIES[one]);

/** Returns a drawing as a file that needs no style sheet: what the command line prints with `--draw svg`. */
export function fileOf({ label, width, height, elements }) {
  const one = ({ name, attributes, text = '', children = [] }) => {
    const shown = Object.entries(attributes).filter(([attribute]) => !OF_THE_PAGE.test(attribute));
    const start = `<${name}${shown.map(([attribute, value]) => ` ${attribute}="${escape(value)}"`).join('')}`;
    if (text === '' && children.length === 0) return `${start}/>`;
    return `${start}>${escape(text)}${children.map(one).join('')}</${name}>`;
  };
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(label)}" font-family="system-ui, sans-serif" font-size="12">`;
  return `${[head, ...elements.map(one), '</svg>'].join('\n')}\n`;
}

/** Returns a button that saves a drawing. */
export function saveButton(drawing, name) {
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([fileOf(drawing)], { type: 'image/svg+xml' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return el('button', { type: 'button', on: { click: save } }, 'Download SVG');
}

/** Returns a drawing in its frame. */
export const canvas = (drawing, label, options) =>
  el('div', { class: 'canvas', tabindex: 0, role: 'region', 'aria-label': label }, picture(drawing, options));

/** The colour of a group, as an SVG swatch. */
export const swatch = (drawing, group) =>
  svg(
    'svg',
    { class: 'swatch', viewBox: '0 0 10 10', 'aria-hidden': 'true' },
    svg('rect', { width: 10, height: 10, rx: 2, fill: drawing.colours[group % drawing.colours.length] }),
  );
