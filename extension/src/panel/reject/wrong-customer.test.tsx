// @vitest-environment happy-dom
import type { RejectedCompany } from '@deskside/shared/rejection';
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
  says,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
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
    ...{ status: 'missing_orgid', outcome: null, company: null, contact: null, responsible: null },
    ...{ lookup_trust: null, lookup_candidates: [], lookup_value: null, rejected: [rejection] },
  },
});
const loaded = (profile: typeof shown) => ({ ok: true, data: profile });
const answered = (action: 'reject' | 'undo') => ({
  ok: true,
  data: {
    ...{ action, rejection_id: 'r1', changes: [] },
    ticket: { name: '61307', customer: null, previous_customer: 'Tiệm Hoa Mẫu - 1000069001' },
  },
});
const radio = (label: string) =>
  [...container().querySelectorAll('label')].find((one) => one.textContent?.startsWith(label))?.querySelector('input');

test('the form says what happens; rejecting sends what is on screen, and the answer can be undone', async () => {
  await open(shown);
  await press('More');
  await press('Wrong customer');
  await shows('Deskside does not suggest this company again for this sender.');
  expect(document.activeElement?.textContent).toBe('Mark as wrong');
  expect(of('company.reject')).toEqual([]);
  radio('The Org ID is wrong')?.click();
  await press('Mark as wrong');
  await until(() => expect(of('company.reject')).toHaveLength(1));
  expect(of('company.reject')[0]?.input).toEqual({
    ...{ ticket: '61307', companyId: shown.bitrix.lookup_value, bitrixId: shown.bitrix.company?.bitrix_id },
    ...{ expectedCustomer: shown.ticket.customer, reason: { code: 'wrong_id', note: '' } },
  });
  await answer('company.reject', 0, answered('reject'));
  await answer('profile.get', 1, loaded(without));
  await shows('Not this sender’s company: Tiệm Hoa Mẫu');
  await says('Tiệm Hoa Mẫu is not suggested for this sender any more.');
  expect(text()).toContain('an@desk.example, just now: The Org ID is wrong (nhầm shop).');
  await until(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Next step'));
  await press('Undo');
  await until(() => expect(of('company.undoRejection')).toHaveLength(1));
  expect(of('company.undoRejection')[0]?.input).toEqual({ ticket: '61307', rejectionId: 'r1' });
  await answer('company.undoRejection', 0, answered('undo'));
  await answer('profile.get', 2, loaded(shown));
  await says('Tiệm Hoa Mẫu may be suggested for this sender again.');
  await until(() => expect(text()).not.toContain('Not this sender’s company'));
});

test.each([
  ['read_by_other', 'another account, not the sender’s, reads it'],
  ['other_customer', 'it has another customer by now'],
])('what an undo does not give back is said until it has been read (%s)', async (kept, why) => {
  await open(sampleProfile({ bitrix: without.bitrix }));
  // The customer of its contact is there all the same.
  await shows('Change the customer on the contact.');
  await press('Undo');
  const { data } = answered('undo');
  await answer('company.undoRejection', 0, { ok: true, data: { ...data, kept } });
  await answer('profile.get', 1, loaded(shown));
  const step = () => container().querySelector('section[aria-label="Next step"]')?.textContent;
  await until(() => expect(step()).toContain(why));
  await press('Got it');
  expect(step()).toBeUndefined();
});

test('a failure is told with what it may mean, and the form stays', async () => {
  await open(shown);
  await press('More');
  await press('Wrong customer');
  await press('Mark as wrong');
  await answer('company.reject', 0, no('timeout'));
  await answer('profile.get', 1, loaded(shown));
  await shows('The change may have been made anyway');
  expect(button('Mark as wrong')).toBeDefined();
});
