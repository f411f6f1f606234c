import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, readTable, TableError } from './match-table.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const columns = ['customer', 'org id'] as const;

test.each([
  ['commas', 'customer,org id\nA,1\n'],
  ['semicolons', 'customer;org id\nA;1\n'],
  ['a byte order mark', '\uFEFFcustomer,org id\nA,1\n'],
  ['a byte order mark, semicolons and quotes', '\uFEFF"customer";"org id"\r\n"A";"1"\r\n'],
  ['other columns, in another order', 'verdict,org id,customer\ncertain,1,A\n'],
  ['blanks around', ' customer , org id \n A , 1 \n'],
  ['no line break at its end', 'customer,org id\nA,1'],
  ['too many cells in a row', 'customer,org id\nA,1,,\n'],
  ['a blank row', 'customer,org id\nA,1\n , \n'],
])('a table with %s is read', (_, text) => {
  expect(readTable(bytes(text), columns)).toEqual([{ row: 2, customer: 'A', 'org id': '1' }]);
});

test('rows keep the number that a spreadsheet gives them, whatever is empty or runs over two lines', () => {
  const text = 'customer;org id\n"A\nB";1\n;;\n\nA;b "c", d;2\nC\n';
  expect(readTable(bytes(text), columns)).toEqual([
    { row: 2, customer: 'A\nB', 'org id': '1' },
    { row: 5, customer: 'A', 'org id': 'b "c", d' },
    { row: 6, customer: 'C', 'org id': '' },
  ]);
});

test('an apostrophe is taken off only where it was put, at the beginning of a cell', () => {
  const text = "customer,org id\n'=A,Lan '+' Mai\n";
  expect(readTable(bytes(text), columns)).toEqual([{ row: 2, customer: '=A', 'org id': "Lan '+' Mai" }]);
});

describe('what is no such table is refused in one sentence', () => {
  test.each([
    ['nothing', bytes(''), /no column "customer", "org id"/],
    ['another table', bytes('customer,id\nA,1\n'), /no column "org id"/],
    ['a quote that does not end', bytes('customer,org id\n"A,1\n'), /^it is no CSV/],
    ['a spreadsheet’s own format', new Uint8Array([0x50, 0x4b, 3, 4, 0xff, 0xfe]), /not UTF-8/],
    [
      'another encoding',
      new Uint8Array([...bytes('customer,org id\nG'), 0xf4, 0x6d, 10]),
      /not UTF-8: save it as "CSV/,
    ],
  ])('%s', (_, file, message) => {
    const read = () => readTable(file, columns);
    expect(read).toThrow(TableError);
    expect(read).toThrow(message);
  });
});

test.each([
  ['=1+1', `"'=1+1"`],
  ['+84 901', `"'+84 901"`],
  ['-5', `"'-5"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ["'=1", `"''=1"`],
  ['O’Neil "Q1", 7', '"O’Neil ""Q1"", 7"'],
  ["'s Gravenhage", `"'s Gravenhage"`],
  ['a\u001b[31m\nb', '"a [31m b"'],
])('a spreadsheet calculates nothing, and a terminal acts on nothing, of %j', (cell, written) => {
  expect(csvLine([cell])).toBe(written);
});

test('whatever cells there are, they are read as they were written, and none begins as a formula', () => {
  const begin = fc.constantFrom('', '=', '+', '-', '@', "'", "''", "'=", '"', ';', ',');
  const cell = fc.tuple(begin, fc.string({ unit: 'grapheme' })).map((parts) =>
    parts
      .join('')
      .replace(/\p{Cc}/gu, '')
      .trim(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 6 }), (rows) => {
      const lines = [csvLine(columns), ...rows.map(csvLine)];
      for (const line of lines) expect(line).not.toMatch(/(^|",)"[=+\-@]/);
      const read = readTable(bytes(`\uFEFF${lines.join('\n')}\n`), columns);
      const kept = rows.filter((cells) => cells.some((one) => one !== ''));
      expect(read.map(({ customer, 'org id': orgId }) => [customer, orgId])).toEqual(kept);
    }),
  );
});
