import { expect, test, vi } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { AppError } from '#runtime/app-error.ts';
import { createRateLimit, memoryBy } from '#runtime/memory.ts';
import { missingAnchors } from '#store/notes.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { silent } from '#testing/quiet.ts';
import { noteMissingAnchor, reportsPerAgent } from './missing-anchor.ts';

const report = { anchor: 'ticket_header', extension: '0.1.0' } as const;
const clock = () => 7;
const { signal } = new AbortController();
const callerOf = (id: string) => ({ authorization: `Bearer ${id}`, digest: id, client: undefined });

function setUp(version: () => Promise<string | null> = async () => '1.29.0') {
  const warn = vi.fn();
  const { db } = memoryStore(clock);
  const ctx = partOfContext({
    gate: {
      requireAgent: async ({ digest }) => {
        if (digest === 'portal') throw new AppError('not_an_agent');
        return { id: digest, fullName: null, language: null, isAgent: true };
      },
    },
    helpdesk: { version },
    db,
    anchorReports: createRateLimit(memoryBy(Date.now), reportsPerAgent),
    clock,
    logger: { ...silent, warn },
  });
  const note = (asked: Parameters<typeof noteMissingAnchor>[1]) => noteMissingAnchor(ctx, asked, signal);
  return { note, warn, db };
}

test('the operator learns anchor and versions, once for all agents, and nobody who told it', async () => {
  const { note, warn, db } = setUp();
  await note({ ...report, caller: callerOf('an') });
  await note({ ...report, caller: callerOf('binh') });
  expect(warn.mock.calls).toEqual([
    [
      { fault: 'helpdesk_page_changed', anchor: 'ticket_header', extension: '0.1.0', helpdesk: '1.29.0' },
      'The extension does not find its place on the ticket page',
    ],
  ]);
  expect(await missingAnchors(db)).toEqual([{ ...report, helpdesk: '1.29.0', at: 7 }]);
});

test('only agents are listened to, and nobody without end', async () => {
  const { note, warn } = setUp();
  await expect(note({ ...report, caller: callerOf('portal') })).rejects.toMatchObject({ code: 'not_an_agent' });
  expect(warn).not.toHaveBeenCalled();
  for (let i = 0; i < 5; i++) await note({ ...report, caller: callerOf('an') });
  await expect(note({ ...report, caller: callerOf('an') })).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a helpdesk that does not say its version makes no difference', async () => {
  const { note, warn } = setUp(() => Promise.reject(new HelpdeskError('timeout', 'too late')));
  await note({ ...report, caller: callerOf('an') });
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ helpdesk: null }), expect.any(String));
});
