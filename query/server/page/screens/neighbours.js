// Turns the uses and callees of a symbol into the cards left and right of its source. Candidates are folded, and tests
// are apart.

import { el } from '../dom.js';
import { CANDIDATE_BELOW, edgeLabel, level } from '../confidence.js';
import { fold, groupBy, kindTag, locationLink, symbolLink } from '../parts.js';
import { fileHref, href, symbolHref } from '../route.js';
import { count, plural, shorten } from '../text.js';

const CALLABLE = new Set(['function', 'method', 'constructor', 'macro', 'test']);
/** Kinds of uses that make the user a caller, as in the command `callers`: who gets a function as a value calls it. */
const CALLS = new Set(['call', 'instantiate', 'decorate', 'reference']);
/** Kinds that the relations of the symbol show. */
const SUBTYPES = new Set(['inherit', 'implement']);
const MAX_CARDS = 12;
const MAX_LINES = 4;
const MAX_TEXT = 160;

const isCallable = (symbol) => CALLABLE.has(symbol.kind);

/** Whether a use is one of the left side: a call, or of what cannot be called anything but an import or a subtype. */
const isShown = (symbol, use) =>
  isCallable(symbol) ? CALLS.has(use.kind) : use.kind !== 'import' && !SUBTYPES.has(use.kind);

/** Groups the uses that are calls by the symbol that contains them, the surest first. */
export function callersOf(symbol, uses) {
  const groups = groupBy(
    uses.filter((use) => isShown(symbol, use)),
    (use) => use.container_key,
  );
  const callers = [...groups.values()].map((calls) => ({
    calls,
    best: calls.reduce((a, b) => (b.confidence > a.confidence ? b : a)),
  }));
  return callers.sort(
    (a, b) => b.best.confidence - a.best.confidence || (a.best.container_key < b.best.container_key ? -1 : 1),
  );
}

/** The left side. */
export function callersSide(callers, uses, found, index, mentions) {
  const lines = mentions?.total ?? 0;
  return side(
    isCallable(found) ? 'Callers' : 'Users',
    'left',
    // Of a name with very many uses not all are read: then the number is not that of all.
    uses.total > uses.uses.length ? ` of ${count(uses.uses.length)} uses read` : '',
    callers.map(({ calls, best }) => ({
      confidence: best.confidence,
      is_test: best.is_test,
      card: () => callerCard(calls, best, index),
    })),
    [
      uses.total > uses.uses.length
        ? el(
            'p',
            { class: 'muted' },
            `The ${uses.uses.length} surest of ${plural(uses.total, 'use')} were read. `,
            el('a', { href: symbolHref(found, index, 'references') }, 'All references'),
          )
        : null,
      lines > 0
        ? el(
            'p',
            { class: 'muted' },
            `${plural(lines, 'more line mentions', 'more lines mention')} the name, and no edge explains ${lines === 1 ? 'it' : 'them'}. `,
            el('a', { href: href('references', { name: found.key, mentions: 1, index }) }, 'Show'),
          )
        : null,
    ],
  );
}

/** The right side, in the order of the calls. */
export function calleesSide(callees, found, index) {
  const line = (callee) => callee.edge_lines?.[0] ?? Infinity;
  const sorted = [...callees].sort((a, b) => line(a) - line(b) || (a.key < b.key ? -1 : 1));
  return side(
    'Callees',
    'right',
    '',
    sorted.map((callee) => ({
      confidence: callee.confidence,
      is_test: callee.is_test,
      card: () => calleeCard(callee, found, index),
    })),
    [],
  );
}

function side(title, where, extent, all, notes) {
  const sure = all.filter((one) => one.confidence >= CANDIDATE_BELOW);
  const product = sure.filter((one) => !one.is_test);
  const tests = sure.filter((one) => one.is_test);
  const candidates = all.filter((one) => one.confidence < CANDIDATE_BELOW);
  const list = (cards) =>
    el(
      'ul',
      { class: 'cards' },
      cards.map((one) => one.card()),
    );
  return el(
    'section',
    { class: `side ${where}`, 'aria-label': title },
    el('h2', {}, title, ' ', el('span', { class: 'muted' }, `${product.length}${extent}`)),
    product.length
      ? list(product.slice(0, MAX_CARDS))
      : el('p', { class: 'muted' }, `No ${title.toLowerCase()}${all.length ? ' that are sure or likely' : ''}`),
    product.length > MAX_CARDS ? fold(`${product.length - MAX_CARDS} more`, list(product.slice(MAX_CARDS))) : null,
    tests.length ? fold(`${plural(tests.length, 'test')}`, list(tests)) : null,
    candidates.length ? fold(`${plural(candidates.length, 'candidate')}, guesses by the name`, list(candidates)) : null,
    notes,
  );
}

function callerCard(calls, best, index) {
  const isFile = best.container_kind === 'file';
  const lines = calls
    .slice(0, MAX_LINES)
    .map((call) =>
      el(
        'a',
        { class: 'call', href: fileHref(call, index, call.start_line) },
        el('span', { class: 'number' }, String(call.start_line)),
        el('code', {}, shorten(call.text, MAX_TEXT)),
      ),
    );
  return el(
    'li',
    { class: `neighbour ${level(best.confidence)}`, data: { confidence: best.confidence } },
    el(
      'div',
      { class: 'row' },
      kindTag(best.container_kind),
      isFile
        ? locationLink(best, index, null)
        : symbolLink({ key: best.container_key, qualified_name: best.container }, index),
    ),
    isFile ? null : el('p', { class: 'muted path' }, best.path),
    lines,
    calls.length > MAX_LINES ? el('p', { class: 'muted' }, `and ${calls.length - MAX_LINES} more`) : null,
    edgeLabel(best),
  );
}

function calleeCard(callee, found, index) {
  const lines = callee.edge_lines ?? [];
  return el(
    'li',
    { class: `neighbour ${level(callee.confidence)}`, data: { confidence: callee.confidence, line: lines[0] } },
    el('div', { class: 'row' }, kindTag(callee.kind), symbolLink(callee, index)),
    el('p', { class: 'muted path' }, locationLink(callee, index)),
    lines.length
      ? el(
          'p',
          { class: 'muted' },
          lines.length === 1 ? 'line ' : 'lines ',
          lines.map((line, n) => [n ? ', ' : '', el('a', { href: fileHref(found, index, line) }, String(line))]),
        )
      : null,
    edgeLabel(callee),
  );
}

/** Uses that are neither on the left side nor subtypes, such as imports. */
export function otherUses(symbol, uses, index) {
  const others = uses.filter(
    (use) => !isShown(symbol, use) && !SUBTYPES.has(use.kind) && use.confidence >= CANDIDATE_BELOW,
  );
  if (others.length === 0) return null;
  const kinds = [...groupBy(others, (use) => use.kind)];
  return fold(
    `Other uses: ${kinds.map(([kind, list]) => `${list.length} ${kind}`).join(', ')}`,
    kinds.map(([kind, list]) => [
      el('h3', {}, kind),
      el(
        'ul',
        { class: 'rows' },
        list
          .slice(0, 50)
          .map((use) =>
            el(
              'li',
              {},
              el(
                'a',
                { class: 'call', 'data-item': true, href: fileHref(use, index, use.start_line) },
                el('span', { class: 'location' }, `${use.path}:${use.start_line}`),
                ' ',
                el('code', {}, shorten(use.text, MAX_TEXT)),
              ),
            ),
          ),
      ),
      list.length > 50 ? el('p', { class: 'muted' }, `and ${list.length - 50} more`) : null,
    ]),
  );
}
