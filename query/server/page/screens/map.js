// Turns the modules of an index into a drawing in layers, with communities; a module leads into its folder.

import { el } from '../dom.js';
import { ask, health, pick } from '../api.js';
import { changed, href } from '../route.js';
import { fold, heading, note, symbolRow } from '../parts.js';
import { drawMap, joined, save } from '../draw/map.js';
import { communities } from './communities.js';
import { count, plural } from '../text.js';

/** Sizes of a map in tokens: about one module for 70. */
const SIZES = { few: 900, medium: 2000, many: 6000 };
/** For as many modules as a map may have. */
const ALL_TOKENS = 20_000;
const SIZE_LABELS = { few: 'Few modules', medium: 'More', many: 'Many' };

/** The map screen. */
export async function map({ params, signal }) {
  const path = params.get('path') ?? '';
  const size = Object.hasOwn(SIZES, params.get('size')) ? params.get('size') : 'medium';
  const [answers, server] = await Promise.all([maps(path, SIZES[size], signal), health(signal)]);
  const { index, answer } = pick(answers, params.get('index'), (one) =>
    one.modules?.some((module) => isBelow(module, path)),
  );
  const keep = (module) => isBelow(module, path) && (!module.is_test || params.get('tests') !== 'no');
  const positions = answer.modules.map((module, n) => n).filter((n) => keep(answer.modules[n]));
  const place = new Map(positions.map((n, at) => [n, at]));
  const modules = positions.map((n) => answer.modules[n]);
  const edges = joined(answer.modules, answer.connections)
    .filter(({ from, to }) => place.has(from) && place.has(to))
    .map((edge) => ({ from: place.get(edge.from), to: place.get(edge.to), uses: edge.uses }));
  const groups = answer.communities?.communities ?? [];
  const community = (n) => groups.findIndex((group) => group.modules.includes(positions[n]));
  const selected = modules.findIndex((module) => nameOf(module) === params.get('module'));
  // More lines than this hide each other; the list has all.
  const drawn = [...edges].sort((a, b) => b.uses - a.uses).slice(0, modules.length * 2);
  const picture = drawMap(modules, drawn, {
    community,
    selected,
    label: `Modules of ${path || 'the index'} in layers: what uses is above what is used`,
    address: (module) => changed({ module: nameOf(module) }),
  });
  const title = path ? `Map of ${path}` : 'Map';
  const content = el(
    'div',
    { class: 'page map' },
    heading(path ? ['Map of ', crumbs(path)] : 'Map'),
    el(
      'div',
      { class: 'filters', role: 'group', 'aria-label': 'What the map shows' },
      Object.keys(SIZES).map((one) =>
        el(
          'a',
          { class: 'chip', href: changed({ size: one }), 'aria-current': one === size ? 'true' : null },
          SIZE_LABELS[one],
        ),
      ),
      el(
        'a',
        {
          class: 'chip',
          href: changed({ tests: params.get('tests') === 'no' ? null : 'no' }),
          'aria-current': params.get('tests') === 'no' ? 'true' : null,
        },
        'without tests',
      ),
      server.indexes.length > 1
        ? server.indexes.map(({ name }) =>
            el(
              'a',
              {
                class: 'chip',
                href: changed({ index: name, path: null, module: null }),
                'aria-current': name === index ? 'true' : null,
              },
              name,
            ),
          )
        : null,
      el(
        'button',
        { type: 'button', on: { click: () => save(picture, `map${path ? `-${path.replace(/\W+/g, '-')}` : ''}.svg`) } },
        'Download SVG',
      ),
    ),
    el(
      'p',
      { class: 'muted small' },
      `${plural(modules.length, 'module')}, ${drawn.length < edges.length ? `the ${drawn.length} strongest of ` : ''}${plural(edges.length, 'dependency', 'dependencies')}. What uses stands above what is used; dashed lines go against the layers. The width is the number of uses.`,
    ),
    modules.length === 0
      ? note('There are no modules here.')
      : el('div', { class: 'canvas', tabindex: 0, role: 'region', 'aria-label': 'Drawing of the map' }, picture),
    selected >= 0
      ? details(modules, selected, edges, index)
      : el('p', { class: 'muted' }, 'Choose a module to see what it offers and what it uses.'),
    communities(answer),
    fold('Modules as a list', table(modules, edges)),
  );
  return { title, content, message: `${title}: ${plural(modules.length, 'module')}` };
}

/** Asks for the map of a folder. Of several indexes, one without the folder would reject it: then all is asked. */
async function maps(path, maxTokens, signal) {
  const { indexes } = await health(signal);
  const isAsked = path && indexes.length === 1;
  const size = path && !isAsked ? ALL_TOKENS : maxTokens;
  return ask('map', { path: isAsked ? path : null, max_tokens: size, communities: true }, signal);
}

/** Whether a module is in a folder, `repo/path` or a repository. */
const isBelow = (module, folder) =>
  !folder || `${nameOf(module)}/`.startsWith(`${folder}/`) || `${module.path}/`.startsWith(`${folder}/`);

const nameOf = (module) => `${module.repo}/${module.path}`;
const folderOf = (module) => (module.path === '.' ? module.repo : nameOf(module));

/** Each folder of a path as a link to its map. */
function crumbs(path) {
  const parts = path.split('/');
  return [
    el('a', { href: changed({ path: null, module: null }) }, 'all'),
    parts.map((part, n) => [
      ' / ',
      n === parts.length - 1
        ? part
        : el('a', { href: changed({ path: parts.slice(0, n + 1).join('/'), module: null }) }, part),
    ]),
  ];
}

/** What a module offers, uses and is used by. */
function details(modules, selected, edges, index) {
  const module = modules[selected];
  const side = (title, list, other) =>
    list.length === 0
      ? null
      : el(
          'div',
          {},
          el('h3', {}, title),
          el(
            'ul',
            { class: 'rows' },
            [...list]
              .sort((a, b) => b.uses - a.uses)
              .map((edge) =>
                el(
                  'li',
                  {},
                  el(
                    'a',
                    { href: changed({ module: nameOf(modules[edge[other]]) }), 'data-item': true },
                    modules[edge[other]].path,
                  ),
                  el('span', { class: 'muted' }, ` ${count(edge.uses)}`),
                ),
              ),
          ),
        );
  return el(
    'section',
    { class: 'card', id: 'module' },
    el(
      'h2',
      {},
      module.path,
      el(
        'span',
        { class: 'muted' },
        `${plural(module.files, 'file')}, ${plural(module.lines, 'line')}, ${plural(module.symbols, 'symbol')}, ${module.languages.map((one) => one.language).join(', ')}`,
      ),
    ),
    el(
      'p',
      { class: 'row' },
      el('a', { href: changed({ path: folderOf(module), module: null }), 'data-item': true }, 'Look inside'),
      el(
        'a',
        {
          href: href('search', {
            path: module.path === '.' ? null : `${module.path}/**`,
            repo: module.repo,
            q: module.path.split('/').pop(),
            index,
          }),
        },
        'Search in it',
      ),
    ),
    el(
      'div',
      { class: 'columns' },
      el(
        'div',
        {},
        el('h3', {}, 'Offers'),
        el(
          'ul',
          { class: 'rows' },
          module.exports.map((symbol) =>
            symbolRow(symbol, index, el('span', { class: 'muted' }, `used by ${plural(symbol.used_by, 'file')}`)),
          ),
        ),
      ),
      side(
        'Uses',
        edges.filter((edge) => edge.from === selected),
        'to',
      ),
      side(
        'Used by',
        edges.filter((edge) => edge.to === selected),
        'from',
      ),
    ),
  );
}

function table(modules, edges) {
  return el(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Modules as a list' },
    el(
      'table',
      { class: 'list' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ['Module', 'Files', 'Lines', 'Symbols', 'Uses', 'Used by'].map((title) => el('th', { scope: 'col' }, title)),
        ),
      ),
      el(
        'tbody',
        {},
        modules.map((module, n) =>
          el(
            'tr',
            {},
            el(
              'th',
              { scope: 'row' },
              el('a', { href: changed({ path: folderOf(module), module: null }) }, module.path),
            ),
            [module.files, module.lines, module.symbols].map((value) => el('td', { class: 'value' }, count(value))),
            el(
              'td',
              {},
              edges
                .filter((edge) => edge.from === n)
                .map((edge) => modules[edge.to].path)
                .join(', '),
            ),
            el(
              'td',
              {},
              edges
                .filter((edge) => edge.to === n)
                .map((edge) => modules[edge.from].path)
                .join(', '),
            ),
          ),
        ),
      ),
    ),
  );
}
