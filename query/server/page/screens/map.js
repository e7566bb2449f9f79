// Turns the modules of an index into a drawing in layers, with communities; a module leads into its folder.

import { el } from '../dom.js';
import { ask, health, pick } from '../api.js';
import { changed, href } from '../route.js';
import { fold, heading, indexChoice, later, note, symbolRow } from '../parts.js';
import { canvas, saveButton } from '../draw/drawing.js';
import { communities } from './communities.js';
import { count, plural } from '../text.js';

/** Sizes of a map in tokens: about one module for 70. */
const SIZES = { few: 900, medium: 2000, many: 6000 };
const SIZE_LABELS = { few: 'Few modules', medium: 'Some', many: 'Many' };

/** The map screen. */
export async function map({ params, signal }) {
  const path = params.get('path') ?? '';
  const size = Object.hasOwn(SIZES, params.get('size')) ? params.get('size') : 'medium';
  const withoutTests = params.get('tests') === 'no';
  const asked = { path: path || null, max_tokens: SIZES[size], without_tests: withoutTests, draw: 'svg' };
  const [answers, server] = await Promise.all([ask('map', asked, signal), health(signal)]);
  const hasModules = (one) => one.modules?.length > 0;
  const { index, answer } = pick(answers, params.get('index'), hasModules);
  const { modules } = answer;
  const edges = answer.connections.map((one) => ({ from: one.from_module, to: one.to_module, uses: one.uses }));
  const selected = modules.findIndex((module) => nameOf(module) === params.get('module'));
  const options = { address: (key) => changed({ module: key }), selected: params.get('module') };
  const label = 'Drawing of the map';
  const drawn = el('div', {}, canvas(answer.drawing, label, options));
  // Communities take longer; with them, the modules have colours.
  const coloured = ask('map', { ...asked, communities: true }, signal).then((all) => {
    const { answer: found } = pick(all, index, hasModules);
    if (found.communities && !signal.aborted) exchange(drawn, canvas(found.drawing, label, options));
    return communities(found);
  });
  const title = path ? `Map of ${path}` : 'Map';
  const file = `map${path ? `-${path.replace(/\W+/g, '-')}` : ''}.svg`;
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
          href: changed({ tests: withoutTests ? null : 'no' }),
          'aria-current': withoutTests ? 'true' : null,
        },
        'without tests',
      ),
      indexChoice(server.indexes, index, (name) => changed({ index: name, path: null, module: null })),
      saveButton(answer.drawing, file),
    ),
    el(
      'p',
      { class: 'muted small' },
      `${plural(modules.length, 'module')}, ${plural(edges.length, 'dependency', 'dependencies')}, the strongest that there are. What uses stands above what is used; dashed lines go against the layers. The width is the number of uses.`,
    ),
    modules.length === 0 ? note('There are no modules here.') : drawn,
    selected >= 0
      ? details(modules, selected, edges, index)
      : el('p', { class: 'muted' }, 'Choose a module to see what it offers and what it uses.'),
    later(coloured, (part) => part, signal, 'Communities …'),
    fold('Modules as a list', table(modules, edges)),
  );
  return {
    title,
    content,
    message: `${title}: ${plural(modules.length, 'module')}`,
    anchor: selected >= 0 ? 'module' : null,
    ready: () => showSelected(drawn.querySelector('.canvas')),
  };
}

/** Puts a drawing with colours in the place of the one without: scrolled as it is, with the focus where it is. */
function exchange(spot, frame) {
  const before = spot.querySelector('.canvas');
  const focused = spot.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const { scrollLeft, scrollTop } = before;
  before.replaceWith(frame);
  frame.scrollTo(scrollLeft, scrollTop);
  const box = [...frame.querySelectorAll('a.module')].find((one) => one.dataset.key === focused);
  box?.focus({ preventScroll: true });
}

/** Scrolls a drawing sideways until the chosen module is in sight. */
function showSelected(frame) {
  const box = frame?.querySelector('.selected')?.getBoundingClientRect();
  const { left, width } = frame?.getBoundingClientRect() ?? {};
  if (box && (box.left < left || box.right > left + width)) frame.scrollLeft += box.left - left - (width - box.width) / 2;
}

const nameOf = (module) => `${module.repo}/${module.path}`;

/** Returns a function from a module to its name as its box has it: with the repository where there are several. */
function namer(modules) {
  const hasRepos = new Set(modules.map((module) => module.repo)).size > 1;
  return (module) => (module.path === '.' ? module.repo : hasRepos ? nameOf(module) : module.path);
}

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
  const shownName = namer(modules);
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
                    shownName(modules[edge[other]]),
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
      shownName(module),
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
  const shownName = namer(modules);
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
              el('a', { href: changed({ path: folderOf(module), module: null }) }, shownName(module)),
            ),
            [module.files, module.lines, module.symbols].map((value) => el('td', { class: 'value' }, count(value))),
            el(
              'td',
              {},
              edges
                .filter((edge) => edge.from === n)
                .map((edge) => shownName(modules[edge.to]))
                .join(', '),
            ),
            el(
              'td',
              {},
              edges
                .filter((edge) => edge.to === n)
                .map((edge) => shownName(modules[edge.from]))
                .join(', '),
            ),
          ),
        ),
      ),
    ),
  );
}
