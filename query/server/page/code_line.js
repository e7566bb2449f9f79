// Turns one line of source into DOM: its number as a link, its names as links, its highlighting as classes. It knows
// nothing of where the line comes from.

import { el } from './dom.js';
import { byteColumns, parts } from './text.js';
import { href } from './route.js';

/** Longer lines are cut, so that a minified line cannot freeze the page. */
const MAX_LENGTH = 1000;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Classes of highlighting that the style sheet knows. Others get no colour. */
const CLASSES = new Set([
  'attribute',
  'comment',
  'constant',
  'constructor',
  'escape',
  'function',
  'keyword',
  'label',
  'macro',
  'module',
  'number',
  'operator',
  'property',
  'punctuation',
  'string',
  'tag',
  'type',
  'variable',
]);

/**
 * Returns a line. `spans` are `[line, startByte, endByte, class]` of this line; `places` are its names, as
 * `{start, end, name, key, index}` with columns in bytes; where they are not known, `lookup(line, word)` returns the
 * `{name, key, index}` of a word, or null; `mark` is a text for the margin, or null.
 */
export function codeLine({
  line,
  text,
  spans = [],
  places = null,
  lookup = () => null,
  mark = null,
  link = null,
  selected = false,
  whole = false,
}) {
  const plain = text.endsWith('\r') ? text.slice(0, -1) : text;
  const shown = whole ? plain : plain.slice(0, MAX_LENGTH);
  const row = el(
    'div',
    { class: `line${mark ? ' marked' : ''}${selected ? ' selected' : ''}`, data: { line } },
    el('a', { class: 'number', href: link, tabindex: -1, 'aria-label': `Line ${line}` }, String(line)),
    el('span', { class: 'mark', title: mark }, mark ? '●' : ''),
    el(
      'span',
      { class: 'text' },
      runs(shown, spans, places, (word) => lookup(line, word)).map(runNode),
      shown === '' ? '\u200a' : null,
    ),
  );
  if (shown.length < plain.length) {
    row.lastChild.append(
      el(
        'button',
        { type: 'button', class: 'more', data: { whole: line } },
        `… ${plain.length - shown.length} more characters`,
      ),
    );
  }
  return row;
}

/** Divides a text into runs with one class and one name each. Of spans that overlap, the later one counts. */
function runs(text, spans, places, target) {
  const classes = new Array(text.length).fill('');
  const column = byteColumns(text);
  for (const [, start, end, name] of spans) {
    const known = String(name).split('.')[0];
    if (CLASSES.has(known)) classes.fill(`h-${known}`, column(start), column(end));
  }
  const names = new Array(text.length).fill(null);
  for (const place of places ?? []) {
    const start = column(place.start);
    names.fill(place, start, endOfName(text, start, column(place.end)));
  }
  for (const match of places ? [] : text.matchAll(WORD)) {
    const known = target(match[0]);
    if (known) names.fill({ ...known }, match.index, match.index + match[0].length);
  }
  const found = [];
  for (let start = 0, end = 1; end <= text.length; end += 1) {
    if (end < text.length && classes[end] === classes[start] && names[end] === names[start]) continue;
    found.push({ text: text.slice(start, end), class: classes[start], name: names[start] });
    start = end;
  }
  return found;
}

/** Where a name ends that was told to end at a place: names are told as they are defined, and may be written otherwise. */
function endOfName(text, start, end) {
  const isWhole = (at) => at >= text.length || !/[\p{L}\p{N}_$]/u.test(text[at]);
  if (isWhole(end) && !/\s/.test(text.slice(start, end))) return end;
  const word = new RegExp(WORD.source, 'uy');
  word.lastIndex = start;
  const found = word.exec(text);
  return found ? start + found[0].length : end;
}

function runNode(run) {
  const content = parts(run.text).map((part) =>
    part.hidden ? el('span', { class: 'escape', title: 'a hidden character' }, part.hidden) : part.text,
  );
  if (run.name) {
    const { name, key, index } = run.name;
    return el(
      'a',
      {
        class: `name ${run.class}`,
        tabindex: -1,
        href: href('symbol', { name: key, index }),
        data: { name, key, index },
      },
      content,
    );
  }
  return run.class ? el('span', { class: run.class }, content) : content;
}
