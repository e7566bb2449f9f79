// Turns a file into its outline, its source and its imports. Source is fetched in blocks of lines as it comes into sight.

import { el } from '../dom.js';
import { ask, pick } from '../api.js';
import { changed, fileHref, go, href, symbolHref } from '../route.js';
import { fold, heading, kindTag, later } from '../parts.js';
import { virtualPane } from '../code_pane.js';
import { namesIn, outlineWithNames } from '../names.js';
import { plural } from '../text.js';

const BLOCK = 1000;
/** More than a block of lines of ordinary length; what is cut is fetched again in smaller parts. */
const MAX_TOKENS = 200_000;
const MAX_OUTLINE = 2000;
/** Commits that are listed. */
const COMMITS = 20;
/** How far each visit was scrolled: going back leads to where one was. */
const places = new Map();

/** The file screen. */
export async function file({ params, signal }) {
  const name = params.get('file') ?? '';
  const index = params.get('index');
  const answers = await ask('show', { names: [name], max_tokens: MAX_TOKENS, spans: true }, signal);
  const { index: picked, answer } = pick(answers, index, (one) => one.results?.length > 0);
  const excerpt = answer.results?.[0];
  if (!excerpt) return missing(name, params.get('line'), answer, picked);
  const total = lastLine(answer, excerpt);
  const lines = selection(params.get('line'), total);
  const symbols = new Map();
  let names = null;
  const { pane, show, redraw } = virtualPane({
    total,
    block: BLOCK,
    selected: lines,
    label: `Source of ${excerpt.path}`,
    load: loader(excerpt, total, picked, signal),
    lineOptions: (line) => ({
      link: fileHref(excerpt, picked, line),
      selected: lines !== null && line >= lines.first && line <= lines.last,
      places: names ? (names.get(line) ?? []) : null,
      lookup: (at, word) => target(word, symbols, picked),
    }),
  });
  const outlined = outlineWithNames(excerpt, picked, signal);
  outlined.then(
    (own) => {
      const found = namesIn(own, picked);
      if (found.size > 0) names = found;
      redraw();
    },
    // Without them, words lead to what the file defines.
    () => {},
  );
  const middle = el('div', { class: 'middle', data: { from: excerpt.path } }, pane);
  pane.addEventListener('click', (event) => selectLines(event, lines));
  const known = (found) => {
    for (const symbol of found.symbols) if (!symbols.has(symbol.name)) symbols.set(symbol.name, symbol);
    redraw();
  };
  const outline = later(
    outlined,
    (own) => outlineOf(own, picked, known, show),
    signal,
    'Outline …',
  );
  const imports = later(
    ask('context', { file: name, without_symbols: true, commits: COMMITS }, signal),
    (all) => surroundings(pick(all, picked, (one) => one.file).answer.file, excerpt, picked),
    signal,
    'Imports …',
  );
  const wide = matchMedia('(min-width: 60rem)').matches;
  const content = el(
    'div',
    { class: 'page file' },
    heading(excerpt.path),
    el(
      'p',
      { class: 'row muted' },
      [picked, excerpt.repo, excerpt.language, plural(total, 'line')].filter(Boolean).join(' · '),
      el('a', { href: href('map', { path: folderOf(excerpt), index: picked }) }, 'Map of its folder'),
    ),
    el(
      'div',
      { class: 'panes' },
      el('details', { class: 'side left', open: wide }, el('summary', {}, 'Outline'), outline),
      middle,
      el('details', { class: 'side right', open: wide }, el('summary', {}, 'Imports and history'), imports),
    ),
  );
  const entry = history.state?.key;
  pane.addEventListener('scroll', () => places.set(entry, pane.scrollTop), { passive: true });
  const ready = () => {
    const place = places.get(entry);
    show(lines?.first ?? 1);
    if (place !== undefined) pane.scrollTop = place;
    if (lines) pane.focus({ preventScroll: true });
  };
  return {
    title: `${excerpt.path}${lines ? `:${params.get('line')}` : ''}`,
    content,
    ready,
    message: `File ${excerpt.path}, ${plural(total, 'line')}`,
  };
}

/** The folder of a file, with its repository. */
const folderOf = ({ repo, path }) => [repo, ...path.split('/').slice(0, -1)].join('/');

/** The number of the file's last line: of what is cut, or of what is shown. */
function lastLine(answer, excerpt) {
  const cut = answer.cut?.map((text) => /-(\d+)$/.exec(text)).find(Boolean);
  return cut ? Number(cut[1]) : excerpt.end_line;
}

/** Returns a function that loads a block of lines; the first answer already has some. */
function loader(excerpt, total, index, signal) {
  const first = excerpt.text.split('\n');
  return async (from, to) => {
    if (to <= excerpt.end_line)
      return { lines: first.slice(from - 1, to), spans: excerpt.spans?.filter(([line]) => line >= from && line <= to) };
    const lines = [];
    const all = [];
    // Very long lines fill an answer early: ask again from where it was cut.
    while (lines.length < to - from + 1) {
      const start = from + lines.length;
      const answers = await ask(
        'show',
        { names: [`${excerpt.repo}/${excerpt.path}:${start}-${to}`], max_tokens: MAX_TOKENS, spans: true },
        signal,
      );
      const part = pick(answers, index, (one) => one.results?.length > 0).answer.results?.[0];
      if (!part || part.end_line < start) {
        lines.push('(this line is too long to show)');
        continue;
      }
      lines.push(...part.text.split('\n'));
      all.push(...(part.spans ?? []));
    }
    return { lines: lines.slice(0, to - from + 1), spans: all };
  };
}

/** `12` or `12-40` as lines, or null. */
function selection(text, total) {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(text ?? '') ?? [];
  return first
    ? { first: Math.min(Math.max(1, Number(first)), total), last: Math.min(Number(last ?? first), total) }
    : null;
}

/** What a word leads to where names are not known: what the file defines. */
function target(word, symbols, index) {
  const symbol = symbols.get(word);
  return symbol ? { name: symbol.qualified_name, key: symbol.key, index } : null;
}

/** A click on a number selects its line; with Shift, the lines up to it. */
function selectLines(event, lines) {
  const number = event.target.closest('a.number');
  if (!number || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const line = Number(number.closest('.line').dataset.line);
  const [first, last] =
    event.shiftKey && lines ? [Math.min(lines.first, line), Math.max(lines.first, line)] : [line, line];
  go(changed({ line: first === last ? first : `${first}-${last}` }));
}

function outlineOf(own, index, known, show) {
  if (!own || own.symbols.length === 0) return el('p', { class: 'muted' }, 'No symbols');
  known(own);
  const least = Math.min(...own.symbols.map((symbol) => symbol.depth));
  const jump = (event, symbol) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(symbol.start_line);
    history.replaceState(history.state, '', changed({ line: symbol.start_line }));
  };
  return el(
    'ul',
    { class: 'outline' },
    own.symbols.slice(0, MAX_OUTLINE).map((symbol) =>
      el(
        'li',
        { class: `depth-${Math.min(5, symbol.depth - least)}` },
        el(
          'a',
          {
            href: fileHref(symbol, index, symbol.start_line),
            'data-item': true,
            title: symbol.signature,
            data: { name: symbol.qualified_name, key: symbol.key, index },
            on: { click: (event) => jump(event, symbol) },
          },
          kindTag(symbol.kind),
          ' ',
          symbol.name,
        ),
        el(
          'a',
          { class: 'muted', href: symbolHref(symbol, index), title: 'Open the symbol' },
          String(symbol.start_line),
          el('span', { class: 'hidden' }, `, symbol ${symbol.name}`),
        ),
      ),
    ),
    own.symbols.length > MAX_OUTLINE
      ? el('li', { class: 'muted' }, `and ${own.symbols.length - MAX_OUTLINE} more`)
      : null,
  );
}

/** Imports and history of a file. */
function surroundings(found, excerpt, index) {
  // The request takes the end of a path, which may be that of another file.
  if (!found || found.path !== excerpt.path || found.repo !== excerpt.repo)
    return el('p', { class: 'muted' }, 'Not known');
  const link = (path) =>
    el(
      'a',
      { class: 'location', 'data-item': true, href: href('file', { file: `${excerpt.repo}/${path}`, index }) },
      path,
    );
  const list = (title, paths) =>
    fold(
      `${title} ${paths.length}`,
      paths.length
        ? el(
            'ul',
            { class: 'rows' },
            paths.map((path) => el('li', {}, link(path))),
          )
        : el('p', { class: 'muted' }, 'None'),
      paths.length <= 25,
    );
  return [
    list('Imports', found.imports),
    list('Imported by', found.imported_by),
    found.history ? historyOf(found.history, link) : null,
    el(
      'p',
      { class: 'muted' },
      `References: ${found.resolved} resolved, ${found.ambiguous} ambiguous, ${found.external} external, ${found.unresolved} not resolved`,
    ),
    found.parts?.length
      ? fold(
          'Parts by subject',
          el(
            'ul',
            { class: 'rows' },
            found.parts.map((part) =>
              el(
                'li',
                {},
                el(
                  'a',
                  { href: fileHref(excerpt, index, part.start_line, part.end_line) },
                  `${part.start_line}-${part.end_line}`,
                ),
                ' ',
                part.symbol ?? '',
              ),
            ),
          ),
        )
      : null,
  ];
}

/** The newest commits of a file, and the files that change together with it. */
function historyOf(found, link) {
  const since = found.since.split(' ')[0];
  const rest = found.count - found.commits.length;
  return [
    fold(
      `Commits ${found.count}`,
      found.count
        ? el(
            'ul',
            { class: 'rows' },
            found.commits.map((commit) =>
              el(
                'li',
                { title: `${commit.commit}\n${commit.date}, ${plural(commit.files, 'file')}` },
                commit.subject,
                el('p', { class: 'muted' }, `${commit.date.split(' ')[0]} · ${commit.author}`),
              ),
            ),
            rest > 0 ? el('li', { class: 'muted' }, `and ${rest} older ones since ${since}`) : null,
          )
        : el('p', { class: 'muted' }, `None since ${since}`),
      true,
    ),
    found.changes_with.length
      ? fold(
          'Changes together with',
          el(
            'ul',
            { class: 'rows' },
            found.changes_with.map((other) =>
              el('li', {}, link(other.path), ' ', el('span', { class: 'muted' }, `in ${plural(other.commits, 'commit')}`)),
            ),
          ),
          true,
        )
      : null,
  ];
}

function missing(name, line, answer, index) {
  const files = (answer.ambiguous ?? []).flatMap((one) => [...one.files, ...one.definitions]);
  const content = el(
    'div',
    { class: 'page' },
    heading(files.length ? 'Several files have this path' : 'No such file'),
    files.length
      ? el(
          'ul',
          { class: 'rows' },
          files.map((one) =>
            el(
              'li',
              {},
              el('a', { href: fileHref(one, index, line), 'data-item': true }, `${one.repo}/${one.path}`),
            ),
          ),
        )
      : [
          el('p', {}, 'The index has no file ', el('code', {}, name), '.'),
          el('p', {}, el('a', { href: href('search', { q: name }) }, 'Search for it')),
        ],
  );
  return { title: name, content };
}
