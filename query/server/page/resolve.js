// Turns what an address names, a key or a name, into one symbol and the others that have the name.

import { ask, pick } from './api.js';

/**
 * Returns `{index, symbol, others, matchKind, suggestions}`. The symbol is null if nothing has the name; `others` are
 * further definitions of it, the most likely first. `from` is a file: what is near it comes first.
 */
export async function resolve({ name, from, index }, signal) {
  const answers = await ask('definition', { name, from, limit: 50 }, signal).catch((error) => {
    // An index without the file rejects it: then nothing is near.
    if (error.status === 400 && from) return ask('definition', { name, limit: 50 }, signal);
    throw error;
  });
  const { index: picked, answer } = pick(answers, index, (one) => one.results?.length > 0);
  const [symbol = null, ...others] = answer.results ?? [];
  return {
    index: picked,
    symbol,
    others,
    matchKind: answer.match_kind ?? 'none',
    suggestions: answer.suggestions ?? [],
  };
}

/** Returns the key of the symbol whose chunk this is: further chunks of a symbol have their number behind it. */
export const symbolKey = (chunk) => chunk.key.replace(/@\d+$/, '');
