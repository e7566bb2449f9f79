// Turns the signals of a search result into bars: what each added to its score, in words and numbers.

import { el } from '../dom.js';
import { bar } from '../parts.js';

const SHARES = [
  ['text', 'Full text'],
  ['vector', 'Vectors'],
  ['symbol', 'Names'],
];
const FACTORS = [
  ['path', 'Path matches'],
  ['name', 'Name matches'],
  ['demotion', 'Demotion of blocks, tests and prose'],
];
const ADDED = [
  ['exact', 'Qualified name in the query'],
  ['file', 'Further hits in the file'],
  ['graph', 'Graph: PageRank from the best hits'],
  ['rerank', 'Reranker, log-odds'],
];

/** Returns the reasons of a result as tables. */
export function reasons(hit) {
  const { signals } = hit;
  const shares = SHARES.reduce((sum, [name]) => sum + signals[name], 0);
  const added = ADDED.filter(([name]) => signals[name]);
  const features = signals.file_features ?? [];
  const ofChunk = signals.chunk_features ?? [];
  const details = [
    ['bm25', 'BM25'],
    ['cosine', 'cosine'],
    ['name_score', 'name score'],
  ].filter(([name]) => signals[name] !== null && signals[name] !== undefined);
  return el(
    'div',
    { class: 'bars' },
    table(
      'Found by',
      SHARES.filter(([name]) => signals[name] > 0).map(([name, label]) => [
        label,
        bar(signals[name], shares),
        share(signals[name], shares),
      ]),
    ),
    table(
      'Times',
      FACTORS.filter(([name]) => signals[name] !== 1).map(([name, label]) => [
        label,
        bar(Math.log2(Math.max(signals[name], 0.01)), 2, true),
        `× ${signals[name].toFixed(2)}`,
      ]),
    ),
    table(
      'Added',
      added.map(([name, label]) => [
        label,
        bar(signals[name], Math.max(...added.map(([one]) => Math.abs(signals[one]))), true),
        signed(signals[name]),
      ]),
    ),
    table('Features of the file', featureRows(features)),
    table('Features of the part, among the parts of its file', featureRows(ofChunk)),
    details.length
      ? el('p', { class: 'muted' }, details.map(([name, label]) => `${label} ${round(signals[name])}`).join(' · '))
      : null,
    signals.graph_path?.length
      ? el(
          'p',
          { class: 'muted' },
          'Path in the graph: ',
          signals.graph_path.map((step) => `${step.symbol} –${step.edge}→ `),
          hit.qualified_name ?? hit.path,
        )
      : null,
  );
}

function featureRows(features) {
  const largest = Math.max(0, ...features.map((one) => Math.abs(one.contribution)));
  return features
    .filter((one) => one.contribution !== 0)
    .map((one) => [
      one.feature.replaceAll('_', ' '),
      bar(one.contribution, largest, true),
      `${signed(one.contribution)} (value ${round(one.value)})`,
    ]);
}

function table(caption, rows) {
  return rows.length === 0
    ? null
    : el(
        'table',
        {},
        el('caption', {}, caption),
        el(
          'tbody',
          {},
          rows.map(([label, picture, value]) =>
            el(
              'tr',
              {},
              el('th', { scope: 'row' }, label),
              el('td', { class: 'picture' }, picture),
              el('td', { class: 'value' }, value),
            ),
          ),
        ),
      );
}

const share = (value, all) => `${Math.round((value / all) * 100)} %`;
const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
const round = (value) => String(Math.round(value * 100) / 100);
