// Turns lines of source into a pane that scrolls and is used by keyboard: j and k move over lines, Tab reaches the names
// of the current line. Of a long file only the lines in sight are in the page; others are fetched when they come near.

import { el } from './dom.js';
import { codeLine } from './code_line.js';
import { paint } from './sticky.js';

/** The height of a line in pixels, as in code.css. */
const LINE_HEIGHT = 20;
/** Lines that are drawn above and below what is in sight. */
const MARGIN = 30;

/** Returns a pane with all lines of a text: for symbols and snippets. `options` are as in `codeLine`, by line. */
export function staticPane({ first, text, label, lineOptions, spans = [], focusable = true }) {
  const byLine = groupByLine(spans);
  const lines = text.split('\n');
  const rows = lines.map((line, n) =>
    codeLine({ line: first + n, text: line, spans: byLine.get(first + n), ...lineOptions(first + n) }),
  );
  const pane = el(
    'div',
    {
      class: 'code',
      role: 'region',
      'aria-label': label,
      tabindex: focusable ? 0 : null,
      data: { digits: String(first + lines.length).length },
    },
    rows,
  );
  const redraw = (line) =>
    codeLine({ line, text: lines[line - first], spans: byLine.get(line), ...lineOptions(line), whole: true });
  pane.addEventListener('click', (event) => expand(event, redraw));
  if (focusable)
    moveByKeys(pane, {
      first,
      last: first + lines.length - 1,
      row: (line) => rows[line - first] && pane.querySelector(`[data-line="${line}"]`),
    });
  return pane;
}

/**
 * Returns a pane over `total` lines, and a function that shows a line. `load(first, last)` resolves to
 * `{lines, spans}`; it is called for blocks of `block` lines.
 */
export function virtualPane({ total, label, lineOptions, load, block, selected }) {
  const rows = el('div', { class: 'rows' });
  const space = el('div', { class: 'space' }, rows);
  const pane = el(
    'div',
    { class: 'code virtual', role: 'region', 'aria-label': label, tabindex: 0, data: { digits: String(total).length } },
    space,
  );
  const blocks = new Map();
  let drawn = null;
  let queued = false;
  space.style.height = `${total * LINE_HEIGHT}px`;

  const blockOf = (line) => Math.floor((line - 1) / block);
  function draw() {
    queued = false;
    const first = Math.max(1, Math.floor(pane.scrollTop / LINE_HEIGHT) + 1 - MARGIN);
    const last = Math.min(total, Math.ceil((pane.scrollTop + pane.clientHeight) / LINE_HEIGHT) + MARGIN);
    const key = `${first} ${last} ${[...blocks.values()].filter((one) => one.lines).length}`;
    if (key === drawn) return;
    drawn = key;
    for (let n = blockOf(first); n <= blockOf(last); n += 1) fetchBlock(n);
    const focused = rows.contains(document.activeElement)
      ? document.activeElement.closest('.line')?.dataset.line
      : null;
    rows.style.transform = `translateY(${(first - 1) * LINE_HEIGHT}px)`;
    rows.replaceChildren(...Array.from({ length: last - first + 1 }, (_, n) => row(first + n)));
    if (focused) pane.focus({ preventScroll: true });
    mover?.restore();
    paint();
  }
  function row(line, whole = false) {
    const found = blocks.get(blockOf(line));
    const at = line - 1 - blockOf(line) * block;
    return codeLine({
      line,
      text: found?.lines?.[at] ?? '',
      spans: found?.spans?.get(line),
      ...lineOptions(line),
      whole,
    });
  }
  async function fetchBlock(n) {
    if (blocks.has(n)) return;
    blocks.set(n, {});
    try {
      const { lines, spans } = await load(n * block + 1, Math.min(total, (n + 1) * block));
      blocks.set(n, { lines, spans: groupByLine(spans ?? []) });
      redraw();
    } catch {
      // The next scroll tries again.
      blocks.delete(n);
    }
  }
  function redraw() {
    drawn = null;
    if (!queued) requestAnimationFrame(draw);
    queued = true;
  }
  const show = (line) => {
    pane.scrollTop = Math.max(0, (line - 1) * LINE_HEIGHT - pane.clientHeight / 3);
    draw();
  };
  const mover = moveByKeys(pane, {
    first: 1,
    last: total,
    start: selected?.first,
    row: (line) => {
      const top = (line - 1) * LINE_HEIGHT;
      if (top < pane.scrollTop || top + LINE_HEIGHT * 2 > pane.scrollTop + pane.clientHeight) show(line);
      return rows.querySelector(`[data-line="${line}"]`);
    },
  });
  pane.addEventListener(
    'scroll',
    () => {
      if (!queued) requestAnimationFrame(draw);
      queued = true;
    },
    { passive: true },
  );
  pane.addEventListener('click', (event) => expand(event, (line) => row(line, true)));
  new ResizeObserver(redraw).observe(pane);
  return { pane, show, redraw };
}

function groupByLine(spans) {
  const grouped = new Map();
  for (const span of spans) {
    if (grouped.has(span[0])) grouped.get(span[0]).push(span);
    else grouped.set(span[0], [span]);
  }
  return grouped;
}

/** Shows the whole of a line that was cut. */
function expand(event, redraw) {
  const button = event.target.closest('[data-whole]');
  if (button) button.closest('.line').replaceWith(redraw(Number(button.dataset.whole)));
}

/** Lets j, k and the arrow keys move a current line, whose names Tab reaches. */
function moveByKeys(pane, { first, last, start, row }) {
  let current = start ?? null;
  const mark = () => {
    for (const old of pane.querySelectorAll('.line.current')) {
      old.classList.remove('current');
      for (const name of old.querySelectorAll('.name')) name.tabIndex = -1;
    }
    const found = current === null ? null : row(current);
    if (!found) return null;
    found.classList.add('current');
    for (const link of found.querySelectorAll('.name')) link.tabIndex = 0;
    return found;
  };
  pane.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1, PageDown: 25, PageUp: -25, Home: -Infinity, End: Infinity }[
      event.key
    ];
    if (step === undefined || event.target.closest('button, input')) {
      if (event.key === 'Enter' && event.target === pane) pane.querySelector('.line.current .name')?.click();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    current = Math.min(last, Math.max(first, current === null ? (start ?? first) : current + step));
    if (pane.contains(document.activeElement)) pane.focus({ preventScroll: true });
    mark()?.scrollIntoView({ block: 'nearest' });
  });
  return {
    restore: () => {
      const found = current === null ? null : pane.querySelector(`[data-line="${current}"]`);
      if (!found) return;
      found.classList.add('current');
      for (const link of found.querySelectorAll('.name')) link.tabIndex = 0;
    },
  };
}
