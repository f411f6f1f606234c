// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import {
  answer,
  button,
  container,
  heading,
  mountPanel,
  no,
  of,
  ok,
  openApplied,
  openPreview,
  press,
  says,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { sampleSync, sampleUndone } from '#testing/sample-sync.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

test('after the sync: the result, an Undo, and the profile reloaded without a forced check', async () => {
  await openApplied();
  await until(() => expect(document.activeElement?.textContent).toBe('Customer synced'));
  expect(of('profile.get')[1]?.input).toMatchObject({ refresh: false, maxAgeMs: 0 });
  const evidence = [{ code: 'linked_by_agent' as const, value: 'An' }];
  await answer('profile.get', 1, {
    ok: true,
    data: sampleProfile({ bitrix: { lookup_trust: { level: 'confirmed', evidence } } }),
  });
  await says('Customer synced. The ticket is linked to Tiệm Hoa Mẫu - 1000069001.');
  expect(button('Undo')).toBeDefined();
});

test("Undo shows the ticket's customer again, even if the profile has lost its company", async () => {
  await openApplied();
  await press('Undo');
  expect(of('sync.undo')[0]?.input).toEqual({ ticket: '61307', syncId: 's1' });
  await answer('sync.undo', 0, ok(sampleUndone()));
  await shows('Sync undone');
  const bitrix = { company: null, contact: null, responsible: null, lookup_trust: null, lookup_candidates: [] };
  await answer('profile.get', 2, {
    ok: true,
    data: sampleProfile({ bitrix: { ...bitrix, status: 'missing_orgid', outcome: null } }),
  });
  await shows('No Org ID on this ticket');
  expect(text()).toContain('Sync undone');
  await until(() => expect(document.activeElement?.textContent).toBe('Sync undone'));
  await says('Sync undone. The ticket’s customer is Khách lẻ.');
});

test('a ticket changed meanwhile is left alone, and Undo is no longer offered', async () => {
  await openApplied();
  await press('Undo');
  await answer('sync.undo', 0, no('changed_since'));
  await shows('Someone else has changed the customer');
  await press('Got it');
  expect(button('Undo')).toBeUndefined();
});

test('an Undo that merely failed can be repeated by the agent', async () => {
  await openApplied();
  await press('Undo');
  await answer('sync.undo', 0, no('helpdesk_timeout'));
  await shows('The change may have been made anyway');
  await press('Got it');
  await press('Undo');
  expect(of('sync.undo')).toHaveLength(2);
});

test('another preview after a sync, cancelled, leaves the Undo', async () => {
  await openApplied();
  await press('Sync customer');
  await answer('sync.preview', 1, ok(sampleSync()));
  await shows('This will change');
  await press('Cancel');
  expect(button('Undo')).toBeDefined();
});

test('a conflict shows both companies side by side, and the profile can be refreshed', async () => {
  await openPreview(
    no('identity_conflict', { conflict: { code: 'other_company_matched', asked: '63001', found: '63103' } }),
  );
  await shows('Two different companies for this ticket');
  const sides = [...container().querySelectorAll('dl')].find((dl) => dl.textContent?.includes('63103'));
  expect(sides?.textContent).toContain('Tiệm Hoa MẫuCRM ID 63001');
  const refresh = [...container().querySelectorAll('section button')].find(
    (b) => b.textContent === 'Refresh CRM Profile',
  );
  (refresh as HTMLButtonElement).click();
  await until(() => expect(of('profile.get').at(-1)?.input).toMatchObject({ refresh: true }));
  expect(heading()).toBeUndefined();
});

test.each([
  [
    'ai.do@hopthu.example is not the sender',
    { conflict: { code: 'read_by_other', asked: '61307', found: 'ai.do@hopthu.example' } },
  ],
  ['Another account, not the sender’s', {}],
])('a ticket that somebody else reads is not synced, and it is said what to do: %s', async (who, more) => {
  await openPreview(no('ticket_read_by_other', more));
  await shows('Somebody else reads this ticket');
  await shows(who);
  await shows('Correct the ticket’s contact first, or open a ticket for the true sender.');
  expect(button('Sync now')).toBeUndefined();
  // Once the contact is mended.
  await press('Try again');
  await until(() => expect(of('sync.preview')).toHaveLength(2));
});

test('a CRM failure is shown, and the preview can be requested again', async () => {
  await openPreview(ok(sampleSync({ status: 'error', customer: null, company: null, changes: [] })));
  await shows('The CRM could not be checked');
  await press('Try again');
  await until(() => expect(of('sync.preview')).toHaveLength(2));
});

test('a write without an answer is never repeated, and the profile is reloaded to see its effect', async () => {
  await openPreview();
  await press('Sync now');
  await answer('sync.apply', 0, no('timeout'));
  await shows('The change may have been made anyway');
  expect(of('sync.apply')).toHaveLength(1);
  expect(of('profile.get')).toHaveLength(2);
});

test('the result of a write stays on screen, even if the company can no longer be checked', async () => {
  await openPreview();
  await press('Sync now');
  await answer('sync.apply', 0, no('timeout'));
  await shows('The change may have been made anyway');
  await answer('profile.get', 1, {
    ok: true,
    data: sampleProfile({ bitrix: { status: 'error', stale: true, error: { code: 'timeout', request_id: 'r' } } }),
  });
  await shows('Old data cannot be synced');
  expect(text()).toContain('The change may have been made anyway');
  expect(button('Try again')?.getAttribute('aria-disabled')).toBe('true');
});

test('an answer about another ticket is an error, never a result', async () => {
  await openPreview(ok(sampleSync({ ticket: { ...sampleSync().ticket, name: '2' } })));
  await shows('sent an unreadable answer');
});
