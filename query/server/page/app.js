// Turns the address into a screen. Each screen is a function from parameters to `{title, content}`; this module opens
// it, cancels what the last one still wanted, and keeps scroll positions, the trail and the theme.

import { announce, el, fill } from './dom.js';
import { changed, go, href, parse } from './route.js';
import { token } from './api.js';
import { failure, heading } from './parts.js';
import { visible } from './text.js';
import * as trail from './trail.js';
import { start } from './screens/start.js';

/** The screens by name. The first one comes with the page; the others are loaded when they are opened first. */
const SCREENS = {
  search: async (params) => (params.get('q')?.trim() ? (await import('./screens/search.js')).search : start),
  symbol: async () => (await import('./screens/symbol.js')).symbol,
  references: async () => (await import('./screens/references.js')).references,
  file: async () => (await import('./screens/file.js')).file,
  path: async () => (await import('./screens/path.js')).path,
  map: async () => (await import('./screens/map.js')).map,
  drawing: async () => (await import('./screens/drawing.js')).drawing,
  compare: async () => (await import('./screens/compare.js')).compare,
  health: async () => (await import('./screens/health.js')).health,
};
const main = document.getElementById('main');
const positions = new Map();

let running = new AbortController();
let shown = null;
/** The module of menus, cards and keys, once it is there. */
let reading = null;

/** Opens the screen of the address. */
async function open() {
  reading?.closeMenu(false);
  reading?.hideCard();
  running.abort();
  running = new AbortController();
  const { signal } = running;
  if (shown) positions.set(shown, scrollY);
  if (!history.state?.key) history.replaceState({ key: `${Date.now()} ${Math.random()}` }, '');
  shown = history.state.key;
  const { hash } = location;
  const { screen, params } = parse(hash);
  markScreen(screen);
  document.getElementById('query').value = screen === 'search' ? (params.get('q') ?? '') : '';
  main.setAttribute('aria-busy', 'true');
  try {
    if (!Object.hasOwn(SCREENS, screen)) throw new Error(`there is no screen ${screen}`);
    const show = await SCREENS[screen](params);
    const { title, content, message, ready, anchor } = await show({ params, signal });
    if (signal.aborted) return;
    fill(main, content);
    document.title = title ? `${visible(title)} · Sextant` : 'Sextant';
    announce(message ?? title ?? 'Sextant');
    if (title) trail.visit(title, hash);
    ready?.();
    const known = positions.get(shown);
    restoreScroll(known ?? 0, signal);
    // What the address names is in sight, even if it stands below.
    if (anchor && known === undefined) document.getElementById(anchor)?.scrollIntoView({ block: 'nearest' });
    reading?.paint();
    if (document.activeElement === document.body || document.activeElement === main)
      main.querySelector('h1')?.focus({ preventScroll: true });
  } catch (error) {
    if (error.name === 'AbortError' || signal.aborted) return;
    fill(main, error.status === 401 ? tokenForm() : el('div', { class: 'page' }, heading('Sextant'), failure(error), again()));
    announce(error.message);
    main.querySelector('input')?.focus();
  } finally {
    if (!signal.aborted) main.removeAttribute('aria-busy');
  }
}

/** Opens the screen again. */
const again = () => el('button', { type: 'button', on: { click: () => open() } }, 'Try again');

/** Scrolls to where the screen was. Parts that load later make it as long as it was; who scrolls meanwhile is left alone. */
function restoreScroll(wanted, signal) {
  scrollTo(0, wanted);
  if (wanted === 0) return;
  const touched = new AbortController();
  for (const event of ['wheel', 'keydown', 'pointerdown'])
    addEventListener(event, () => touched.abort(), { signal, once: true });
  const again = () => requestAnimationFrame(() => scrollTo(0, wanted));
  main.addEventListener('filled', again, { signal: AbortSignal.any([signal, touched.signal]) });
}

function markScreen(screen) {
  for (const link of document.querySelectorAll('#screens a')) {
    if (parse(new URL(link.href).hash).screen === screen) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** Asks for the token of the server. It stays in this tab. */
function tokenForm() {
  const input = el('input', { id: 'token', type: 'password', autocomplete: 'off', required: true });
  const submit = (event) => {
    event.preventDefault();
    token.set(input.value.trim());
    open();
  };
  return el(
    'form',
    { class: 'page token', on: { submit } },
    heading('This server wants a token'),
    el(
      'p',
      {},
      token.get() ? 'The token was wrong. ' : '',
      'Ask whoever runs the server, or look in the file that it was started with (',
      el('code', {}, '--token-file'),
      '). It is kept in this tab only.',
    ),
    el('label', { for: 'token' }, 'Token'),
    input,
    el('button', { type: 'submit' }, 'Continue'),
  );
}

/** Takes the token out of a link such as `#/search?token=...`, so that it is neither shown nor kept in the history. */
function takeToken() {
  const { params } = parse(location.hash);
  if (!params.has('token')) return;
  token.set(params.get('token'));
  history.replaceState(history.state, '', changed({ token: null }));
}

function listenForSearch() {
  document.getElementById('search').addEventListener('submit', (event) => {
    event.preventDefault();
    const { screen, params } = parse(location.hash);
    const filters =
      screen === 'search'
        ? Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]))
        : {};
    const q = document.getElementById('query').value.trim();
    const hash = placeOf(q, screen) ?? href('search', { ...filters, n: null, q });
    document.getElementById('query').blur();
    if (hash === location.hash) open();
    else go(hash);
  });
}

/**
 * The address of a place: of `path:12`, `path:12-40`, `path:12:5` as compilers write it, `path#L12`, or on the screen of
 * a file of `:12`. Null for any other text.
 */
function placeOf(text, screen) {
  const [, path, line] =
    /^([^\s:#]*):(\d+(?:-\d+)?)(?::\d+)?:?$/.exec(text) ?? /^([^\s#]+)#L(\d+)(?:-L\d+)?$/.exec(text) ?? [];
  if (!line) return null;
  if (path === '') return screen === 'file' ? changed({ line }) : null;
  return href('file', { file: path, line });
}

function listenForTheme() {
  const button = document.getElementById('theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const draw = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', isDark() ? 'Light theme' : 'Dark theme');
  };
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    localStorage.setItem('theme', theme);
    draw();
  });
  dark.addEventListener('change', draw);
  draw();
}

history.scrollRestoration = 'manual';
addEventListener('hashchange', open);
document.addEventListener('unauthorized', () => {
  running.abort();
  fill(main, tokenForm());
  main.querySelector('input').focus();
});
document.getElementById('keys').addEventListener('click', async () => (await import('./reading.js')).showKeys());
document.querySelector('.skip').addEventListener('click', (event) => {
  // The address is the screen's: it must not become #main.
  event.preventDefault();
  main.focus();
});
listenForSearch();
listenForTheme();
trail.draw();
takeToken();
open().finally(async () => {
  reading = await import('./reading.js');
  reading.paint();
  // From here on, keys and names answer.
  document.documentElement.dataset.reading = 'ready';
});
