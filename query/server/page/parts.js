// Turns pieces of answers into the DOM that several screens share: symbols, locations, bars, messages.

import { append, el, fill, svg } from './dom.js';
import { ApiError } from './api.js';
import { fileHref, go, href, symbolHref } from './route.js';

/** Returns the heading of a screen. It takes the focus when the screen opens. */
export const heading = (...children) => el('h1', { tabindex: -1 }, children);

/** Returns a kind as a word. */
export const kindTag = (kind) => el('span', { class: 'kind' }, kind.replace('_', ' '));

/** Returns a symbol's name as a link, which j and k reach. */
export function symbolLink(symbol, index, item = true) {
  const name = symbol.qualified_name ?? symbol.name;
  return el(
    'a',
    {
      class: 'symbol',
      href: symbolHref(symbol, index),
      'data-item': item,
      data: { hover: '', name, key: symbol.key, index },
    },
    name,
  );
}

/** Returns `path:line` as a link to the file. */
export function locationLink(location, index, line = location.start_line, last = null) {
  const text = line === null ? location.path : `${location.path}:${line}${last && last !== line ? `-${last}` : ''}`;
  return el('a', { class: 'location', href: fileHref(location, index, line, last) }, text);
}

/** Returns a line with a symbol: kind, name, where it is. A file is its own location. */
export function symbolRow(symbol, index, ...more) {
  const isFile = symbol.kind === 'file';
  const named = isFile
    ? el('a', { class: 'symbol', href: fileHref(symbol, index), 'data-item': true }, symbol.path)
    : [symbolLink(symbol, index), locationLink(symbol, index)];
  const test = symbol.is_test ? el('span', { class: 'tag' }, 'test') : null;
  return el('li', {}, el('span', { class: 'row' }, kindTag(symbol.kind), named, test, more));
}

/** Returns a bar from 0 to `max`; of a negative value, to the left of the middle if `diverging`. */
export function bar(value, max, diverging = false) {
  const share = max > 0 ? Math.min(1, Math.abs(value) / max) : 0;
  const width = diverging ? share * 50 : share * 100;
  const x = diverging && value < 0 ? 50 - width : diverging ? 50 : 0;
  return svg(
    'svg',
    {
      class: `bar${value < 0 ? ' minus' : ''}`,
      viewBox: '0 0 100 8',
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    svg('rect', { class: 'ground', x: 0, y: 0, width: 100, height: 8 }),
    svg('rect', { class: 'value', x: x.toFixed(2), y: 0, width: width.toFixed(2), height: 8 }),
  );
}

/** Returns a part of the page that can be unfolded. */
export function fold(summary, children, open = false) {
  return el('details', { class: 'fold', open }, el('summary', {}, summary), children);
}

/** Returns a message in a box. */
export const note = (...children) => el('p', { class: 'note' }, children);

/** Returns what to show for an error. */
export function failure(error) {
  return el(
    'div',
    { class: 'failure', role: 'alert' },
    el('p', {}, el('strong', {}, 'This did not work: '), error.message),
    error instanceof ApiError && error.hint ? el('p', {}, 'Hint: ', error.hint) : null,
    error instanceof ApiError ? null : el('p', { class: 'muted' }, 'Please report this as a bug of the page.'),
  );
}

/** Returns what to show if nothing has a name. */
export function unknownName(name, suggestions, screen = 'symbol') {
  return el(
    'div',
    { class: 'empty' },
    el('p', {}, 'No definition in the index has the name ', el('code', {}, name), '.'),
    suggestions.length ? el('p', {}, 'Similar names:') : null,
    el(
      'ul',
      { class: 'rows' },
      suggestions.map((other) =>
        el('li', {}, el('a', { href: href(screen, { name: other }), 'data-item': true }, other)),
      ),
    ),
    el('p', {}, el('a', { href: href('search', { q: name }), 'data-item': true }, 'Search for it')),
    el(
      'p',
      {},
      el('a', { href: href('references', { name }), 'data-item': true }, 'Look for its uses'),
      ' (it may be external)',
    ),
  );
}

/** Returns a place on the page that a promise fills. The rest of the screen need not wait for it. */
export function later(promise, render, signal, waiting = 'Loading …') {
  const spot = el('div', { class: 'later', 'aria-busy': 'true' }, el('p', { class: 'muted waiting' }, waiting));
  promise
    .then(render, (error) => {
      if (error.name === 'AbortError' || signal.aborted) return null;
      // The screen as a whole asks for the token.
      if (error.status === 401) document.dispatchEvent(new CustomEvent('unauthorized'));
      return failure(error);
    })
    .then((content) => {
      if (signal.aborted) return;
      spot.removeAttribute('aria-busy');
      fill(spot, content);
      spot.dispatchEvent(new CustomEvent('filled', { bubbles: true }));
    })
    .catch((error) => fill(spot, failure(error)));
  return spot;
}

/** Returns a table of names and values. */
export function facts(pairs) {
  const list = el('dl', { class: 'facts' });
  for (const [name, ...value] of pairs)
    if (value.some((one) => one !== null && one !== undefined && one !== ''))
      append(list, el('dt', {}, name), el('dd', {}, value));
  return list;
}

/** Returns a labelled input. */
export function field(label, id, value, properties = {}) {
  return el(
    'label',
    { class: 'field', for: id },
    el('span', {}, label),
    el('input', {
      id,
      name: id,
      value: value ?? '',
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
      ...properties,
    }),
  );
}

/** More indexes than this are chosen from a list. */
const MAX_CHIPS = 8;

/**
 * Returns the choice of an index, or nothing if there is only one. `address(name)` is where a choice leads to; `all` is a
 * label for all of them, if they can be looked at together.
 */
export function indexChoice(indexes, chosen, address, all = null) {
  if (indexes.length < 2) return null;
  const names = [...(all ? [null] : []), ...indexes.map((one) => one.name)];
  if (names.length <= MAX_CHIPS) {
    return names.map((name) =>
      el(
        'a',
        { class: 'chip', href: address(name), 'aria-current': name === chosen ? 'true' : null },
        name ?? all,
      ),
    );
  }
  const option = (name) => el('option', { value: name ?? '', selected: name === chosen }, name ?? all);
  const change = (event) => go(address(event.target.value || null));
  return el('select', { 'aria-label': 'Index', on: { change } }, names.map(option));
}

/** Groups values by a key, in the order of their first appearance. */
export function groupBy(values, key) {
  const groups = new Map();
  for (const value of values) {
    const at = key(value);
    if (groups.has(at)) groups.get(at).push(value);
    else groups.set(at, [value]);
  }
  return groups;
}
