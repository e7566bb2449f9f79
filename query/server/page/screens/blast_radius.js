// Turns what a change of a symbol can reach into counts by distance, and lists by file.

import { el } from '../dom.js';
import { ask, pick } from '../api.js';
import { bar, fold, groupBy, later, locationLink, symbolRow } from '../parts.js';
import { edgeLabel } from '../confidence.js';
import { plural } from '../text.js';

const DEPTH = 3;
/** As far as the command `affected` looks. */
const TEST_DEPTH = 6;
const LIMIT = 300;
const WORDS = { 1: 'uses it directly', 2: 'one step further', 3: 'two steps further' };

/** Returns the blast radius of a symbol. */
export async function blastRadius(found, index, signal) {
  const { answer } = pick(
    await ask('impact', { names: [found.key], depth: DEPTH, limit: LIMIT }, signal),
    index,
    (one) => one.results?.length > 0,
  );
  const reached = answer.results ?? [];
  if (reached.length === 0)
    return el(
      'section',
      { class: 'card' },
      el('h2', {}, 'Blast radius'),
      el('p', {}, 'The index knows nothing that uses it with a confidence of at least 0.5.'),
      testsWithin(found, index, signal),
    );
  const product = reached.filter((one) => !one.is_test);
  const tests = reached.filter((one) => one.is_test);
  const files = new Set(reached.map((one) => `${one.repo}/${one.path}`));
  const depths = [...groupBy(product, (one) => one.depth)].sort(([a], [b]) => a - b);
  const largest = Math.max(...depths.map(([, list]) => list.length), tests.length);
  const least = answer.truncated ? 'at least ' : '';
  const row = (label, list) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, label),
      el('td', { class: 'picture' }, bar(list.length, largest)),
      el('td', { class: 'value' }, `${least}${list.length}`),
    );
  return el(
    'section',
    { class: 'card' },
    el(
      'h2',
      {},
      'Blast radius',
      el(
        'span',
        { class: 'muted' },
        `${least}${plural(reached.length, 'symbol')} in ${plural(files.size, 'file')}, within ${DEPTH} steps`,
      ),
    ),
    el(
      'table',
      { class: 'bars' },
      el(
        'tbody',
        {},
        depths.map(([depth, list]) => row(WORDS[depth] ?? `depth ${depth}`, list)),
        tests.length ? row('tests', tests) : null,
      ),
    ),
    depths.map(([depth, list]) =>
      fold(`${WORDS[depth] ?? `depth ${depth}`}: ${plural(list.length, 'symbol')}`, byFile(list, index)),
    ),
    testsWithin(found, index, signal),
  );
}

/** Tests further away than the blast radius, asked for when they are unfolded. */
function testsWithin(found, index, signal) {
  const part = fold(`All tests that a change can affect, within ${TEST_DEPTH} steps`, []);
  const load = async () => {
    const answers = await ask('affected', { names: [found.key], depth: TEST_DEPTH, limit: LIMIT }, signal);
    const { answer } = pick(answers, index, (one) => one.results?.length > 0);
    const tests = answer.results ?? [];
    if (tests.length === 0) return el('p', { class: 'muted' }, 'The index knows none.');
    return [el('p', {}, `${answer.truncated ? 'The surest ' : ''}${plural(tests.length, 'test')}`), byFile(tests, index)];
  };
  part.addEventListener('toggle', () => part.append(later(load(), (content) => content, signal)), { once: true });
  return part;
}

function byFile(list, index) {
  return [...groupBy(list, (one) => `${one.repo}/${one.path}`).values()].map((symbols) => [
    el('h3', {}, locationLink(symbols[0], index, null)),
    el(
      'ul',
      { class: 'rows' },
      symbols.map((symbol) => symbolRow(symbol, index, edgeLabel(symbol))),
    ),
  ]);
}
