// Turns one symbol into its neighbourhood: callers left, its source in the middle with marks at the lines that call,
// callees right; below, what a change reaches and what else is connected with it.

import { el } from '../dom.js';
import { ask, pick } from '../api.js';
import { fileHref, href, symbolHref } from '../route.js';
import { facts, fold, heading, kindTag, later, locationLink, note, symbolRow, unknownName } from '../parts.js';
import { resolve } from '../resolve.js';
import { staticPane } from '../code_pane.js';
import { namesOf } from '../names.js';
import { lastSegment, paragraphs, plural } from '../text.js';
import { wire } from '../draw/wires.js';
import { CANDIDATE_BELOW, legend } from '../confidence.js';
import { calleesSide, callersSide, callersOf, otherUses } from './neighbours.js';
import { blastRadius } from './blast_radius.js';
import { relations } from './relations.js';

/** Lines of source that the screen shows; the file has the rest. */
const MAX_LINES = 500;
const MAX_USES = 300;
/** Larger than what MAX_LINES can need. */
const MAX_TOKENS = 100_000;
const MAX_DOC_LINES = 6;

/** The symbol screen. */
export async function symbol({ params, signal }) {
  const name = params.get('name') ?? '';
  const wanted = { name, from: params.get('from'), index: params.get('index') };
  const { index, symbol: found, others, matchKind, suggestions } = await resolve(wanted, signal);
  if (!found)
    return {
      title: name,
      content: el('div', { class: 'page' }, heading('Unknown name'), unknownName(name, suggestions)),
      message: `Nothing has the name ${name}`,
    };
  const body = later(neighbourhood(found, index, signal), (parts) => parts, signal);
  const content = el(
    'div',
    { class: 'page symbol' },
    heading(kindTag(found.kind), ' ', found.qualified_name),
    el(
      'p',
      { class: 'row' },
      locationLink(found, index, found.start_line, found.end_line),
      found.is_test ? el('span', { class: 'tag' }, 'test') : null,
      index ? el('span', { class: 'muted' }, `index ${index}`) : null,
      el(
        'span',
        { class: 'actions' },
        el('a', { href: symbolHref(found, index, 'references') }, 'References'),
        el('a', { href: href('path', { from: found.key }) }, 'Path from here'),
        el('a', { href: href('path', { to: found.key }) }, 'Path to here'),
        el('a', { href: href('compare', { a: found.key }) }, 'Compare'),
        el('a', { href: href('drawing', { of: 'callers', name: found.key, index }) }, 'Drawing'),
      ),
    ),
    matchKind === 'exact'
      ? null
      : note(`Nothing is called exactly `, el('code', {}, name), '; this name is near to it.'),
    others.length
      ? fold(
          plural(others.length, 'further definition of this name', 'further definitions of this name'),
          el(
            'ul',
            { class: 'rows' },
            others.map((other) => symbolRow(other, index)),
          ),
        )
      : null,
    later(about(found, index, signal), (parts) => parts, signal, ''),
    body,
    later(blastRadius(found, index, signal), (part) => part, signal, 'Blast radius …'),
    later(relations(found, index, signal), (part) => part, signal, ''),
  );
  return { title: found.qualified_name, content, message: `${found.kind} ${found.qualified_name}` };
}

/** Documentation, members and types of the signature. */
async function about(found, index, signal) {
  const { answer } = pick(
    await ask('hover', { names: [found.key], limit: 1 }, signal),
    index,
    (one) => one.results?.length > 0,
  );
  const hover = answer.results?.[0];
  if (!hover) return null;
  const doc = paragraphs(hover.doc ?? '');
  const lines = doc ? doc.split('\n') : [];
  return [
    lines.length > MAX_DOC_LINES
      ? el(
          'details',
          { class: 'doc' },
          el('summary', {}, lines[0]),
          el('div', { class: 'text' }, lines.slice(1).join('\n').trim()),
        )
      : lines.length
        ? el('p', { class: 'doc text' }, doc)
        : null,
    hover.summary
      ? el('p', { class: 'doc' }, hover.summary.summary, el('span', { class: 'muted' }, ` (${hover.summary.model})`))
      : null,
    facts([
      ['Visible', hover.exported ? 'outside its file or package' : 'in its file or package'],
      [
        'In',
        hover.container && hover.container !== found.path
          ? el('a', { href: href('symbol', { name: hover.container, from: found.path, index }) }, hover.container)
          : null,
      ],
      [
        'Types',
        hover.types.length
          ? hover.types.map((type, n) => [
              n ? ', ' : '',
              el('a', { href: symbolHref(type, index) }, type.qualified_name),
            ])
          : null,
      ],
    ]),
    hover.members.length
      ? fold(
          plural(hover.members.length, 'member'),
          el(
            'ul',
            { class: 'rows' },
            hover.members.map((member) => symbolRow(member, index)),
          ),
          hover.members.length <= 8,
        )
      : null,
  ];
}

async function neighbourhood(found, index, signal) {
  const last = Math.min(found.end_line, found.start_line + MAX_LINES - 1);
  const range = `${found.repo}/${found.path}:${found.start_line}-${last}`;
  const [shown, used, called, names] = await Promise.all([
    ask('show', { names: [range], max_tokens: MAX_TOKENS, spans: true }, signal),
    ask('references', { names: [found.key], min_confidence: 0, limit: MAX_USES }, signal),
    ask('callees', { names: [found.key], min_confidence: 0, limit: MAX_USES }, signal),
    // Without them, words lead to the callees of that name.
    namesOf(found, index, signal, `${found.start_line}-${last}`).catch(() => new Map()),
  ]);
  const same = (answers) => pick(answers, index, (one) => one.results?.length > 0).answer;
  const excerpt = same(shown).results?.[0];
  const uses = same(used).results?.[0] ?? { uses: [], total: 0 };
  const callees = same(called).results ?? [];
  const callers = callersOf(found, uses.uses);
  const root = el(
    'div',
    { class: 'neighbours' },
    callersSide(callers, uses, found, index, same(used).mentions),
    el(
      'section',
      { class: 'middle', 'aria-label': 'Source', data: { from: found.path } },
      excerpt ? source(excerpt, found, callees, names, index) : note('The source is not in the index.'),
      found.end_line > last
        ? el(
            'p',
            {},
            el(
              'a',
              { href: fileHref(found, index, last + 1, found.end_line) },
              plural(found.end_line - last, 'more line'),
            ),
            ' in the file',
          )
        : null,
      callees.length || callers.length ? legend() : null,
    ),
    calleesSide(callees, found, index),
  );
  wire(root, found.start_line, signal);
  return [root, otherUses(found, uses.uses, index)];
}

/** The source with marks at the lines that call, whose names lead to what they call. */
function source(excerpt, found, callees, names, index) {
  const byLine = new Map();
  for (const callee of callees) {
    for (const line of callee.edge_lines ?? []) byLine.set(line, [...(byLine.get(line) ?? []), callee]);
  }
  const anywhere = new Map(callees.map((callee) => [lastSegment(callee.qualified_name), callee]).reverse());
  const target = (symbol) => ({ name: symbol.qualified_name, key: symbol.key, index });
  const lookup = (line, word) => {
    const callee = byLine.get(line)?.find((one) => lastSegment(one.qualified_name) === word) ?? anywhere.get(word);
    if (callee) return target(callee);
    return word === lastSegment(found.qualified_name) ? target(found) : null;
  };
  const mark = (line) => {
    const calls = byLine.get(line)?.filter((one) => one.confidence >= CANDIDATE_BELOW) ?? [];
    return calls.length ? `calls ${calls.map((one) => one.qualified_name).join(', ')}` : null;
  };
  return staticPane({
    first: excerpt.start_line,
    text: excerpt.text,
    spans: excerpt.spans,
    label: `Source of ${found.qualified_name}`,
    lineOptions: (line) => ({ places: names.size ? (names.get(line) ?? []) : null, lookup, mark: mark(line), link: fileHref(found, index, line) }),
  });
}
