// Turns a symbol into what is connected with it otherwise: subtypes and implementations, overrides, declarations, and
// the symbols that belong to it most closely.

import { el } from '../dom.js';
import { ask, pick } from '../api.js';
import { edgeLabel } from '../confidence.js';
import { fileHref } from '../route.js';
import { bar, groupBy, kindTag, symbolLink, symbolRow } from '../parts.js';

const TITLES = {
  implement: 'Implementations',
  inherit: 'Subtypes',
  override: 'Overridden by',
  define: 'Defined or declared by',
  test: 'Tests',
};
const LIMIT = 100;
const RELATED = 10;

/** Returns the relations of a symbol. */
export async function relations(found, index, signal) {
  const [uses, near] = await Promise.all([
    ask('references', { names: [found.key], kind: Object.keys(TITLES), min_confidence: 0, limit: LIMIT }, signal),
    ask('related', { name: found.key, limit: RELATED }, signal),
  ]);
  const { answer } = pick(uses, index, (one) => one.results?.length > 0);
  const own = answer.results?.[0];
  const kinds = groupBy(own?.uses ?? [], (use) => use.kind);
  const related = pick(near, index, (one) => one.results?.length > 0).answer.results ?? [];
  const sections = Object.entries(TITLES)
    .filter(([kind]) => kinds.has(kind))
    .map(([kind, title]) =>
      el(
        'section',
        { class: 'card' },
        el('h2', {}, title, el('span', { class: 'muted' }, String(kinds.get(kind).length))),
        el(
          'ul',
          { class: 'rows' },
          kinds
            .get(kind)
            .map((use) =>
              el(
                'li',
                {},
                el(
                  'span',
                  { class: 'row' },
                  kindTag(use.container_kind),
                  symbolLink({ key: use.container_key, qualified_name: use.container }, index),
                  el(
                    'a',
                    { class: 'location', href: fileHref(use, index, use.start_line) },
                    `${use.path}:${use.start_line}`,
                  ),
                  edgeLabel(use),
                ),
              ),
            ),
        ),
      ),
    );
  return el(
    'div',
    { class: 'columns' },
    sections,
    related.length
      ? el(
          'section',
          { class: 'card' },
          el('h2', {}, 'Related', el('span', { class: 'muted' }, 'closest in the graph')),
          el(
            'ul',
            { class: 'rows' },
            related.map((one) =>
              symbolRow(
                one,
                index,
                el(
                  'span',
                  { class: 'score' },
                  bar(one.association, related[0].association),
                  one.association.toFixed(2),
                ),
              ),
            ),
          ),
        )
      : null,
  );
}
