// Turns the confidence and the resolution of an edge into a line style and words. Meaning is never in the style alone.

import { el, svg } from './dom.js';

const RESOLUTIONS = {
  scip: 'named by a compiler',
  scope: 'in scope',
  import: 'by an import',
  package: 'in the same package',
  receiver: 'by the type of the receiver',
  unique: 'the only definition of this name',
  ambiguous: 'one of several candidates',
  unresolved: 'not resolved',
  external: 'external',
  dependency: 'in a dependency',
  server: 'named by a language server',
};

/** Edges below this are guesses by a name alone: candidates. The API has the same limit as its default. */
export const CANDIDATE_BELOW = 0.5;
/** Resolutions by scope, import, package and receiver are at least this likely to be right. */
const SURE_FROM = 0.9;

/** Returns `sure`, `likely` or `candidate`. */
export function level(confidence) {
  if (confidence >= SURE_FROM) return 'sure';
  return confidence >= CANDIDATE_BELOW ? 'likely' : 'candidate';
}

/** Returns the dashes of a line in SVG. */
export const dashes = (confidence) => ({ sure: null, likely: '7 4', candidate: '1.5 4' })[level(confidence)];

/** Returns a confidence with two digits; 1.00 only if it is 1. */
export const number = (confidence) => (confidence < 1 ? Math.min(confidence, 0.99) : 1).toFixed(2);

/** Returns the words for how an edge was resolved. */
export const resolutionWords = (resolution) => RESOLUTIONS[resolution] ?? resolution;

/** Returns an edge as a line with words: `—— sure 0.98, in scope`. */
export function edgeLabel({ edge, kind, resolution, confidence }) {
  const what = edge ?? kind;
  const words = `${level(confidence)} ${number(confidence)}`;
  return el(
    'span',
    { class: `edge ${level(confidence)}`, title: `${what}, ${resolutionWords(resolution)} (${resolution})` },
    svg(
      'svg',
      { viewBox: '0 0 28 8', 'aria-hidden': 'true', class: 'stroke' },
      svg('line', { x1: 1, y1: 4, x2: 27, y2: 4, 'stroke-dasharray': dashes(confidence), 'stroke-linecap': 'round' }),
    ),
    what && what !== 'call' ? `${what}, ` : null,
    words,
    ', ',
    resolutionWords(resolution),
  );
}

/** Returns the explanation of the three line styles. */
export function legend() {
  const one = (confidence, words) =>
    el(
      'span',
      { class: `edge ${level(confidence)}` },
      svg(
        'svg',
        { viewBox: '0 0 28 8', 'aria-hidden': 'true', class: 'stroke' },
        svg('line', { x1: 1, y1: 4, x2: 27, y2: 4, 'stroke-dasharray': dashes(confidence), 'stroke-linecap': 'round' }),
      ),
      words,
    );
  return el(
    'p',
    { class: 'legend' },
    one(0.98, 'sure, 0.90 and more'),
    one(0.7, 'likely, 0.50 and more'),
    one(0.4, 'candidate, a guess by the name'),
  );
}
