// Turns a click on a name into a small menu: definition, references, hover, search and more.

import { el } from './dom.js';
import { href, go } from './route.js';
import { stick } from './sticky.js';
import { showCard } from './hover.js';
import { lastSegment } from './text.js';

let open = null;

/** Returns what a menu offers for a name: pairs of a label and an address or an action. */
function entries({ name, key, from, index }, anchor) {
  const whom = { name: key ?? name, from: key ? null : from, index };
  return [
    ['Definition', href('symbol', whom), 'g d'],
    ['References', href('references', whom), 'g r'],
    ['Hover', () => showCard(anchor, { name, key, from, index }, true)],
    ['Search', href('search', { q: name }), 'g s'],
    ['Path from here', href('path', { from: whom.name })],
    ['Path to here', href('path', { to: whom.name })],
    ['Compare', href('compare', { a: whom.name })],
  ];
}

/** Opens the menu of a name below `anchor`, a node or a rectangle. */
function openMenu(anchor, target) {
  closeMenu();
  stick(lastSegment(target.name));
  const back = document.activeElement;
  const items = entries(target, anchor).map(([label, action, keys]) =>
    typeof action === 'string'
      ? el(
          'a',
          { role: 'menuitem', tabindex: -1, href: action, on: { click: () => closeMenu(false) } },
          label,
          keys ? el('kbd', { 'aria-hidden': 'true' }, keys) : null,
        )
      : el(
          'button',
          {
            role: 'menuitem',
            tabindex: -1,
            type: 'button',
            on: {
              click: () => {
                closeMenu();
                action();
              },
            },
          },
          label,
        ),
  );
  const menu = el(
    'div',
    { class: 'menu', role: 'menu', 'aria-label': `Name ${target.name}` },
    el('p', { class: 'title', role: 'presentation' }, target.name),
    items,
  );
  menu.addEventListener('keydown', (event) => {
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') closeMenu();
    else if (event.key === ' ') document.activeElement.click();
    else if (to !== undefined) items.at(to % items.length).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.body.append(menu);
  place(menu, anchor);
  open = { menu, back };
  items[0].focus({ preventScroll: true });
}

/** Closes the menu; `restore` gives the focus back. Returns whether one was open. */
export function closeMenu(restore = true) {
  if (!open) return false;
  const { menu, back } = open;
  open = null;
  menu.remove();
  if (restore) back?.focus?.({ preventScroll: true });
  return true;
}

/** Places a box below a node or rectangle, inside the window. */
export function place(box, anchor) {
  const at = anchor.getBoundingClientRect ? anchor.getBoundingClientRect() : anchor;
  const { offsetWidth: width, offsetHeight: height } = box;
  const below = at.bottom + 4 + height <= innerHeight || at.top < height;
  box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8)) + scrollX}px`;
  box.style.top = `${(below ? at.bottom + 4 : at.top - height - 4) + scrollY}px`;
}

/** Listens for clicks on names anywhere on the page. */
export function listenForNames() {
  document.addEventListener('click', (event) => {
    if (open && !open.menu.contains(event.target)) closeMenu(false);
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const name = event.target.closest?.('.code a.name');
    if (name) {
      event.preventDefault();
      openMenu(name, { ...name.dataset });
      return;
    }
    const word = event.target.closest?.('.code .text') && getSelection().isCollapsed ? wordAt(event) : null;
    if (word) openMenu(word.box, { name: word.text, from: event.target.closest('[data-from]')?.dataset.from });
  });
}

/** Returns the word under the pointer, which the index may know although the page does not. */
function wordAt(event) {
  const point = document.caretPositionFromPoint?.(event.clientX, event.clientY);
  const range = point ? null : document.caretRangeFromPoint?.(event.clientX, event.clientY);
  const [node, offset] = point ? [point.offsetNode, point.offset] : [range?.startContainer, range?.startOffset];
  if (node?.nodeType !== Node.TEXT_NODE) return null;
  for (const match of node.data.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (match.index > offset || match.index + match[0].length < offset || match[0].length < 2) continue;
    const around = new Range();
    around.setStart(node, match.index);
    around.setEnd(node, match.index + match[0].length);
    return { text: match[0], box: around.getBoundingClientRect() };
  }
  return null;
}

/** Opens the definition, references or search of a name. */
export function openName(screen, { name, key, from, index }) {
  go(
    screen === 'search'
      ? href('search', { q: name })
      : href(screen, { name: key ?? name, from: key ? null : from, index }),
  );
}
