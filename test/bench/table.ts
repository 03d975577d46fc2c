/** Figures of one measurement, side by side. */
export interface Table {
  readonly title: string;
  /** Sizes, versions, what is counted, and the budget. */
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table in Markdown. */
export function markdown({ title, note, columns, rows }: Table): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [`### ${title}`, '', note, '', row(columns), row(columns.map(() => '---')), ...rows.map(row), ''].join('\n');
}

/** The middle one of some figures; the upper of two. */
export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

/** The middle of the ratios of figures that were measured round by round: what else the machine does hits both. */
export const ratio = (figures: readonly number[], base: readonly number[]): string =>
  median(figures.map((figure, round) => figure / base[round]!)).toFixed(2);
