// Turns two names into two columns: signature, documentation, numbers and source side by side, and what they share.

import { el } from '../dom.js';
import { ask, pick } from '../api.js';
import { fileHref, go, href } from '../route.js';
import { facts, field, heading, kindTag, locationLink, symbolLink, symbolRow, unknownName } from '../parts.js';
import { resolve } from '../resolve.js';
import { staticPane } from '../code_pane.js';
import { count, lastSegment, paragraphs, plural, shorten } from '../text.js';
import { commonLines } from '../draw/common_lines.js';

const MAX_LINES = 200;
const MAX_TOKENS = 40_000;
const LIMIT = 200;
const MAX_DOC = 600;

/** The comparison screen. */
export async function compare({ params, signal }) {
  const names = [params.get('a') ?? '', params.get('b') ?? ''];
  const [a, b] = await Promise.all(names.map((name) => (name ? side(name, params.get('index'), signal) : null)));
  const both = a?.symbol && b?.symbol;
  const same = both ? commonLines(a.text.split('\n'), b.text.split('\n')) : { a: new Set(), b: new Set() };
  const content = el(
    'div',
    { class: 'page compare' },
    heading('Compare two names'),
    form(names),
    names[0] || names[1]
      ? null
      : el(
          'p',
          { class: 'muted' },
          'Two functions that look alike, or two types of one name: see what they share and where they differ.',
        ),
    both ? shared(a, b) : null,
    el('div', { class: 'pair' }, column(names[0], a, same.a), column(names[1], b, same.b)),
  );
  const title = both
    ? `${lastSegment(a.symbol.qualified_name)} and ${lastSegment(b.symbol.qualified_name)}`
    : names.filter(Boolean).length
      ? 'Compare'
      : null;
  return { title, content, message: title ? `Comparison of ${title}` : 'Compare two names' };
}

async function side(name, wanted, signal) {
  const { index, symbol, suggestions } = await resolve({ name, index: wanted }, signal);
  if (!symbol) return { symbol, suggestions };
  const last = Math.min(symbol.end_line, symbol.start_line + MAX_LINES - 1);
  const [hovers, callers, callees, shown] = await Promise.all([
    ask('hover', { names: [symbol.key], limit: 1 }, signal),
    ask('callers', { names: [symbol.key], limit: LIMIT }, signal),
    ask('callees', { names: [symbol.key], limit: LIMIT }, signal),
    ask(
      'show',
      { names: [`${symbol.repo}/${symbol.path}:${symbol.start_line}-${last}`], max_tokens: MAX_TOKENS, spans: true },
      signal,
    ),
  ]);
  const results = (answers) => pick(answers, index, (one) => one.results?.length > 0).answer.results ?? [];
  return {
    index,
    symbol,
    suggestions,
    hover: results(hovers)[0],
    callers: results(callers),
    callees: results(callees),
    text: results(shown)[0]?.text ?? '',
    spans: results(shown)[0]?.spans ?? [],
  };
}

function column(name, found, same) {
  if (!name) return el('section', { class: 'card' }, el('p', { class: 'muted' }, 'No name yet'));
  if (!found.symbol) return el('section', { class: 'card' }, unknownName(name, found.suggestions));
  const { symbol, hover, index } = found;
  return el(
    'section',
    { class: 'card' },
    el('h2', {}, kindTag(symbol.kind), ' ', symbolLink(symbol, index)),
    el('p', {}, locationLink(symbol, index, symbol.start_line, symbol.end_line)),
    hover?.doc ? el('p', { class: 'doc text' }, shorten(paragraphs(hover.doc), MAX_DOC)) : null,
    facts([
      ['Lines', count(symbol.end_line - symbol.start_line + 1)],
      ['Callers', counted(found.callers)],
      ['Callees', counted(found.callees)],
      ['Users', hover && count(hover.users)],
      ['Members', hover?.members.length ? count(hover.members.length) : null],
    ]),
    staticPane({
      first: symbol.start_line,
      text: found.text,
      spans: found.spans,
      label: `Source of ${symbol.qualified_name}`,
      lineOptions: (line) => ({ link: fileHref(symbol, index, line), selected: same.has(line - symbol.start_line) }),
    }),
    el(
      'p',
      { class: 'muted small' },
      same.size
        ? `${plural(same.size, 'line')} of it ${same.size === 1 ? 'is' : 'are'} in the other, too (marked)`
        : 'No line of it is in the other',
    ),
  );
}

/** The length of a list that may be cut at the limit. */
const counted = (list) => `${list.length >= LIMIT ? 'at least ' : ''}${count(list.length)}`;

/** What both call, and what calls both. */
function shared(a, b) {
  const part = (title, mine, theirs) => {
    const keys = new Set(theirs.map((one) => one.key));
    const common = mine.filter((one) => keys.has(one.key));
    return el(
      'div',
      {},
      el(
        'h3',
        {},
        `${title}: ${common.length} in common, ${mine.length - common.length} of the first only, ${theirs.length - common.length} of the other only`,
      ),
      el(
        'ul',
        { class: 'rows' },
        common.map((one) => symbolRow(one, a.index)),
      ),
    );
  };
  return el(
    'section',
    { class: 'card' },
    el('h2', {}, 'In common'),
    part('Callees', a.callees, b.callees),
    part('Callers', a.callers, b.callers),
  );
}

function form([a, b]) {
  const submit = (event) => {
    event.preventDefault();
    const values = new FormData(event.target);
    go(href('compare', { a: values.get('a').trim(), b: values.get('b').trim() }));
  };
  return el(
    'form',
    { class: 'inline', on: { submit } },
    field('One', 'a', a, { required: true }),
    field('Other', 'b', b, { required: true }),
    el('button', { type: 'submit' }, 'Compare'),
  );
}
