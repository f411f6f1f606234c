import { judge, type Row, ratiosOf, spreadOf } from './row.ts';

const heads = ['measure', 'ours', 'baseline', 'ratio', 'goal', 'met'] as const;

/** The table as Markdown, its columns aligned so that it also reads well on a terminal. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [heads, ...rows.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lineOf(heads), rule, ...cells.slice(1).map(lineOf)].join('\n');
}

function cellsOf(row: Row): string[] {
  const { measure, unit, ours, baseline, goal } = row;
  const ratios = ratiosOf(row);
  const held =
    baseline &&
    ('missing' in baseline
      ? `${baseline.name}: ${baseline.missing}`
      : `${baseline.name} ${figureOf(baseline.figures, unit)}`);
  const bound =
    goal && `${goal.is} ${goal.of === 'ratio' ? `${goal.value} times` : withUnit(String(goal.value), unit)}`;
  return [measure, figureOf(ours, unit), held ?? '', ratios ? figureOf(ratios, '') : '', bound ?? '', judge(row) ?? ''];
}

/** The median, and in brackets the quartiles where they say anything else. */
function figureOf(figures: readonly number[], unit: string): string {
  const { low, median, high } = spreadOf(figures);
  const [from, to] = [shown(low), shown(high)];
  return withUnit(shown(median), unit) + (from === to ? '' : ` (${from}–${to})`);
}

function withUnit(figure: string, unit: string): string {
  return unit === '' ? figure : `${figure} ${unit}`;
}

/** Three digits that mean something, and whole numbers above. */
function shown(figure: number): string {
  return Math.abs(figure) >= 100 ? Math.round(figure).toLocaleString('en') : String(Number(figure.toPrecision(3)));
}
