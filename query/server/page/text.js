// Turns texts and numbers of the index into what people read. Indexed text is hostile: characters that reorder or hide
// others are shown as their code points.

/**
 * Characters that are invisible or that change the order of others: controls other than tab and line break, soft
 * hyphens, zero-width characters, bidirectional controls, fillers, tags. Joiners count only after ASCII: elsewhere they
 * belong to scripts and emoji.
 */
const HIDDEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?<=[\0-\x7f])[\u200c\u200d]/gu;

const codePoint = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Returns a text with hidden characters as `⟨U+202E⟩`. */
export function visible(text) {
  return text.replace(HIDDEN, (character) => `⟨${codePoint(character)}⟩`);
}

/** Splits a text into parts: `{text}`, or `{hidden}` for the code point of a hidden character. */
export function parts(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) found.push({ text: text.slice(end, match.index) });
    found.push({ hidden: codePoint(match[0]) });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ text: text.slice(end) });
  return found;
}

/** Returns the index in UTF-16 of each byte column of a text, as a function. */
export function byteColumns(text) {
  if (/^[\0-\x7f]*$/.test(text)) return (column) => Math.min(column, text.length);
  const indexes = [];
  let index = 0;
  for (const character of text) {
    const code = character.codePointAt(0);
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let n = 0; n < bytes; n += 1) indexes.push(index);
    index += character.length;
  }
  return (column) => indexes[column] ?? text.length;
}

/** Returns a number with separators. */
export const count = (number) => number.toLocaleString('en');

/** Returns `1 file`, `2 files`. */
export const plural = (number, word, words = `${word}s`) => `${count(number)} ${number === 1 ? word : words}`;

/** Returns a share of 0 to 1 as a percentage. */
export const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** Returns a number of bytes with a unit. */
export function bytes(number) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(number, 1)) / 3));
  return unit === 0 ? `${number} bytes` : `${(number / 1000 ** unit).toFixed(1)} ${units[unit]}`;
}

/** Returns a text of at most `length` characters, cut in the middle. */
export function shorten(text, length) {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  return `${text.slice(0, length - 1 - half)}…${text.slice(text.length - half)}`;
}

/** Returns the last segment of a qualified name: `run` of `http::Server::run`. */
export const lastSegment = (name) =>
  name
    .split(/[.:#\\]|->/)
    .filter(Boolean)
    .pop() ?? name;

/** Joins the lines of each paragraph of a documentation comment. Headings, lists, tables and code keep their lines. */
export function paragraphs(doc) {
  const keeps = /^\s*(#|```|~~~|\||>)|^( {4}|\t)/;
  const begins = /^\s*([-*+]|\d+[.)]|@\w+|:\w+)\s?/;
  const lines = [];
  for (const line of doc.split('\n')) {
    const before = lines.at(-1);
    if (before?.trim() && line.trim() && !keeps.test(before) && !keeps.test(line) && !begins.test(line))
      lines[lines.length - 1] = `${before} ${line.trim()}`;
    else lines.push(line);
  }
  return lines.join('\n');
}
