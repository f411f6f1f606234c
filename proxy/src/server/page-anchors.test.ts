import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readPageAnchors } from './page-anchors.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'deskside-anchors-'));
const file = path.join(folder, 'anchors.json');
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  writeFileSync(file, text);
  const warn = vi.fn();
  return { anchors: readPageAnchors(file, { warn }), warnings: warn.mock.calls.map(([{ problem }]) => problem) };
}

test('a list is taken as it is; where there is no file, there is none, and nothing is said', () => {
  const warn = vi.fn();
  expect(readPageAnchors(file, { warn })).toBeUndefined();
  expect(readPageAnchors(null, { warn })).toBeUndefined();
  expect(warn).not.toHaveBeenCalled();
  const list = { ticket_column: ['#sidebar', 'aside[aria-label="Ticket"] > div:last-child'], app_frame: [] };
  expect(read(JSON.stringify(list))).toEqual({ anchors: list, warnings: [] });
  expect(read('\uFEFF{}')).toEqual({ anchors: {}, warnings: [] });
});

test.each([
  ['{"ticket_column": "#x"}', /ticket_column/],
  ['{"sidebar": ["#x"]}', /sidebar/],
  ['{"ticket_column": ["*{display:none}"]}', /CSS selector.*ticket_column/],
  ['{"ticket_column": ["<img src=x>"]}', /CSS selector/],
  [JSON.stringify({ ticket_column: ['#'.repeat(201)] }), /200/],
  [JSON.stringify({ ticket_column: Array(6).fill('#x') }), /5/],
  ['not json', /not JSON/],
  ['[]', /object/],
  [' '.repeat(9_000), /9000 bytes/],
])('%.40s is one warning that says what is wrong, and counts as none', (text, problem) => {
  const { anchors, warnings } = read(text);
  expect(anchors).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(problem)]);
});
