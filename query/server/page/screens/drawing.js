// Turns calls, what a change reaches, or a path into a drawing in layers: the one that the command line prints.

import { el } from '../dom.js';
import { ask, pick } from '../api.js';
import { changed, href } from '../route.js';
import { heading, note, unknownName } from '../parts.js';
import { canvas, saveButton } from '../draw/drawing.js';
import { lastSegment, plural } from '../text.js';

const TITLES = { callers: 'Callers of', callees: 'Callees of', impact: 'What a change reaches of', path: 'Path' };
const MAX_DEPTH = 5;
/** More boxes than this hide each other. */
const LIMIT = 50;
const DEPTHS = { callers: 2, callees: 2, impact: 3 };

/** The drawing screen. */
export async function drawing({ params, signal }) {
  const of = Object.hasOwn(TITLES, params.get('of')) ? params.get('of') : 'callers';
  const name = params.get('name') ?? '';
  const depth = Math.min(MAX_DEPTH, Math.max(1, Number(params.get('depth')) || DEPTHS[of] || 1));
  const guesses = params.has('guesses') ? { min_confidence: 0 } : {};
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  const asked = of === 'path' ? { from, to } : { names: [name], depth, limit: LIMIT };
  const answers = await ask(of, { ...asked, ...guesses, draw: 'svg' }, signal);
  const has = (one) => one.results?.length > 0 || one.steps?.length > 0;
  const { index, answer } = pick(answers, params.get('index'), has);
  if (!answer.drawing)
    return {
      title: name || from,
      content: el('div', { class: 'page' }, heading('Unknown name'), unknownName(answer.name ?? name, answer.suggestions ?? [])),
    };
  const found = of === 'path' ? answer.steps : answer.results;
  const about = of === 'path' ? answer.steps.at(0) : answer.definitions[0];
  const what = of === 'path' ? `${lastSegment(from)} → ${lastSegment(to)}` : (about?.qualified_name ?? name);
  const title = `${TITLES[of]} ${what}`;
  const relation = (other) =>
    el(
      'a',
      { class: 'chip', href: changed({ of: other, depth: null }), 'aria-current': other === of ? 'true' : null },
      { callers: 'callers', callees: 'callees', impact: 'all uses' }[other],
    );
  const steps = Array.from({ length: MAX_DEPTH }, (_, n) => n + 1);
  const content = el(
    'div',
    { class: 'page' },
    heading(title),
    el(
      'div',
      { class: 'filters', role: 'group', 'aria-label': 'What the drawing shows' },
      of === 'path'
        ? el('a', { href: href('path', { from, to, guesses: params.get('guesses') }) }, 'As cards, with the calling lines')
        : [
            Object.keys(DEPTHS).map(relation),
            steps.map((n) =>
              el(
                'a',
                { class: 'chip', href: changed({ depth: n }), 'aria-current': n === depth ? 'true' : null },
                n === 1 ? '1 step' : `${n} steps`,
              ),
            ),
          ],
      el(
        'a',
        {
          class: 'chip',
          href: changed({ guesses: params.has('guesses') ? null : 1 }),
          'aria-current': params.has('guesses') ? 'true' : null,
        },
        'with candidates',
      ),
      saveButton(answer.drawing, `${of}-${what.replace(/\W+/g, '-')}.svg`),
    ),
    el(
      'p',
      { class: 'muted small' },
      of === 'path'
        ? plural(Math.max(0, found.length - 1), 'call')
        : `${plural(found.length, 'symbol')}${answer.truncated ? `, the surest of more` : ''}. What uses stands left of what is used.`,
    ),
    found.length === 0
      ? note('The index knows none. ', params.has('guesses') ? '' : 'Candidates, guesses by the name, may be there.')
      : canvas(answer.drawing, title, { address: (key) => href('symbol', { name: key, index }) }),
  );
  // What the drawing is about is in sight.
  const ready = () => {
    const frame = content.querySelector('.canvas');
    const start = content.querySelector('.drawing .start')?.getBoundingClientRect();
    const { top, left } = frame?.getBoundingClientRect() ?? {};
    if (frame && start) frame.scrollTo(start.left - left - frame.clientWidth / 2, start.top - top - frame.clientHeight / 2);
  };
  return { title, content, ready, message: `${title}: ${plural(found.length, 'symbol')}` };
}
