// Turns a query into results by file, with their reasons.

import { el } from '../dom.js';
import { ask } from '../api.js';
import { changed, fileHref, href, symbolHref } from '../route.js';
import { symbolKey } from '../resolve.js';
import { bar, groupBy, heading, kindTag, note, symbolLink } from '../parts.js';
import { staticPane } from '../code_pane.js';
import { paint } from '../sticky.js';
import { percent, plural } from '../text.js';
import { reasons } from './reasons.js';
import { filters, looksLikeTest } from './filters.js';

const PAGE = 20;
const MAX_RESULTS = 200;
/** More than all snippets have. */
const MAX_TOKENS = 100_000;

/** The search screen. */
export async function search({ params, signal }) {
  const query = params.get('q')?.trim() ?? '';
  const limit = Math.min(MAX_RESULTS, Number(params.get('n')) || PAGE);
  const parameters = { query, limit, explain: true };
  for (const name of ['language', 'kind', 'repo', 'path']) if (params.has(name)) parameters[name] = params.getAll(name);
  if (params.has('weak')) parameters.min_score = 0;
  const [{ answer }] = await ask('search', parameters, signal);
  const index = params.get('index');
  const all = answer.results.filter((hit) => !index || hit.index === index);
  const hits = params.get('tests') === 'no' ? all.filter((hit) => !looksLikeTest(hit.path)) : all;
  const files = groupBy(hits, (hit) => `${hit.index ?? ''}/${hit.repo}/${hit.path}`);
  const first = all.length >= limit ? 'First ' : '';
  const told = answer.fits ? `${first}${plural(hits.length, 'result')} in ${plural(files.size, 'file')}` : 'Nothing fits';
  const snippets = [];
  const cards = [...files.values()].map((group) => fileCard(group, snippets));
  document.addEventListener(
    'reasons',
    () => {
      const folds = [...document.querySelectorAll('details.reasons')];
      const open = folds.some((one) => !one.open);
      for (const one of folds) one.open = open;
    },
    { signal },
  );
  const content = el(
    'div',
    { class: 'page search' },
    heading(told, el('span', { class: 'muted' }, ` for “${query}”`)),
    filters(params, signal),
    // A path may be that of a folder, which is no result of a search.
    /^[^\s:]+\/[^\s:.]*$/.test(query)
      ? el('p', {}, el('a', { href: href('map', { path: query.replace(/\/$/, ''), index }) }, `Map of the folder ${query}`))
      : null,
    notes(answer, all.length - hits.length),
    cards.length === 0 && answer.fits ? el('p', {}, 'No result passes the filters.') : null,
    cards,
    all.length >= limit && limit < MAX_RESULTS
      ? el('p', {}, el('a', { href: changed({ n: limit + PAGE }), 'data-item': true }, 'More results'))
      : null,
    el(
      'p',
      { class: 'muted small' },
      `${answer.class} query, answered in ${answer.took_ms.toFixed(1)} ms from ${answer.available.join(', ')}; fit ${percent(answer.fit)}`,
    ),
  );
  return { title: query, content, ready: () => colour(snippets, signal), message: `${told} for ${query}` };
}

/** What a reader should know about the answer as a whole. */
function notes(answer, hidden) {
  return [
    answer.fits
      ? null
      : note(
          el('strong', {}, 'Nothing in this index fits. '),
          `The query is about it with a probability of ${percent(answer.fit)}. `,
          answer.results.length
            ? 'These are only the nearest that there are.'
            : [el('a', { href: changed({ weak: 1 }) }, 'Show the nearest'), ' all the same.'],
        ),
    answer.corrections.length
      ? note(
          'Words that do not occur: ',
          answer.corrections.map((one, n) => [
            n ? ', ' : '',
            el('s', {}, one.original),
            ' → ',
            el('strong', {}, one.corrected),
          ]),
        )
      : null,
    answer.degraded.map((one) => note(one)),
    hidden > 0
      ? note(
          `${plural(hidden, 'result')} in test files ${hidden === 1 ? 'is' : 'are'} hidden. `,
          el('a', { href: changed({ tests: null }) }, 'Show'),
        )
      : null,
  ];
}

function fileCard(hits, snippets) {
  const [first] = hits;
  return el(
    'section',
    { class: 'card' },
    el(
      'h2',
      {},
      el('a', { class: 'location', href: fileHref(first, first.index) }, first.path),
      el('span', { class: 'muted' }, [first.index, first.repo, first.language].filter(Boolean).join(' · ')),
    ),
    hits.map((hit) => hitPart(hit, snippets)),
  );
}

/** Returns the snippet of a result, and notes how to colour it. */
function snippet(hit, lookup, snippets) {
  const pane = (spans) =>
    staticPane({
      first: hit.snippet_line ?? 1,
      text: hit.snippet,
      spans,
      label: `Snippet of ${hit.path}`,
      focusable: false,
      lineOptions: (n) => ({ lookup, link: hit.snippet_line === null ? null : fileHref(hit, hit.index, n) }),
    });
  const shown = pane([]);
  if (hit.snippet_line) snippets.push({ hit, recolour: (spans) => shown.replaceWith(pane(spans)) });
  return shown;
}

/** Colours snippets when their classes of highlighting are known; until then, and if they are not, they are plain. */
async function colour(snippets, signal) {
  const last = ({ snippet_line: first, snippet: text }) => first + text.split('\n').length - 1;
  const name = ({ hit }) => `${hit.repo}/${hit.path}:${hit.snippet_line}-${last(hit)}`;
  const asked = { names: snippets.map(name), spans: true, max_tokens: MAX_TOKENS };
  const answers = snippets.length ? await ask('show', asked, signal).catch(() => []) : [];
  for (const { hit, recolour } of signal.aborted ? [] : snippets) {
    const { results = [] } = (answers.find((one) => one.index === hit.index) ?? answers[0])?.answer ?? {};
    const found = results.find(
      (one) => one.repo === hit.repo && one.path === hit.path && one.start_line === hit.snippet_line,
    );
    if (found?.spans) recolour(found.spans);
  }
  paint();
}

function hitPart(hit, snippets) {
  const line = hit.block?.start_line ?? hit.start_line;
  const symbol = hit.name ? { ...hit, key: symbolKey(hit) } : null;
  const lookup = (_, word) =>
    symbol && word === hit.name ? { name: hit.qualified_name, key: symbol.key, index: hit.index } : null;
  return el(
    'div',
    { class: 'hit' },
    el(
      'div',
      { class: 'row' },
      kindTag(hit.kind),
      symbol
        ? symbolLink(symbol, hit.index)
        : el(
            'a',
            { href: fileHref(hit, hit.index, line, hit.end_line), 'data-item': true },
            `lines ${hit.start_line}-${hit.end_line}`,
          ),
      hit.parent?.qualified_name && !hit.qualified_name?.startsWith(hit.parent.qualified_name)
        ? el('span', { class: 'muted' }, `in ${hit.parent.qualified_name}`)
        : null,
      el(
        'a',
        { class: 'location', href: fileHref(hit, hit.index, hit.start_line, hit.end_line) },
        `${hit.start_line}-${hit.end_line}`,
      ),
      el(
        'span',
        {
          class: 'score',
          title: 'Score: the probability that the query is about the index, times the share of the best result',
        },
        bar(hit.score, 1),
        hit.score.toFixed(2),
      ),
    ),
    hit.summary ? el('p', { class: 'doc' }, hit.summary.summary) : null,
    hit.snippet ? snippet(hit, lookup, snippets) : null,
    el(
      'details',
      { class: 'reasons' },
      el('summary', {}, 'Why: ', el('span', { class: 'muted' }, hit.reason)),
      reasons(hit),
    ),
    hit.related_hits.length
      ? el(
          'p',
          { class: 'also' },
          'Also ',
          hit.related_hits.map((other, n) => [
            n ? ', ' : '',
            other.qualified_name
              ? [
                  el('a', { href: symbolHref({ key: symbolKey(other) }, hit.index) }, other.qualified_name),
                  el('span', { class: 'muted' }, ` ${other.start_line}`),
                ]
              : el(
                  'a',
                  { href: fileHref(hit, hit.index, other.start_line, other.end_line) },
                  `${other.kind} ${other.start_line}-${other.end_line}`,
                ),
          ]),
        )
      : null,
  );
}
