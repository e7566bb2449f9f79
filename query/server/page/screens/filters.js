// Turns the filters of a search in the address into controls, and a choice into an address.

import { el } from '../dom.js';
import { ask, health } from '../api.js';
import { changed, go } from '../route.js';
import { field, later } from '../parts.js';

const KINDS = [
  'function',
  'method',
  'class',
  'struct',
  'enum',
  'interface',
  'trait',
  'type',
  'constant',
  'variable',
  'field',
  'macro',
  'module',
  'test',
  'section',
];
const LABELS = { language: 'Language', kind: 'Kind', repo: 'Repository', path: 'Path', index: 'Index' };

/** Whether a path looks like one of tests, by its folders and its name. Search results do not say it. */
export const looksLikeTest = (path) =>
  /(^|[/_.-])(tests?|specs?|__tests__|testing)([/_.-]|$)|(Test|Tests|Spec)\.\w+$/.test(path);

/** Returns the filters of a search. */
export function filters(params, signal) {
  const chips = ['language', 'kind', 'repo', 'path', 'index'].flatMap((name) =>
    params.getAll(name).map((value) =>
      el(
        'a',
        {
          class: 'chip',
          href: changed({ [name]: params.getAll(name).filter((one) => one !== value) }),
          'aria-label': `Remove the filter ${LABELS[name]} ${value}`,
        },
        `${LABELS[name]}: ${value}`,
        el('span', { 'aria-hidden': 'true' }, ' ×'),
      ),
    ),
  );
  return el(
    'div',
    { class: 'filters', role: 'group', 'aria-label': 'Filters' },
    later(
      choices(signal),
      ({ languages, repos, indexes }) => [
        choice('language', languages, params),
        choice('kind', KINDS, params),
        repos.length > 1 ? choice('repo', repos, params) : null,
        indexes.length > 1 ? choice('index', indexes, params) : null,
      ],
      signal,
      'Filters …',
    ),
    pathFilter(params),
    el('label', { class: 'check' }, checkbox(params), ' Hide test files'),
    chips,
  );
}

async function choices(signal) {
  const [stats, state] = await Promise.all([ask('stats', {}, signal), health(signal)]);
  const languages = new Map();
  for (const { answer } of stats)
    for (const [language, files] of Object.entries(answer.languages))
      languages.set(language, (languages.get(language) ?? 0) + files);
  return {
    languages: [...languages].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([language]) => language),
    repos: [...new Set(stats.flatMap(({ answer }) => answer.repositories.map((repository) => repository.name)))].sort(),
    indexes: state.indexes.map((one) => one.name),
  };
}

function choice(name, values, params) {
  const chosen = params.getAll(name);
  const change = (event) =>
    go(changed({ [name]: name === 'index' ? event.target.value : [...chosen, event.target.value] }));
  return el(
    'select',
    { 'aria-label': `Add a filter: ${LABELS[name]}`, on: { change } },
    el('option', { value: '' }, LABELS[name]),
    values.filter((value) => !chosen.includes(value)).map((value) => el('option', { value }, value)),
  );
}

function pathFilter(params) {
  const box = field('Path', 'path-filter', '', { placeholder: 'src/**', size: 12 });
  const submit = (event) => {
    event.preventDefault();
    const value = box.querySelector('input').value.trim();
    if (value) go(changed({ path: [...params.getAll('path'), value] }));
  };
  return el('form', { class: 'inline', on: { submit } }, box);
}

function checkbox(params) {
  const box = el('input', {
    type: 'checkbox',
    on: { change: () => go(changed({ tests: box.checked ? 'no' : null })) },
  });
  box.checked = params.get('tests') === 'no';
  return box;
}
