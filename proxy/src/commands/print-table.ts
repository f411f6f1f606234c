/** A table for people: every column as wide as its widest cell. What a terminal would act upon is taken out. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines: string[] = [];
  const table = streamTable(head, (line) => lines.push(line), rows.length);
  for (const row of rows) table.add(row);
  table.end();
  return lines;
}

/** A table whose rows need not fit into memory. */
interface StreamedTable {
  add(row: readonly string[]): void;
  end(): void;
}

/** The same, row by row: the columns are as wide as the widest cells of the first rows. */
export function streamTable(head: readonly string[], print: (line: string) => void, measured = 200): StreamedTable {
  const first: (readonly string[])[] = [];
  let widths: number[] | null = null;

  const show = (line: readonly string[], to: readonly number[]) =>
    print(
      line
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (to[column] ?? 0) - widthOf(cell))))
        .join('  ')
        .trimEnd(),
    );

  function begin(): number[] {
    const found = head.map((title, column) =>
      first.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), widthOf(title)),
    );
    for (const line of [head, found.map((width) => '-'.repeat(width)), ...first]) show(line, found);
    widths = found;
    return found;
  }

  return {
    add(row) {
      const clean = row.map((cell) => cell.replace(/\p{C}/gu, ' '));
      if (widths !== null) return show(clean, widths);
      first.push(clean);
      if (first.length > measured) begin();
    },
    end() {
      if (widths === null) begin();
    },
  };
}

function widthOf(cell: string): number {
  return [...cell].length;
}
