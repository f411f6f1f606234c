import { CsvError, parse } from 'csv-parse/sync';
import { orgIdInName } from '#intake/org-id.ts';
import type { CustomerMatch, MatchCandidate, MatchFact, MatchReport } from './match.ts';

// The table of customers and the companies that they may be: `customers match` prints it, an operator edits it in a
// spreadsheet, `accept` and `undo` read it.

/** The surest first. */
export const verdicts = ['certain', 'likely', 'several', 'none', 'twin', 'accepted'] as const;

export const columns = [
  'customer',
  'people',
  'company',
  'org id',
  'verdict',
  'what agrees',
  'what is against',
] as const;

type MatchRow = Record<(typeof columns)[number], string> & { verdict: (typeof verdicts)[number] };

const weights: Record<MatchFact['weight'], string> = {
  full: '',
  similar: ' (others are called similarly)',
  shared: ' (others have it too)',
  unproven: ' (a website user may have written it)',
  part: ' (in part)',
};
/** As many as a person compares. */
const mostShown = 4;

/** A row for each customer without org id and, after these, for each twin and each that was accepted. */
export function matchRows({ matches, twins, people, accepted }: MatchReport): MatchRow[] {
  const peopleOf = (customer: string) => people.get(customer)?.join(', ') ?? '';
  const ofMatches = matches.map((match): MatchRow => {
    const { customer, verdict, orgId, candidates } = match;
    const shown = verdict === 'none' ? [] : candidates.slice(0, orgId === null ? mostShown : 1);
    const idOf = (one: MatchCandidate) => (orgId === null ? ` (${one.orgId ?? 'no org id'})` : '');
    return {
      customer,
      people: peopleOf(customer),
      company: shown.map((one) => nameOf(one) + idOf(one)).join(' | '),
      'org id': orgId ?? '',
      verdict,
      'what agrees': shown.map(factsOf).join(' | '),
      'what is against': objectionsTo(match).join(', '),
    };
  });
  const ofTwins = [...twins].map(([{ name, orgId }, shared]): MatchRow => {
    const agrees = shared.map(({ what, customers: same }) => {
      const others = same.flatMap((one) => (one.name === name ? [] : [one.name]));
      return `same ${what} as ${listed(others)}`;
    });
    const row = { customer: name, people: peopleOf(name), company: '', 'org id': orgId };
    return { ...row, verdict: 'twin', 'what agrees': agrees.join(', '), 'what is against': '' };
  });
  const ofAccepted = accepted.map(
    ({ customer, companyName, orgId, by, at, listed: addresses }): MatchRow => ({
      customer,
      people: addresses.join(', '),
      company: companyName ?? '',
      'org id': orgId,
      verdict: 'accepted',
      'what agrees': `accepted by ${by ?? 'nobody'} on ${new Date(at).toISOString().slice(0, 10)}`,
      'what is against': '',
    }),
  );
  return [...ofMatches, ...ofTwins, ...ofAccepted].toSorted(
    (a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict),
  );
}

function objectionsTo({ customer, isAnswered, orgId, candidates, rivals, isUndone }: CustomerMatch): string[] {
  const named = orgIdInName(customer);
  const [first, ...others] = candidates;
  return [
    ...(isAnswered ? [] : ['the CRM did not answer']),
    ...(orgId && first?.customer ? [`the company is the customer ${first.customer} already`] : []),
    ...(orgId && named !== null && named !== orgId ? [`its name stands for the org id ${named}: rename it first`] : []),
    ...(rivals.length > 0 ? [`as likely to be it: ${listed(rivals)}`] : []),
    ...(isUndone ? ['this was undone before'] : []),
    ...(orgId ? others.slice(0, mostShown).map((one) => `${nameOf(one)}: ${factsOf(one)}`) : []),
  ];
}

function nameOf({ name, crmId }: MatchCandidate): string {
  return name ?? `company ${crmId}`;
}

function factsOf(candidate: MatchCandidate): string {
  return candidate.facts.map(({ code, value, weight }) => `${code} ${value}${weights[weight]}`).join(', ');
}

function listed(names: readonly string[]): string {
  const more = names.length > mostShown ? [`${names.length - mostShown} more`] : [];
  return [...names.slice(0, mostShown), ...more].join(', ');
}

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
