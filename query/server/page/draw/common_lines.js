// Turns two texts into the lines that both have in the same order: a longest common subsequence.

/** Returns the positions of the common lines in each, without blank lines and single brackets. */
export function commonLines(a, b) {
  const trim = (lines) => lines.map((line) => line.trim());
  const [left, right] = [trim(a), trim(b)];
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        left[i] === right[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const found = { a: new Set(), b: new Set() };
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      if (left[i].length > 2) {
        found.a.add(i);
        found.b.add(j);
      }
      i += 1;
      j += 1;
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return found;
}
