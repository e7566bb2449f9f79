// Turns the communities of a map into a list: their terms, their folders, and the modules that are most alike.

import { el } from '../dom.js';
import { changed } from '../route.js';
import { fold } from '../parts.js';
import { swatch } from '../draw/drawing.js';
import { plural } from '../text.js';

const MAX_TERMS = 6;

/** Returns the communities of a map, or nothing if it has none. */
export function communities(answer) {
  const groups = answer.communities?.communities ?? [];
  const found = answer.communities;
  if (!found || groups.length === 0) return null;
  const hasRepos = new Set(answer.modules.map((module) => module.repo)).size > 1;
  const full = ({ repo, path }) => (path === '.' ? repo : hasRepos ? `${repo}/${path}` : path);
  const name = (n) => (answer.modules[n] ? full(answer.modules[n]) : '');
  return el(
    'section',
    { class: 'card' },
    el(
      'h2',
      {},
      'Communities',
      el(
        'span',
        { class: 'muted' },
        `files that use each other and are alike; modularity ${found.modularity.toFixed(2)}`,
      ),
    ),
    el(
      'ol',
      { class: 'rows communities' },
      groups.map((group, n) =>
        el(
          'li',
          {},
          swatch(answer.drawing, n),
          ` #${n + 1} `,
          el('strong', {}, group.terms.slice(0, MAX_TERMS).join(', ') || 'no terms'),
          el('span', { class: 'muted' }, ` ${plural(group.files, 'file')}`),
          group.folders.length
            ? [
                ' in ',
                group.folders.slice(0, 4).map((folder, at) => [
                  at ? ', ' : '',
                  el(
                    'a',
                    {
                      href: changed({
                        path: folder.path === '.' ? folder.repo : `${folder.repo}/${folder.path}`,
                        module: null,
                      }),
                    },
                    full(folder),
                  ),
                ]),
                group.more_folders ? ` and ${group.more_folders} more` : '',
              ]
            : null,
        ),
      ),
    ),
    el(
      'p',
      { class: 'muted' },
      `${found.not_listed} smaller ones are not listed; ${plural(found.alone, 'file')} ${found.alone === 1 ? 'belongs' : 'belong'} to none.`,
    ),
    found.couplings.length
      ? fold(
          'Modules that are most alike',
          el(
            'ul',
            { class: 'rows' },
            found.couplings.map((pair) =>
              el(
                'li',
                {},
                `${name(pair.a)} and ${name(pair.b)} `,
                el('span', { class: 'muted' }, pair.cosine.toFixed(2)),
              ),
            ),
          ),
        )
      : null,
  );
}
