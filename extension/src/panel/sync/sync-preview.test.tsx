// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import {
  answer,
  button,
  cancelled,
  claimed,
  click,
  container,
  heading,
  mountPanel,
  of,
  ok,
  open,
  openPreview,
  panel,
  press,
  says,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { sampleApplied, sampleSync } from '#testing/sample-sync.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

test('pressing Sync customer shows what would change, and changes nothing', async () => {
  await openPreview();
  await shows('This will change');
  expect(of('sync.preview')[0]?.input).toMatchObject({ ticket: '61307', companyId: '1000069001', bitrixId: '63001' });
  expect(text()).toContain('By syncing, you confirm that this is the sender’s company.');
  expect([...container().querySelectorAll('del')].map((e) => e.textContent)).toEqual([
    'was Khách lẻ',
    'was Not verified',
    'was STANDARD',
  ]);
  await until(() => expect(document.activeElement?.textContent).toBe('This will change'));
  expect(of('sync.apply')).toEqual([]);
  const sentence =
    'Creates the customer Tiệm Hoa Mẫu - 1000069001 with 2 fields and links this ticket to it instead of Khách lẻ.';
  expect(text()).toContain(sentence);
  await says(sentence);
  expect(container().querySelector('section h4 > button')?.getAttribute('aria-expanded')).toBe('false');
});

test('no warning is shown if the sender is known to belong to the company', async () => {
  await open(sampleProfile());
  await press('Sync customer');
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  expect(text()).not.toContain('By syncing, you confirm');
});

test('Cancel closes the preview and returns the focus to the button', async () => {
  await openPreview();
  await shows('This will change');
  await press('Cancel');
  expect(heading()).toBeUndefined();
  await until(() => expect(document.activeElement).toBe(button('Sync customer')));
});

test('if only the match would change, that is shown and announced', async () => {
  const linked = { name: '61307', customer: 'A', previous_customer: 'A', linked: true };
  await openPreview(ok(sampleSync({ ticket: linked, customer: { name: 'A', created: false }, changes: [] })));
  await shows('This will change');
  await says('Confirms that this is the sender’s company.');
  expect(button('Sync now')).toBeDefined();
});

test('if nothing would change there is no button to apply it', async () => {
  const linked = { name: '61307', customer: 'A', previous_customer: 'A', linked: true };
  await open(sampleProfile());
  await press('Sync customer');
  await answer(
    'sync.preview',
    0,
    ok(sampleSync({ ticket: linked, customer: { name: 'A', created: false }, changes: [] })),
  );
  await shows('Nothing to change');
  expect(button('Sync now')).toBeUndefined();
  await press('Got it');
  expect(heading()).toBeUndefined();
});

test('only one action runs at a time; further presses are ignored', async () => {
  await open();
  await press('Sync customer');
  await until(() => expect(button('Sync customer')?.getAttribute('aria-busy')).toBe('true'));
  click('Sync customer', true);
  click('Refresh CRM Profile', true);
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  await press('Sync now');
  await until(() => expect(button('Sync now')?.getAttribute('aria-busy')).toBe('true'));
  for (const label of ['Sync now', 'Cancel', 'Sync customer', 'Refresh CRM Profile']) click(label, true);
  expect(text()).not.toContain('Customer synced');
  expect([of('sync.preview').length, of('sync.apply').length, of('profile.get').length]).toEqual([1, 1, 1]);
});

test('old data is not synced, and the button says why', async () => {
  await open(sampleProfile({ bitrix: { status: 'error', stale: true, error: { code: 'timeout', request_id: 'r' } } }));
  const sync = button('Sync customer');
  expect([sync?.disabled, sync?.getAttribute('aria-disabled')]).toEqual([false, 'true']);
  const reason = container().querySelector(`[id="${sync?.getAttribute('aria-describedby')}"]`);
  expect(reason?.textContent).toBe('Old data cannot be synced. Refresh the profile first.');
  click('Sync customer', true);
  expect(of('sync.preview')).toEqual([]);
});

test('from the launcher’s menu the preview starts once, as soon as the company is loaded', async () => {
  panel().open({ ticket: '61307', refresh: false, sync: true, returnFocusTo: () => null });
  expect(of('sync.preview')).toEqual([]);
  await answer('profile.get', 0, { ok: true, data: sampleProfile(claimed) });
  await until(() => expect(of('sync.preview')).toHaveLength(1));
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  panel().open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
  expect(of('sync.preview')).toHaveLength(1);
});

test('from the launcher’s menu, if there is nothing to sync, the panel says why', async () => {
  await open(sampleProfile({ bitrix: { status: 'error', stale: true } }), true);
  await says('Old data cannot be synced. Refresh the profile first.');
  expect(of('sync.preview')).toEqual([]);
});

test('leaving the ticket cancels the preview, and the next ticket starts without one', async () => {
  await open();
  await press('Sync customer');
  panel().setTicket('2');
  await until(() => expect(cancelled('sync.preview')).toHaveLength(1));
  await answer('sync.preview', 0, ok(sampleSync()));
  await answer('profile.get', 1, {
    ok: true,
    data: sampleProfile({ ticket: { ...sampleProfile().ticket, name: '2' } }),
  });
  await shows('Tiệm Hoa Mẫu');
  expect(heading()).toBeUndefined();
});

test('closing the panel drops the preview, not the Undo', async () => {
  await openPreview();
  await shows('This will change');
  panel().close();
  await until(() => expect(heading()).toBeUndefined());
  panel().open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
  await press('Sync customer');
  await answer('sync.preview', 1, ok(sampleSync()));
  await press('Sync now');
  await answer('sync.apply', 0, ok(sampleApplied()));
  await shows('Customer synced');
  panel().close();
  expect(button('Undo')).toBeDefined();
});

test('another company on screen closes the preview of the previous one', async () => {
  await openPreview();
  await shows('This will change');
  await press('Refresh CRM Profile');
  expect(heading()).toBeUndefined();
});

test('text from the helpdesk and the CRM stays text', async () => {
  const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  await openPreview(
    ok(
      sampleSync({
        ticket: { name: '61307', customer: hostile, previous_customer: hostile, linked: false },
        customer: { name: hostile, created: true },
        changes: [{ field: hostile, from: hostile, to: hostile + hostile }],
      }),
    ),
  );
  await shows(hostile);
  expect(container().querySelector('img, script, [onerror]')).toBeNull();
});

test('an agent who is typing in the ticket keeps the focus there', async () => {
  const reply = document.body.appendChild(document.createElement('textarea'));
  await open();
  await press('Sync customer');
  reply.focus();
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  expect(document.activeElement).toBe(reply);
});
