import { CsvError, parse } from 'csv-parse/sync';

/** A file that cannot be read as the table that it should be; the message is for the operator. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** A spreadsheet calculates cells that begin with one of these. */
const formula = /^(?='*[=+\-@])/;

/** A line of CSV: every cell quoted, none that a spreadsheet calculates or a terminal acts upon. */
export function csvLine(cells: readonly string[]): string {
  const written = cells.map((cell) =>
    cell
      .replace(/\p{Cc}/gu, ' ')
      .replace(formula, "'")
      .replaceAll('"', '""'),
  );
  return `"${written.join('","')}"`;
}

/** `row`: its number as a spreadsheet counts. */
export type TableRow<Column extends string> = Record<Column, string> & { row: number };

/**
 * The rows of a table as `csvLine` wrote it, or a spreadsheet since: with or without byte order mark, with commas or
 * semicolons, empty rows left out. Throws TableError if it is none, or lacks one of the columns.
 */
export function readTable<Column extends string>(bytes: Uint8Array, columns: readonly Column[]): TableRow<Column>[] {
  const [first = [], ...rows] = cellsOf(bytes);
  const head = first.map((cell) => cell.trim());
  const missing = columns.filter((column) => !head.includes(column));
  if (missing.length > 0) throw new TableError(`it has no column "${missing.join('", "')}" in its first row.`);
  const cell = (cells: readonly string[], column: Column) => (cells[head.indexOf(column)] ?? '').trim();
  return rows.flatMap((cells, at) => {
    const values = columns.map((column) => [column, cell(cells, column).replace(/^'(?='*[=+\-@])/, '')]);
    return cells.every((one) => one.trim() === '') ? [] : [{ ...Object.fromEntries(values), row: at + 2 }];
  });
}

function cellsOf(bytes: Uint8Array): string[][] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // No name of a column has one in it.
    const delimiter = /^[^\r\n]*;/.test(text) ? ';' : ',';
    return parse(text, { delimiter, relaxColumnCount: true, relaxQuotes: true });
  } catch (error) {
    if (error instanceof CsvError) throw new TableError(`it is no CSV: ${error.message}.`);
    if (error instanceof TypeError) throw new TableError('it is not UTF-8: save it as "CSV UTF-8".');
    throw error;
  }
}
