// Turns a map into SVG: modules as boxes in layers, dependencies as curves as wide as the uses. Colours are attributes,
// so that a saved picture has them; the style sheet replaces them on the page.

import { svg } from '../dom.js';
import { layout } from './layers.js';
import { count, plural, shorten } from '../text.js';

/** Colours of communities that differ in lightness too: Paul Tol's bright scheme. */
const COMMUNITIES = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#997700', '#bbbbbb'];
const MAX_WIDTH = 7;
const MIN_SCALE = 0.65;
const TITLE_LENGTH = 23;
/** The length of what stands for the beginning of a path, `…/`, with the slash behind a part. */
const ELLIPSIS = 3;

/** Returns the positions in `modules` of both ends of the connections; those whose ends are not unique are left out. */
export function joined(modules, connections) {
  const places = new Map();
  modules.forEach((module, n) => {
    const name = module.path;
    places.set(name, places.has(name) ? null : n);
    places.set(`${module.repo}/${name}`, n);
  });
  return connections
    .map((one) => ({
      from: one.from_module ?? places.get(one.from),
      to: one.to_module ?? places.get(one.to),
      uses: one.uses,
    }))
    .filter(({ from, to }) => from !== undefined && from !== null && to !== undefined && to !== null);
}

/**
 * Returns the drawing of a map. `address(module)` is where a box leads to; `community(n)` is the number of the community
 * of a module, or -1.
 */
export function drawMap(modules, edges, { address, community, label, selected }) {
  const { width, height, boxes, curves } = layout(modules.length, edges);
  const most = Math.max(1, ...edges.map((edge) => edge.uses));
  const picture = svg(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      class: 'map',
      role: 'group',
      'aria-label': label,
      'font-family': 'system-ui, sans-serif',
      'font-size': 12,
    },
    svg('rect', { class: 'paper', width, height, fill: '#ffffff' }),
  );
  for (const { edge, path, isUp } of curves) {
    picture.append(
      svg(
        'path',
        {
          class: `flow${isUp ? ' up' : ''}`,
          d: path,
          fill: 'none',
          stroke: '#5b7a99',
          'stroke-opacity': 0.5,
          'stroke-dasharray': isUp ? '5 4' : null,
          'stroke-width': (0.8 + (MAX_WIDTH - 0.8) * Math.sqrt(edge.uses / most)).toFixed(2),
          data: { from: edge.from, to: edge.to },
        },
        svg('title', {}, `${modules[edge.from].path} uses ${modules[edge.to].path}: ${count(edge.uses)}`),
      ),
    );
  }
  modules.forEach((module, n) => {
    const { x, y, width: w, height: h } = boxes[n];
    const group = community(n);
    const name = module.path === '.' ? module.repo : module.path;
    const [title, numbers] = [
      tail(name),
      `${plural(module.files, 'file')} · ${count(module.symbols)} symbols${group >= 0 ? ` · #${group + 1}` : ''}`,
    ];
    picture.append(
      svg(
        'a',
        {
          href: address(module, n),
          class: `module${module.is_test ? ' test' : ''}${n === selected ? ' selected' : ''}`,
          'data-item': true,
          data: { module: n },
        },
        svg('title', {}, `${name}, ${numbers}`),
        svg('rect', {
          class: 'box',
          x,
          y,
          width: w,
          height: h,
          rx: 5,
          fill: module.is_test ? '#f3f3f1' : '#ffffff',
          stroke: '#8a949e',
        }),
        group >= 0
          ? svg('rect', {
              x: x + 1,
              y: y + 6,
              width: 4,
              height: h - 12,
              rx: 2,
              fill: COMMUNITIES[group % COMMUNITIES.length],
            })
          : null,
        svg('text', { class: 'title', x: x + 12, y: y + 20, fill: '#1f2328', 'font-weight': 600 }, title),
        svg('text', { class: 'small', x: x + 12, y: y + 37, fill: '#57606a', 'font-size': 11 }, numbers),
      ),
    );
  });
  // It shrinks to the window, but stays readable.
  picture.style.minWidth = `${Math.round(width * MIN_SCALE)}px`;
  highlight(picture);
  return picture;
}

/** The end of a path, which distinguishes it best. */
function tail(path) {
  const parts = path.split('/');
  let text = parts.pop();
  while (parts.length && text.length + parts.at(-1).length + ELLIPSIS <= TITLE_LENGTH) text = `${parts.pop()}/${text}`;
  return shorten(parts.length ? `…/${text}` : text, TITLE_LENGTH);
}

/** Shows only the edges of the module under the pointer or with the focus. */
function highlight(picture) {
  const show = (event) => {
    const module = event.target.closest?.('.module')?.dataset.module;
    picture.classList.toggle('focused', module !== undefined);
    for (const flow of picture.querySelectorAll('.flow'))
      flow.classList.toggle('on', flow.dataset.from === module || flow.dataset.to === module);
  };
  for (const event of ['pointerover', 'pointerout', 'focusin', 'focusout'])
    picture.addEventListener(event, (one) =>
      show(event.endsWith('out') ? { target: one.relatedTarget ?? picture } : one),
    );
}

/** The colour of a community, as an SVG swatch. */
export const swatch = (group) =>
  svg(
    'svg',
    { class: 'swatch', viewBox: '0 0 10 10', 'aria-hidden': 'true' },
    svg('rect', { width: 10, height: 10, rx: 2, fill: COMMUNITIES[group % COMMUNITIES.length] }),
  );

/** Saves a drawing as a file that needs no style sheet. Links lead nowhere outside of the page, so they go. */
export function save(picture, name) {
  const copy = picture.cloneNode(true);
  copy.removeAttribute('class');
  copy.removeAttribute('style');
  for (const link of copy.querySelectorAll('a')) {
    const group = svg('g', {});
    group.append(...link.childNodes);
    link.replaceWith(group);
  }
  for (const node of copy.querySelectorAll('*'))
    for (const attribute of [...node.attributes])
      if (/^(data-|class|aria-)/.test(attribute.name)) node.removeAttribute(attribute.name);
  const blob = new Blob([new XMLSerializer().serializeToString(copy), '\n'], { type: 'image/svg+xml' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
