// Turns the cards left and right of a source into lines to it, drawn as SVG: from each caller to the definition, from
// each calling line to its callee. Cards of callees stand as near to their line as those above allow.

import { svg } from '../dom.js';
import { dashes, level } from '../confidence.js';

const GAP = 8;

/** Draws the lines, and again when anything changes its size. */
export function wire(root, definitionLine, signal) {
  const picture = svg('svg', { class: 'wires', 'aria-hidden': 'true' });
  root.append(picture);
  const observer = new ResizeObserver(() => draw(root, picture, definitionLine));
  observer.observe(root);
  for (const part of root.querySelectorAll('.side, .middle')) observer.observe(part);
  root.addEventListener('toggle', () => draw(root, picture, definitionLine), { capture: true, signal });
  signal.addEventListener('abort', () => observer.disconnect());
}

function draw(root, picture, definitionLine) {
  const origin = root.getBoundingClientRect();
  const pane = root.querySelector('.code');
  const columns = getComputedStyle(root).gridTemplateColumns.split(' ').length;
  const right = [...root.querySelectorAll('.side.right > .cards > .neighbour')];
  if (!pane || columns < 3) {
    for (const card of right) card.style.marginTop = '';
    picture.replaceChildren();
    return;
  }
  const middleOf = (node) => {
    const box = node.getBoundingClientRect();
    return box.top - origin.top + Math.min(box.height / 2, 14);
  };
  const lineAt = (line) => {
    const row = pane.querySelector(`[data-line="${line}"]`);
    return row && middleOf(row);
  };
  // Margins grow from the first card to the last, so one pass places all.
  let bottom = right.length ? right[0].parentNode.getBoundingClientRect().top - origin.top : 0;
  for (const card of right) {
    const wanted = card.dataset.line ? lineAt(card.dataset.line) : null;
    const margin = wanted === null ? GAP : Math.max(GAP, wanted - 14 - bottom);
    card.style.marginTop = `${Math.round(margin)}px`;
    bottom += Math.round(margin) + card.offsetHeight;
  }
  const box = pane.getBoundingClientRect();
  const edges = { left: box.left - origin.left, right: box.right - origin.left };
  const lines = [];
  for (const card of root.querySelectorAll('.side.left .neighbour')) {
    if (!card.checkVisibility()) continue;
    lines.push(
      curve(
        card.getBoundingClientRect().right - origin.left,
        middleOf(card),
        edges.left,
        lineAt(definitionLine) ?? 20,
        card.dataset.confidence,
      ),
    );
  }
  for (const card of root.querySelectorAll('.side.right .neighbour')) {
    const from = card.dataset.line ? lineAt(card.dataset.line) : null;
    if (from === null || !card.checkVisibility()) continue;
    lines.push(
      curve(
        edges.right,
        from,
        card.getBoundingClientRect().left - origin.left,
        middleOf(card),
        card.dataset.confidence,
      ),
    );
  }
  picture.setAttribute('viewBox', `0 0 ${Math.round(origin.width)} ${Math.round(origin.height)}`);
  picture.replaceChildren(...lines);
}

function curve(x1, y1, x2, y2, confidence) {
  const bend = (x2 - x1) / 2;
  const [a, b, c, d, e] = [x1, y1, x2, y2, bend].map((value) => value.toFixed(1));
  return svg('path', {
    class: level(Number(confidence)),
    d: `M${a} ${b}C${(x1 + Number(e)).toFixed(1)} ${b} ${(x2 - Number(e)).toFixed(1)} ${d} ${c} ${d}`,
    'stroke-dasharray': dashes(Number(confidence)),
  });
}
