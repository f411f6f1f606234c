// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { answer, mountPanel, of, ok, open, press, shows } from '#testing/mounted-panel.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { sampleSync, sampleUndone } from '#testing/sample-sync.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

test('a customer made by hand is offered, and leads to the preview', async () => {
  await open(sampleProfile({ bitrix: { adoption: { customer: 'Tiệm hoa' } } }));
  await shows('Does Tiệm hoa, made by hand, belong to this company?');
  await press('How to check');
  await press('See what would change');
  await until(() => expect(of('sync.preview')[0]?.input).toMatchObject({ ticket: '61307', adopt: 'Tiệm hoa' }));
  const customer = { name: 'Tiệm hoa', created: false, adopted: true };
  const adoptable = [{ name: 'Tiệm hoa', of_ticket: true, may_adopt: true }];
  await answer('sync.preview', 0, ok(sampleSync({ customer, adoptable, changes: [] })));
  await shows('becomes this company’s customer');
});

test('one that became the company says by whom, and can be given back', async () => {
  const at = new Date(0).toISOString();
  const adopted = { id: 'a1', customer: 'Tiệm hoa', by: null, via: 'pipeline' as const, at };
  await open(sampleProfile({ bitrix: { adopted } }));
  await shows('Tiệm hoa, made by hand, became this company’s customer, by Deskside');
  await press('How to check');
  await press('Undo');
  await until(() => expect(of('sync.undo')[0]?.input).toMatchObject({ ticket: '61307', syncId: 'a1' }));
  await answer('sync.undo', 0, ok(sampleUndone({ customer: { name: 'Tiệm hoa', created: false, adopted: true } })));
  await shows('Tiệm hoa is no longer this company’s customer');
});
