// Turns the statistics of the indexes into their state: commits, generation, coverage, what was skipped and why, sizes.

import { el } from '../dom.js';
import { ask, health as state, pick } from '../api.js';
import { bar, facts, fold, heading, indexChoice, later, locationLink } from '../parts.js';
import { bytes, count, percent, plural } from '../text.js';
import { resolutionWords } from '../confidence.js';
import { href } from '../route.js';

const MAX_BARS = 12;
const MAX_EDITED = 200;
/** More indexes than this are a table. */
const MAX_SECTIONS = 4;
const SKIPPED = {
  unreadable: 'could not be read',
  binary: 'binary',
  'too-large': 'larger than the limit',
  minified: 'minified',
  'not-utf8': 'not UTF-8',
  'not-a-file': 'not an ordinary file',
  'symlink-loop': 'a loop of symbolic links',
  'path-not-utf8': 'path is not UTF-8',
  panic: 'the parser failed',
  'changed-while-reading': 'changed while it was read',
};
const PARSED = {
  parsed: 'parsed whole',
  partial: 'parsed with errors; what was understood is kept',
  windows: 'no grammar, cut into windows of lines',
  timeout: 'took too long to parse, cut into windows',
  empty: 'empty',
  patterns: 'took too long to parse, symbols by patterns',
};

/** The health screen. */
export async function health({ params, signal }) {
  const [server, stats] = await Promise.all([state(signal), ask('stats', {}, signal)]);
  const wanted = params.get('index');
  const shown = stats.filter((one) => !wanted || one.index === wanted);
  const names = server.indexes.map((one) => one.name);
  const content = el(
    'div',
    { class: 'page health' },
    heading('Health'),
    el(
      'p',
      { class: 'muted' },
      `Sextant ${server.version}, ${plural(names.length, 'index', 'indexes')}. `,
      el(
        'span',
        { class: 'filters' },
        indexChoice(server.indexes, wanted, (name) => href('health', { index: name }), 'All'),
      ),
    ),
    shown.length > MAX_SECTIONS
      ? collection(shown)
      : shown.map(({ index, answer }) => section(index ?? names[0], index, answer, signal)),
  );
  return { title: 'Health', content };
}

/** Many indexes, such as the members of a collection: one row each. */
function collection(shown) {
  const total = (list) => list.reduce((sum, value) => sum + value, 0);
  const files = (answer) => total(Object.values(answer.languages));
  const largest = (counts) => Object.keys(counts).sort((a, b) => counts[b] - counts[a]);
  const row = ({ index, answer }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, el('a', { href: href('health', { index }), 'data-item': true }, index)),
      el('td', {}, answer.repositories.map((one) => `${one.name} ${one.commit?.slice(0, 10) ?? ''}`).join(', ')),
      el('td', {}, largest(answer.languages).slice(0, 3).join(', ')),
      [count(files(answer)), count(answer.lines), bytes(total(answer.parts.map((part) => part.bytes)))].map((value) =>
        el('td', { class: 'value' }, value),
      ),
      el('td', {}, el('a', { href: href('map', { index }) }, 'Map')),
    );
  const titles = ['Index', 'Repositories and commits', 'Languages', 'Files', 'Lines', 'Size', ''];
  return el(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Indexes' },
    el(
      'table',
      { class: 'list' },
      el('thead', {}, el('tr', {}, titles.map((title) => el(title ? 'th' : 'td', title ? { scope: 'col' } : {}, title)))),
      el('tbody', {}, shown.map(row)),
    ),
  );
}

function section(name, index, stats, signal) {
  return el(
    'section',
    { 'aria-label': name },
    el('h2', {}, name),
    el(
      'div',
      { class: 'columns' },
      card(
        'Index',
        facts([
          ['Generation', el('code', {}, stats.generation)],
          ['Content id', el('code', { class: 'long' }, stats.content_id)],
          ['Format', `${stats.format_version}, features ${stats.feature_version}`],
          ['Model', stats.model ? `${stats.model.name}, ${stats.model.dimensions} dimensions` : 'no vectors'],
          ['Summaries', stats.enrichment ? `${count(stats.enrichment.summaries)} by ${stats.enrichment.model}` : null],
          ['Source', `${count(stats.lines)} lines, ${bytes(stats.source_bytes)}`],
        ]),
      ),
      card(
        'Repositories',
        facts(
          stats.repositories.map((one) => [
            one.name,
            one.commit ? el('code', { class: 'long' }, one.commit) : 'no commit is known',
          ]),
        ),
      ),
      card('Files by language', bars(Object.entries(stats.languages))),
      card('Files by how they were parsed', bars(Object.entries(stats.parse_status), PARSED)),
      card('Edges by resolution', bars(Object.entries(stats.resolutions), null, resolutionWords)),
      card(
        'Skipped',
        Object.keys(stats.skipped).length
          ? bars(Object.entries(stats.skipped), SKIPPED)
          : el('p', {}, 'Nothing was skipped.'),
      ),
      card(
        'Freshness',
        later(
          ask('vectors', { function: 'stale' }, signal),
          (answers) => freshness(pick(answers, index, (one) => one.stale).answer.stale, index),
          signal,
        ),
      ),
      card(
        'Coverage by vectors',
        later(
          ask('vectors', { function: 'coverage' }, signal),
          (answers) => coverage(pick(answers, index, (one) => one.coverage).answer),
          signal,
        ),
      ),
      card(
        'Sizes',
        bars(
          stats.parts.map((part) => [part.name, part.bytes, part.rows === null ? null : `${count(part.rows)} rows`]),
          null,
          null,
          bytes,
        ),
      ),
    ),
  );
}

/** The files of the checkout that differ, if the server compares it. */
function freshness(stale, index) {
  const changed = stale?.changed ?? [];
  if (changed.length === 0)
    return el(
      'p',
      {},
      'No local edits are known. A server with ',
      el('code', {}, '--overlay CHECKOUT'),
      ' compares the index with the checkout as files are saved.',
    );
  return [
    el('p', {}, `${plural(changed.length, 'file')} with local edits; answers are for the files of now.`),
    fold(
      'Edited files',
      el(
        'ul',
        { class: 'rows' },
        changed.slice(0, MAX_EDITED).map((one) => el('li', {}, locationLink(one, index, null))),
      ),
    ),
  ];
}

const card = (title, ...content) => el('section', { class: 'card' }, el('h3', {}, title), content);

/** Bars of numbers by name, the largest first; what is beyond the first ones is folded. */
function bars(entries, words, describe = null, format = count) {
  const sorted = [...entries].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const largest = Math.max(1, ...sorted.map(([, value]) => value));
  const row = ([name, value, more]) => {
    const said = words?.[name] ?? describe?.(name) ?? name;
    return el(
      'tr',
      {},
      el('th', { scope: 'row' }, name, said === name ? null : el('span', { class: 'muted' }, ` ${said}`)),
      el('td', { class: 'picture' }, bar(value, largest)),
      el('td', { class: 'value' }, format(value), more ? el('span', { class: 'muted' }, ` ${more}`) : null),
    );
  };
  const table = (some) => el('table', { class: 'bars' }, el('tbody', {}, some.map(row)));
  const rest = sorted.slice(MAX_BARS);
  return [table(sorted.slice(0, MAX_BARS)), rest.length ? fold(`${rest.length} more`, table(rest)) : null];
}

function coverage(answer) {
  const found = answer.coverage;
  if (!found) return el('p', {}, answer.degraded?.join('; ') || 'The index has no vectors.');
  const rest = found.folders
    .filter((folder) => folder.with_vector < folder.files)
    .sort((a, b) => b.files - b.with_vector - (a.files - a.with_vector));
  return [
    facts([
      ['Files with a vector', `${percent(found.coverage)} of ${count(found.files)}`],
      ['From their chunks', count(found.from_chunks)],
      ['From their names only', count(found.from_names)],
    ]),
    rest.length
      ? el(
          'details',
          { class: 'fold' },
          el('summary', {}, plural(rest.length, 'folder with files without one', 'folders with files without one')),
          el(
            'ul',
            { class: 'rows' },
            rest
              .slice(0, 100)
              .map((folder) => el('li', {}, `${folder.path}: ${folder.files - folder.with_vector} of ${folder.files}`)),
          ),
        )
      : null,
  ];
}
