// Turns a name into its uses, by file, each with its line, its kind and how it was resolved.

import { el } from '../dom.js';
import { ask, pick } from '../api.js';
import { CANDIDATE_BELOW, edgeLabel, legend } from '../confidence.js';
import { changed, fileHref, symbolHref } from '../route.js';
import { groupBy, heading, kindTag, locationLink, note, unknownName } from '../parts.js';
import { resolve } from '../resolve.js';
import { plural, shorten } from '../text.js';

const LIMIT = 500;
const MAX_TEXT = 240;

/** The references screen. */
export async function references({ params, signal }) {
  const name = params.get('name') ?? '';
  const wanted = { name, from: params.get('from'), index: params.get('index') };
  const { index, symbol, others, suggestions, matchKind } = await resolve(wanted, signal);
  const isExact = symbol && matchKind === 'exact';
  const kinds = params.getAll('kind');
  const asked = {
    names: [isExact ? symbol.key : name],
    min_confidence: 0,
    limit: LIMIT,
    mentions: params.has('mentions'),
  };
  const { answer } = pick(
    await ask('references', asked, signal),
    index,
    (one) => one.results?.length > 0 || one.externals?.length > 0,
  );
  const own = isExact ? answer.results?.[0] : null;
  const external = answer.externals?.[0];
  if (!own && !external)
    return {
      title: `Uses of ${name}`,
      content: el('div', { class: 'page' }, heading('Unknown name'), unknownName(name, suggestions)),
    };
  const all = (own ?? external).uses;
  const uses = all.filter((use) => kinds.length === 0 || kinds.includes(use.kind));
  const sure = uses.filter((use) => use.confidence >= CANDIDATE_BELOW);
  const title = own ? symbol.qualified_name : external.external.name;
  const choice = (kind) =>
    el(
      'a',
      {
        class: 'chip',
        href: changed({ kind: kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind] }),
        'aria-current': kinds.includes(kind) ? 'true' : null,
      },
      `${kind} ${all.filter((use) => use.kind === kind).length}`,
    );
  const content = el(
    'div',
    { class: 'page' },
    heading('Uses of ', own ? el('a', { href: symbolHref(symbol, index) }, title) : title),
    el(
      'p',
      { class: 'row' },
      own ? [kindTag(symbol.kind), locationLink(symbol, index)] : ['external, ', external.external.family],
      el(
        'span',
        { class: 'muted' },
        `${plural((own ?? external).total, 'use')}${others.length ? `, and ${plural(others.length, 'further definition')} of this name` : ''}`,
      ),
    ),
    el(
      'div',
      { class: 'filters', role: 'group', 'aria-label': 'Kinds of uses' },
      [...new Set(all.map((use) => use.kind))].sort().map(choice),
    ),
    (own ?? external).total > all.length ? note(`These are the ${all.length} surest.`) : null,
    part(
      'Product',
      sure.filter((use) => !use.is_test),
      index,
    ),
    part(
      'Tests',
      sure.filter((use) => use.is_test),
      index,
    ),
    part(
      'Candidates, guesses by the name',
      uses.filter((use) => use.confidence < CANDIDATE_BELOW),
      index,
    ),
    mentions(answer.mentions, index),
    legend(),
  );
  return { title: `Uses of ${title}`, content, message: `${plural(uses.length, 'use')} of ${title}` };
}

function part(title, uses, index) {
  if (uses.length === 0) return null;
  const files = [...groupBy(uses, (use) => `${use.repo}/${use.path}`).values()];
  return el(
    'section',
    { class: 'card' },
    el(
      'h2',
      {},
      title,
      el('span', { class: 'muted' }, `${plural(uses.length, 'use')} in ${plural(files.length, 'file')}`),
    ),
    files.map((list) => [
      el('h3', {}, locationLink(list[0], index, null)),
      el(
        'ul',
        { class: 'rows uses' },
        list.map((use) =>
          el(
            'li',
            {},
            el(
              'a',
              { class: 'call', 'data-item': true, href: fileHref(use, index, use.start_line) },
              el('span', { class: 'number' }, String(use.start_line)),
              el('code', {}, shorten(use.text, MAX_TEXT)),
            ),
            el(
              'span',
              { class: 'row' },
              el('span', { class: 'muted' }, `${use.kind} in ${use.container}`),
              edgeLabel({ ...use, kind: null }),
            ),
          ),
        ),
      ),
    ]),
  );
}

/** Lines that contain the name and that no edge explains. */
function mentions(found, index) {
  if (!found?.total) return null;
  return el(
    'section',
    { class: 'card' },
    el(
      'h2',
      {},
      'Mentions',
      el('span', { class: 'muted' }, `${plural(found.total, 'line')} with the name that no edge explains`),
    ),
    found.lines.length === 0 ? el('p', {}, el('a', { href: changed({ mentions: 1 }) }, 'Show them')) : null,
    el(
      'ul',
      { class: 'rows' },
      found.lines.map((line) =>
        el(
          'li',
          {},
          el(
            'a',
            { class: 'call', 'data-item': true, href: fileHref(line, index, line.start_line) },
            el('span', { class: 'location' }, `${line.path}:${line.start_line}`),
            ' ',
            el('code', {}, shorten(line.text, MAX_TEXT)),
          ),
        ),
      ),
    ),
  );
}
