// Turns an index into where to begin without a question: its most used symbols and its modules.

import { el } from '../dom.js';
import { ask } from '../api.js';
import { href } from '../route.js';
import { heading, later, symbolRow } from '../parts.js';
import { count, plural } from '../text.js';

/** About 20 modules. */
const MAX_TOKENS = 1400;

/** The start screen. */
export function start({ signal }) {
  const maps = later(
    ask('map', { max_tokens: MAX_TOKENS }, signal),
    (answers) => [examples(answers), answers.map(overview)],
    signal,
  );
  const keys = ['Press ', el('kbd', {}, '/'), ' to search and ', el('kbd', {}, '?'), ' for all keys.'];
  const told = 'Ask a question, type a name or a path, or paste an issue with its stack trace. ';
  return {
    title: null,
    message: 'Search',
    content: el('div', { class: 'page start' }, heading('Search code'), el('p', {}, told, keys), maps),
  };
}

/** Queries of three kinds that this index answers. */
function examples(answers) {
  const symbols = answers.flatMap(({ answer }) => answer.important);
  if (symbols.length === 0) return null;
  const queries = ['where are errors handled', symbols[0].name, symbols.at(-1).path];
  const links = queries.map((query, n) => [n ? ' · ' : '', el('a', { href: href('search', { q: query }) }, query)]);
  return el('p', {}, 'For example: ', links);
}

function overview({ index, answer }) {
  const users = (symbol) => el('span', { class: 'muted' }, `used by ${plural(symbol.used_by, 'file')}`);
  const card = (title, rows) =>
    el(
      'section',
      { class: 'card' },
      el('h2', {}, title, index ? ` in ${index}` : ''),
      el('ul', { class: 'rows' }, rows),
    );
  return el(
    'div',
    { class: 'columns' },
    card(
      'Most used',
      answer.important.map((symbol) => symbolRow(symbol, index, users(symbol))),
    ),
    card(
      'Modules',
      answer.modules.map((module) => moduleRow(module, index, new Set(answer.modules.map((one) => one.repo)).size > 1)),
    ),
  );
}

function moduleRow(module, index, hasRepos) {
  const isRoot = module.path === '.';
  const address = href('map', { path: isRoot ? null : `${module.repo}/${module.path}`, index });
  const size = `${plural(module.files, 'file')}, ${count(module.symbols)} symbols`;
  return el(
    'li',
    { class: 'row' },
    el('a', { href: address, 'data-item': true }, isRoot ? module.repo : hasRepos ? `${module.repo}/${module.path}` : module.path),
    el('span', { class: 'muted' }, size),
  );
}
