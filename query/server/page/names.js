// Turns what the names in a file lead to, as `outline` answers it, into links on its lines.

import { ask, pick } from './api.js';
import { CANDIDATE_BELOW } from './confidence.js';

/**
 * Returns the names of a file, or of lines such as `12-40`, by line: `{start, end, name, key, index}`, with columns in bytes. A name that may be one of
 * several things leads to none. The map is empty if the index does not know the file.
 */
export const namesOf = async (location, index, signal, lines = null) =>
  namesIn(await outlineWithNames(location, index, signal, lines), index);

/** Returns the outline of a file with the names in it; undefined if the index does not know the file. */
export async function outlineWithNames(location, index, signal, lines = null) {
  const file = `${location.repo}/${location.path}`;
  const answers = await ask('outline', { file, names: true, lines, limit: 65535 }, signal);
  const { answer } = pick(answers, index, (one) => one.results?.length > 0);
  return answer.results?.find((one) => one.repo === location.repo && one.path === location.path);
}

/** Returns the names in an outline, as `namesOf` does. */
export function namesIn(own, index) {
  const byLine = new Map();
  for (const place of own?.names ?? []) {
    const target = own.targets[place.target];
    if (!target || (place.confidence ?? 1) < CANDIDATE_BELOW) continue;
    const link = {
      start: place.column,
      end: place.column + place.length,
      name: target.qualified_name,
      key: target.key,
      index,
    };
    if (byLine.has(place.line)) byLine.get(place.line).push(link);
    else byLine.set(place.line, [link]);
  }
  return byLine;
}
