// Turns a name under the pointer into a card: kind, signature, documentation, location and how often it is used.

import { el } from './dom.js';
import { ask, pick } from './api.js';
import { place } from './menu.js';
import { paragraphs, plural, shorten } from './text.js';

const DELAY_MS = 400;
/** How long the pointer may be between the name and the card. */
const GRACE_MS = 200;
const MAX_DOC = 500;

let card = null;
let anchor = null;
let timer = null;
let request = null;

/** Listens for names under the pointer. */
export function listenForHover() {
  document.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    const name = event.target.closest?.('a.name, [data-hover]');
    if (card?.contains(event.target) || (name && name === anchor)) {
      clearTimeout(timer);
      return;
    }
    clearTimeout(timer);
    if (name) timer = setTimeout(() => showCard(name, { ...name.dataset }), DELAY_MS);
    else if (card) timer = setTimeout(hideCard, GRACE_MS);
  });
  document.addEventListener('scroll', hideCard, { capture: true, passive: true });
}

/** Shows the card of a name below a node. */
export async function showCard(node, { name, key, from, index }, announced = false) {
  hideCard();
  request = new AbortController();
  try {
    const answers = await ask('hover', { names: [key ?? name], from: key ? null : from, limit: 8 }, request.signal);
    const { answer } = pick(answers, index, (one) => one.results?.length > 0);
    const found = answer.results?.[0];
    if (!found && !announced) return;
    anchor = node;
    card = el(
      'div',
      { class: 'card-hover', role: announced ? 'status' : 'tooltip', id: 'hover-card' },
      found ? content(found, answer.results.length) : 'The index has no definition of this name.',
    );
    document.body.append(card);
    place(card, node);
    if (!announced) node.setAttribute?.('aria-describedby', 'hover-card');
  } catch (error) {
    if (error.name !== 'AbortError' && announced) throw error;
  }
}

/** Hides the card. Returns whether one was shown. */
export function hideCard() {
  clearTimeout(timer);
  request?.abort();
  if (!card) return false;
  card.remove();
  anchor?.removeAttribute?.('aria-describedby');
  card = null;
  anchor = null;
  return true;
}

function content(found, definitions) {
  return [
    el(
      'p',
      { class: 'title' },
      el('span', { class: 'kind' }, found.kind.replace('_', ' ')),
      ' ',
      el('strong', {}, found.qualified_name),
    ),
    found.signature ? el('pre', {}, shorten(found.signature, 400)) : null,
    found.doc ? el('p', { class: 'doc' }, shorten(paragraphs(found.doc), MAX_DOC)) : null,
    found.summary ? el('p', { class: 'doc' }, found.summary.summary) : null,
    el('p', { class: 'muted' }, `${found.path}:${found.start_line}`),
    el(
      'p',
      { class: 'muted' },
      [
        plural(found.callers, 'caller'),
        plural(found.callees, 'callee'),
        plural(found.users, 'user'),
        found.is_test ? 'test code' : null,
        definitions > 1 ? `first of ${definitions} definitions` : null,
      ]
        .filter(Boolean)
        .join(' · '),
    ),
  ];
}
