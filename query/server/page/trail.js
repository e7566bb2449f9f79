// Turns the screens that were visited in this tab into breadcrumbs. The newest is last.

import { el, fill } from './dom.js';
import { shorten } from './text.js';

const KEY = 'trail';
const MAX_STEPS = 12;
const MAX_TITLE = 36;

const read = () => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
};

/** Adds a screen, or moves it to the end if it was visited before. */
export function visit(title, hash) {
  const steps = read().filter((step) => step.hash !== hash && step.title !== title);
  steps.push({ title, hash });
  sessionStorage.setItem(KEY, JSON.stringify(steps.slice(-MAX_STEPS)));
  draw();
}

/** Shows the trail. */
export function draw() {
  const nav = document.getElementById('trail');
  const steps = read();
  nav.hidden = steps.length < 2;
  const clear = () => {
    sessionStorage.setItem(KEY, JSON.stringify(read().slice(-1)));
    draw();
  };
  const list = el(
    'ol',
    {},
    steps.map((step, n) =>
      el(
        'li',
        {},
        el(
          'a',
          { href: step.hash, title: step.title, 'aria-current': n === steps.length - 1 ? 'page' : null },
          shorten(step.title, MAX_TITLE),
        ),
      ),
    ),
  );
  fill(
    nav,
    list,
    el(
      'button',
      { type: 'button', class: 'plain', on: { click: clear } },
      'Clear',
      el('span', { class: 'hidden' }, ' the trail'),
    ),
  );
  list.scrollLeft = list.scrollWidth;
}
