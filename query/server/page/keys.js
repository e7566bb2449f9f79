// Turns keys into actions: `/` searches, `j` and `k` move, `g d` opens a definition. Fields, menus and panes of source
// come first; keys with Ctrl, Alt or Meta stay the browser's.

import { el } from './dom.js';
import { go, href } from './route.js';
import { closeMenu, openName } from './menu.js';
import { hideCard } from './hover.js';
import { stick, stickyName } from './sticky.js';

const KEYS = [
  ['/', 'Search'],
  ['j k', 'Next and previous item, or line of source'],
  ['Enter', 'Open it; on a line of source, the menu of its first name'],
  ['Tab', 'On a line of source, its names'],
  ['g d', 'Definition of the name'],
  ['g r', 'References of the name'],
  ['g s', 'Search for the name'],
  ['g m', 'Map'],
  ['g p', 'Path'],
  ['g c', 'Compare'],
  ['g h', 'Health'],
  ['w', 'Unfold or fold the reasons of search results'],
  ['Esc', 'Close the menu or the card; end the highlight'],
  ['?', 'This list'],
];
/** How long `g` waits for its second key. */
const CHORD_MS = 1500;
const SCREENS = { m: 'map', p: 'path', c: 'compare', h: 'health' };
const ON_NAMES = { d: 'symbol', r: 'references', s: 'search' };

let chord = 0;

/** Single keys can be turned off: speech input types them by accident. */
const enabled = () => localStorage.getItem('keys') !== 'off';

/** Listens for keys. */
export function listenForKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      if (!closeMenu() && !hideCard()) {
        stick(null);
        if (event.target.matches('input')) event.target.blur();
      }
      return;
    }
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target.matches('input, textarea, select') ||
      document.querySelector('dialog[open]')
    )
      return;
    if (enabled() && act(event)) event.preventDefault();
  });
}

function act(event) {
  const { key } = event;
  if (Date.now() - chord < CHORD_MS) {
    chord = 0;
    if (SCREENS[key]) go(href(SCREENS[key]));
    else if (ON_NAMES[key] && currentName()) {
      closeMenu(false);
      openName(ON_NAMES[key], currentName());
    } else return false;
    return true;
  }
  if (key === 'g') chord = Date.now();
  else if (key === '/') {
    const query = document.getElementById('query');
    query.focus();
    query.select();
  } else if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1);
  else if (key === 'w') document.dispatchEvent(new CustomEvent('reasons'));
  else if (key === '?') showKeys();
  else return false;
  return true;
}

/** Moves the focus to the next or previous item of the screen that is in sight. */
function move(step) {
  const items = [...document.querySelectorAll('main [data-item]')].filter(
    (item) => item.checkVisibility?.() ?? item.getClientRects().length > 0,
  );
  const focused = document.activeElement.closest?.('[data-item]') ?? null;
  const at = items.indexOf(focused);
  const next = items[at < 0 ? (step > 0 ? 0 : items.length - 1) : Math.min(items.length - 1, Math.max(0, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** The name that `g d` is about: the focused one, that of the open menu, or the highlighted one. */
function currentName() {
  const focused = document.activeElement.closest?.('[data-name]') ?? document.querySelector('.line.current .name');
  if (focused) return { ...focused.dataset };
  return stickyName() ? { name: stickyName() } : null;
}

/** Shows the list of keys. */
export function showKeys() {
  const toggle = el('input', {
    type: 'checkbox',
    id: 'single-keys',
    on: { change: () => localStorage.setItem('keys', toggle.checked ? 'on' : 'off') },
  });
  toggle.checked = enabled();
  const dialog = el(
    'dialog',
    { class: 'keys', 'aria-labelledby': 'keys-title' },
    el('h2', { id: 'keys-title' }, 'Keys'),
    el(
      'table',
      {},
      el(
        'tbody',
        {},
        KEYS.map(([keys, what]) =>
          el(
            'tr',
            {},
            el(
              'th',
              { scope: 'row' },
              keys.split(' ').map((one) => [el('kbd', {}, one), ' ']),
            ),
            el('td', {}, what),
          ),
        ),
      ),
    ),
    el('label', { for: 'single-keys' }, toggle, ' Keys without Ctrl are on'),
    el('button', { type: 'button', on: { click: () => dialog.close() } }, 'Close'),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
