// Turns a chosen name into a highlight of all its occurrences in the source on the page. It stays while one moves on,
// until Esc or another name.

const NAME = 'same';
let word = null;

/** The highlighted name, or null. */
export const stickyName = () => word;

/** Highlights a name, or nothing. */
export function stick(name) {
  word = name;
  paint();
}

/** Highlights the occurrences in lines that were drawn since. */
export function paint() {
  // Ranges leave the DOM alone: lines need not be drawn again. Old browsers show no highlight.
  if (!globalThis.CSS?.highlights) return;
  CSS.highlights.delete(NAME);
  if (!word) return;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_$])${RegExp.escape?.(word) ?? word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`,
    'gu',
  );
  const ranges = [];
  for (const text of document.querySelectorAll('.code .text')) {
    const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      for (const match of node.data.matchAll(pattern)) {
        const range = new Range();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}
