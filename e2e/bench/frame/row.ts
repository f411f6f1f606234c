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
  measure(conditions: Conditions): Promise<Row[]>;
}

/** One line of the table. Figures are those of the rounds, in their order: the nth of ours and of the baseline are a pair. */
export interface Row {
  measure: string;
  /** As it stands behind a figure: `ms`, `µs`, `MB`. Empty for a plain number. */
  unit: string;
  ours: readonly number[];
  /** `missing` says why there are no figures, such as a program that is not installed. */
  baseline?: { name: string; figures: readonly number[] } | { name: string; missing: string };
}

const heads = ['measure', 'ours', 'baseline', 'ratio'] as const;

/** The table as Markdown, its columns aligned so that it also reads well on a terminal. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [heads, ...rows.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lineOf(heads), rule, ...cells.slice(1).map(lineOf)].join('\n');
}

function cellsOf({ measure, unit, ours, baseline }: Row): string[] {
  if (baseline === undefined) return [measure, figureOf(ours, unit), '', ''];
  if ('missing' in baseline) return [measure, figureOf(ours, unit), `${baseline.name}: ${baseline.missing}`, ''];
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
