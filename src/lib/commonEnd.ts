/** How many of the last parts of two lists are the same. */
export function commonEnd(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < Math.min(a.length, b.length) && a.at(-1 - common) === b.at(-1 - common)) common++;
  return common;
}
