// Turns an index into what the tests look at: a function with callers and callees, a path of two calls, a file. The same
// index always gives the same subjects.

import assert from 'node:assert/strict';
import { ask } from './browser.js';

const CALLABLE = new Set(['function', 'method', 'constructor', 'macro']);
const MAX_LINES = 400;

let found = null;

/** Returns the subjects: `symbol`, `path` (keys of its ends), `file`, `repo`. */
export async function subjects() {
  // A failure is not kept: the next test asks again.
  found ??= find().catch((error) => {
    found = null;
    throw error;
  });
  return found;
}

async function find() {
  const map = await ask('map', { max_tokens: 20_000 });
  // The module is one of those that the map screen shows without being asked for more.
  const { modules } = await ask('map', { max_tokens: 2000, draw: 'svg' });
  const candidates = [...map.important, ...map.modules.flatMap((module) => module.exports)].filter(
    (one) => CALLABLE.has(one.kind) && !one.is_test && one.end_line - one.start_line < MAX_LINES,
  );
  for (const symbol of candidates) {
    const [callers, callees] = await Promise.all(
      ['callers', 'callees'].map((command) => ask(command, { names: [symbol.key], limit: 20 })),
    );
    const caller = callers.results.find((one) => one.edge === 'call' && one.edge_lines?.length && !one.is_test);
    const callee = callees.results.find((one) => one.edge === 'call' && one.edge_lines?.length && !one.is_test);
    if (!caller || !callee || caller.key === callee.key) continue;
    return {
      symbol,
      caller,
      callee,
      path: { from: caller.key, to: callee.key },
      file: `${symbol.repo}/${symbol.path}`,
      module: modules.find((one) => one.exports.length > 0 && one.path !== '.'),
    };
  }
  return assert.fail('the index has no exported function with callers and callees');
}

/** Returns the hash of each screen. */
export async function screens() {
  const { symbol, path, file } = await subjects();
  const hash = (screen, parameters) => `#/${screen}?${new URLSearchParams(parameters)}`;
  return {
    start: '#/search',
    search: hash('search', { q: symbol.name }),
    symbol: hash('symbol', { name: symbol.key }),
    references: hash('references', { name: symbol.key }),
    file: hash('file', { file, line: `${symbol.start_line}-${symbol.start_line + 2}` }),
    path: hash('path', path),
    drawing: hash('drawing', { of: 'callers', name: symbol.key }),
    drawnPath: hash('drawing', { of: 'path', ...path }),
    map: '#/map',
    compare: hash('compare', { a: path.from, b: path.to }),
    health: '#/health',
    unknown: hash('symbol', { name: 'zzqx_no_such_name' }),
  };
}
