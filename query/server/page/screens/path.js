// Turns two names into the path along calls from one to the other: a card for each symbol, between them the edge and
// the line that calls.

import { el } from '../dom.js';
import { ask, pick } from '../api.js';
import { edgeLabel, legend, level } from '../confidence.js';
import { fileHref, go, href } from '../route.js';
import { field, heading, kindTag, locationLink, note, symbolLink, unknownName } from '../parts.js';
import { plural, shorten } from '../text.js';

const LIMIT = 500;

/** The path screen. */
export async function path({ params, signal }) {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  const page = (title, ...rest) => ({
    title,
    content: el(
      'div',
      { class: 'page path' },
      heading(title || 'Path between two symbols'),
      form(from, to, params.has('guesses')),
      rest,
    ),
  });
  if (!from || !to)
    return page(
      '',
      el(
        'p',
        { class: 'muted' },
        'How does one function reach another? The path along calls with the highest confidence answers it.',
      ),
    );
  const asked = { from, to, ...(params.has('guesses') ? { min_confidence: 0 } : {}) };
  const { index, answer } = pick(await ask('path', asked, signal), params.get('index'), (one) => one.steps?.length > 0);
  const title = `Path ${short(from)} → ${short(to)}`;
  if (!answer.steps) return page(title, unknownName(answer.name ?? from, answer.suggestions ?? []));
  if (answer.steps.length === 0) {
    return page(
      title,
      note(
        el('strong', {}, 'No path of calls leads from the one to the other. '),
        el('a', { href: href('path', { from: to, to: from }) }, 'Try the other direction'),
        params.has('guesses')
          ? null
          : [', or ', el('a', { href: href('path', { from, to, guesses: 1 }) }, 'include candidates')],
        '.',
      ),
    );
  }
  const lines = await callingLines(answer.steps, index, signal);
  const product = answer.steps.reduce((all, step) => all * (step.confidence ?? 1), 1);
  const screen = page(
    title,
    el(
      'p',
      {},
      plural(answer.steps.length - 1, 'call'),
      `, together right with a probability of ${product.toFixed(2)}`,
    ),
    el(
      'ol',
      { class: 'hops' },
      answer.steps.map((step, n) => [
        hop(step, answer.steps[n - 1], lines[n], index),
        el(
          'li',
          { class: 'card' },
          el('div', { class: 'row' }, kindTag(step.kind), symbolLink(step, index), locationLink(step, index)),
          step.signature ? el('pre', {}, shorten(step.signature, 300)) : null,
        ),
      ]),
    ),
    legend(),
  );
  return { ...screen, message: `A path of ${plural(answer.steps.length - 1, 'call')}` };
}

/** The edge between two symbols, with the lines that are it. */
function hop(step, before, calls, index) {
  if (step.edge === null || step.edge === undefined) return null;
  return el(
    'li',
    { class: `hop ${level(step.confidence)}` },
    edgeLabel(step),
    calls.map((call) =>
      el(
        'a',
        { class: 'call', 'data-item': true, href: fileHref(before, index, call.line) },
        el('span', { class: 'number' }, String(call.line)),
        el('code', {}, shorten(call.text.trim(), 200)),
      ),
    ),
  );
}

/** The lines of the call that leads to each step, with their text. `path` does not tell them, `callees` does. */
async function callingLines(steps, index, signal) {
  const found = await Promise.all(
    steps.map(async (step, n) => {
      if (n === 0) return [];
      const before = steps[n - 1];
      const answers = await ask('callees', { names: [before.key], min_confidence: 0, limit: LIMIT }, signal);
      const callees = pick(answers, index, (one) => one.results?.length > 0).answer.results ?? [];
      const callee = callees.find((one) => one.key === step.key);
      return (callee?.edge_lines ?? [])
        .slice(0, 3)
        .map((line) => ({ line, name: `${before.repo}/${before.path}:${line}`, text: '' }));
    }),
  );
  const calls = found.flat();
  if (calls.length === 0) return found;
  const shown =
    pick(
      await ask('show', { names: [...new Set(calls.map((call) => call.name))], max_tokens: 20_000 }, signal),
      index,
      (one) => one.results?.length > 0,
    ).answer.results ?? [];
  const texts = new Map(shown.map((one) => [`${one.repo}/${one.path}:${one.start_line}`, one.text]));
  for (const call of calls) call.text = texts.get(call.name) ?? '';
  return found;
}

function form(from, to, guesses) {
  const submit = (event) => {
    event.preventDefault();
    const values = new FormData(event.target);
    go(href('path', { from: values.get('from').trim(), to: values.get('to').trim(), guesses: guesses ? 1 : null }));
  };
  return el(
    'form',
    { class: 'inline', on: { submit } },
    field('From', 'from', from, { required: true, placeholder: 'Manager.Run' }),
    field('To', 'to', to, { required: true, placeholder: 'Pool.sync' }),
    el('button', { type: 'submit' }, 'Find'),
    el('a', { href: href('path', { from: to, to: from }) }, 'Swap'),
    from && to ? el('a', { href: href('drawing', { of: 'path', from, to, guesses: guesses ? 1 : null }) }, 'Drawing') : null,
  );
}

/** The name of `path:name`. */
const short = (name) => name.split(':').pop();
