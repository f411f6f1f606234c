import type { Plan, PlanItem } from './plan-item.ts';

const words: Record<PlanItem['state'], string> = {
  exists: 'exists',
  create: 'will be created',
  change: 'will be changed',
  delete: 'will be deleted',
  conflict: 'CONFLICT',
  unseen: 'cannot be seen',
};

/** The plan as a table of aligned columns, then its warnings. Holds no secret. */
export function printPlan({ items, warnings }: Plan): string {
  const table = [['State', 'What', 'Detail'], ...items.map((item) => [words[item.state], item.what, item.detail])];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...warnings.flatMap((warning) => ['', `Warning: ${warning}`])].join('\n');
}
