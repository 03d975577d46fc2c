/** The candidate that was most likely meant: a few letters away, whatever their case. Undefined when none is near. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const most = Math.max(1, Math.floor(name.length / 3));
  const near = candidates
    .map(candidate => ({ candidate, distance: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ distance: letters }) => letters <= most);
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** Letters to insert, delete or replace (Levenshtein), row by row. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1]! + Number(a[row - 1] !== b[column - 1]);
      here.push(Math.min(replaced, above[column]! + 1, here[column - 1]! + 1));
    }
    above = here;
  }
  return above.at(-1)!;
}
