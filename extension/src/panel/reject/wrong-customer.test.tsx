// @vitest-environment happy-dom
import type { RejectedCompany } from '@deskside/shared/profile';
import { expect, test, vi } from 'vitest';
import {
  answer,
  button,
  container,
  mountPanel,
  no,
  of,
  open,
  press,
  radio,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { noCompany, sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));
mountPanel();

const shown = sampleProfile({ bitrix: { rejected: [] } });
const rejection: RejectedCompany = {
  ...{ id: 'r1', org_id: shown.bitrix.lookup_value as RejectedCompany['org_id'], bitrix_id: '63001', ticket: '61307' },
  ...{ company_name: 'Tiệm Hoa Mẫu', agent: 'an@desk.example', at: new Date().toISOString() },
  reason: { code: 'wrong_id', note: 'nhầm shop' },
};
const without = sampleProfile({
  customer: null,
  bitrix: {
    ...noCompany,
    ...{ status: 'missing_orgid', lookup_candidates: [], lookup_value: null, rejected: [rejection] },
  },
});
const loaded = (profile: typeof shown) => ({ ok: true, data: profile });
const undone = {
  ...{ action: 'undo', rejection_id: 'r1', changes: [] },
  ticket: { name: '61307', customer: null, previous_customer: 'Tiệm Hoa Mẫu - 1000069001' },
};

test.each([
  ['read_by_other', 'another account, not the sender’s, reads it'],
  ['other_customer', 'it has another customer by now'],
  ['sender_not_verified', 'its present sender is not verified'],
])('what an undo does not give back is said until it has been read (%s)', async (kept, why) => {
  await open(sampleProfile({ bitrix: without.bitrix }));
  // The customer of its contact is there all the same.
  await shows('Change the customer on the contact.');
  expect(text()).toContain('an@desk.example, just now: The Org ID is wrong (nhầm shop).');
  await press('Undo');
  expect(of('company.undoRejection')[0]?.input).toEqual({ ticket: '61307', rejection_id: 'r1' });
  await answer('company.undoRejection', 0, { ok: true, data: { ...undone, kept } });
  await answer('profile.get', 1, loaded(shown));
  const step = () => container().querySelector('section[aria-label="Next step"]')?.textContent;
  await until(() => expect(step()).toContain(why));
  await press('Got it');
  expect(step()).toBeUndefined();
});

test('what is on screen is sent; a failure is told with what it may mean, and the form stays', async () => {
  await open(shown);
  await press('More');
  await press('Wrong customer');
  await shows('Deskside does not suggest this company again for this sender.');
  expect(of('company.reject')).toEqual([]);
  radio('The Org ID is wrong')?.click();
  await press('Mark as wrong');
  await until(() => expect(of('company.reject')).toHaveLength(1));
  expect(of('company.reject')[0]?.input).toEqual({
    ticket: '61307',
    company_id: shown.bitrix.lookup_value,
    bitrix_id: '63001',
    expected_customer: shown.ticket.customer,
    reason: 'wrong_id',
    note: '',
  });
  await answer('company.reject', 0, no('timeout'));
  await answer('profile.get', 1, loaded(shown));
  await shows('The change may have been made anyway');
  expect(button('Mark as wrong')).toBeDefined();
});
