/** What a case is given by whoever runs it. */
export interface Conditions {
  /** How many pairs are measured. */
  rounds: number;
  /** A smoke test: as little as shows that the case still works; its figures mean nothing. */
  isSmall: boolean;
  /** A folder of its own, which is removed afterwards. */
  folder: string;
}

export interface BenchCase {
  /** By which `--only` chooses it. */
  name: string;
  /** Left out of `npm test`, where it would take seconds: it runs in `npm run test:full`. */
  isSlow?: true;
  /** Has ended everything that it started when it is done, also if it fails. */
  measure(conditions: Conditions): Promise<BenchRow[]>;
}

/** One line of the table. The nth figure of ours and the nth of the baseline are of one round. */
export interface BenchRow {
  measure: string;
  /** As it stands behind a figure: `ms`, `µs`, `MB`. Empty for a plain number. */
  unit: string;
  ours: readonly number[];
  baseline?: { name: string; figures: readonly number[] };
}

/**
 * Measures every way once a round, each round in another order, so that what changes on the machine meanwhile meets all of
 * them. Gives each way's figures in the order of the rounds.
 */
export async function alternate<Name extends string, T>(
  rounds: number,
  ways: Record<Name, () => Promise<T>>,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(ways) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) measured[name].push(await ways[name]());
  }
  return measured;
}

/** The figure below which this share of them lies. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The table as Markdown, its columns aligned so that it also reads well on a terminal. */
export function tableOf(rows: readonly BenchRow[]): string {
  const [head = [], ...cells] = [['measure', 'ours', 'baseline', 'ratio'], ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...cells.map(lineOf)].join('\n');
}

function cellsOf({ measure, unit, ours, baseline }: BenchRow): string[] {
  if (baseline === undefined) return [measure, figureOf(ours, unit), '', ''];
  const { name, figures } = baseline;
  // Round by round: what slows a round down slows both.
  const ratios = ours.map((figure, round) => figure / (figures[round] ?? Number.NaN));
  return [measure, figureOf(ours, unit), `${name} ${figureOf(figures, unit)}`, figureOf(ratios, '')];
}

/** The median, and in brackets the quartiles where they say anything else. */
function figureOf(figures: readonly number[], unit: string): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return shown(below + (above - below) * (place - Math.floor(place)));
  };
  const [from, to] = [at(0.25), at(0.75)];
  return `${at(0.5)}${unit && ` ${unit}`}${from === to ? '' : ` (${from}–${to})`}`;
}

/** Three digits that mean something, and whole numbers above. */
function shown(figure: number): string {
  return Math.abs(figure) >= 100 ? Math.round(figure).toLocaleString('en') : String(Number(figure.toPrecision(3)));
}
