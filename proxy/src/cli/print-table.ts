/** A table for people: every column as wide as its widest cell. What a terminal would act upon is taken out. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [head, ...rows].map((line) => line.map((cell) => cell.replace(/\p{C}/gu, ' ')));
  const widthOf = (cell: string) => [...cell].length;
  const widths = head.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  const print = (line: readonly string[]) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd();
  const [first = [], ...others] = lines;
  return [print(first), print(widths.map((width) => '-'.repeat(width))), ...others.map(print)];
}
