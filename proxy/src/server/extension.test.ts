import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { silent } from '#runtime/testing/quiet.ts';
import { missingAnchors } from '#store/notes.ts';
import { callBy, testContext } from '#testing/test-context.ts';
import { noteMissingAnchor, readPageAnchors } from './extension.ts';

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

describe('an extension that misses its place', () => {
  const report = { anchor: 'ticket_header', extension: '0.1.0' } as const;

  function world() {
    const warn = vi.fn();
    const ctx = testContext({ logger: { ...silent, warn } });
    ctx.helpdesk.version = async () => '1.29.0';
    const note = (who: 'an' | 'binh' | 'vy') => noteMissingAnchor(callBy(ctx, who), report);
    return { ctx, note, warn };
  }

  test('the operator learns anchor and versions, once for all agents, and nobody who told it', async () => {
    const { ctx, note, warn } = world();
    await note('an');
    await note('binh');
    const told = { ...report, helpdesk: '1.29.0' };
    expect(warn.mock.calls).toEqual([[{ fault: 'helpdesk_page_changed', ...told }, expect.any(String)]]);
    expect(await missingAnchors(ctx.db)).toEqual([{ ...told, at: ctx.clock() }]);
    // A helpdesk that does not say its version makes no difference.
    ctx.helpdesk.version = () => Promise.reject(new HelpdeskError('timeout', 'too late'));
    ctx.clock.advance(6 * 3_600_000);
    await note('an');
    expect(warn).toHaveBeenLastCalledWith(expect.objectContaining({ helpdesk: null }), expect.any(String));
  });

  test('only agents are listened to, and nobody without end', async () => {
    const { note, warn } = world();
    await expect(note('vy')).rejects.toMatchObject({ code: 'not_an_agent' });
    expect(warn).not.toHaveBeenCalled();
    for (let i = 0; i < 5; i++) await note('an');
    await expect(note('an')).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
