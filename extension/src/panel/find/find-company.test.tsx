// @vitest-environment happy-dom
import type { FindData } from '@deskside/shared/find';
import { expect, test, vi } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import type { PanelErrorCode, Result } from '#messaging/protocol.ts';
import {
  answer,
  button,
  cancelled,
  claimed,
  click,
  container,
  mountPanel,
  no,
  of,
  ok,
  panel,
  press,
  says,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { sampleFind, sampleFoundCompany } from '#testing/sample-found.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { sampleApplied, sampleSync } from '#testing/sample-sync.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

const { find: t } = textsFor('en');
const none = {
  company: null,
  contact: null,
  responsible: null,
  lookup_trust: null,
  lookup_candidates: [],
  outcome: null,
};
const withoutCompany = sampleProfile({ bitrix: { ...none, status: 'missing_orgid' } });
const found = (change: Parameters<typeof sampleFind>[0] = {}): Result<FindData> => ({
  ok: true,
  data: sampleFind(change),
});
const input = () => container().querySelector<HTMLInputElement>('input[type=text]');
const choose = () => container().querySelector<HTMLButtonElement>('button[aria-label="Choose Gốm Sứ Làng Mơ"]');

async function openPanel(profile = withoutCompany) {
  panel().open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
  await answer('profile.get', 0, { ok: true, data: profile });
}

async function search(query: string) {
  await until(() => expect(input()).not.toBeNull());
  const field = input() as HTMLInputElement;
  field.value = query;
  field.form?.requestSubmit();
}

async function chooseFound() {
  await openPanel();
  await search('owner@gomlangmo.example');
  await answer('find.search', 0, found());
  await shows('1 company found.');
  choose()?.click();
}

test('the field has a name and says what it takes; nothing is searched before it is sent', async () => {
  await openPanel();
  await until(() => expect(input()).not.toBeNull());
  expect(container().querySelector(`label[for="${input()?.id}"]`)?.textContent).toBe('Find company');
  const hint = container().querySelector(`[id="${input()?.getAttribute('aria-describedby')}"]`);
  expect(hint?.textContent).toBe(t.hint);
  await search('   ');
  expect(document.activeElement).toBe(input());
  expect(of('find.search')).toEqual([]);
  await search(' gốm ');
  await until(() => expect(of('find.search')[0]?.input).toMatchObject({ ticket: '61307', query: 'gốm' }));
  expect(text()).toContain(t.searching);
});

test('what is found is listed with org id, plan and reason, and counted aloud', async () => {
  await openPanel();
  await search('owner@gomlangmo.example');
  const other = sampleFoundCompany({ bitrix_id: '9', org_id: null, name: '<b>x</b>', customer: null, same_org_id: 1 });
  await answer('find.search', 0, found({ companies: [sampleFoundCompany(), other], more: true }));
  await says(`2 companies found. ${t.more}`);
  for (const words of [
    'Org ID 200000376001 · OMNI SCALE 2025 (1 năm)',
    'Email: owner@gomlangmo.example (Trần Quang Khải)',
    'Customer in the helpdesk: Gốm Sứ Làng Mơ - 200000376001',
    'Searched as email.',
    '<b>x</b>',
    '1 more company with this Org ID',
    t.notLinkable,
  ])
    expect(text()).toContain(words);
  expect(container().querySelectorAll('button[aria-label^="Choose "]')).toHaveLength(1);
});

test('a chosen company is previewed as itself, linked by Sync, and what was agreed to is what was shown', async () => {
  await chooseFound();
  await until(() =>
    expect(of('sync.preview')[0]?.input).toMatchObject({ companyId: '200000376001', bitrixId: '63002', adopt: null }),
  );
  await answer('sync.preview', 0, ok(sampleSync()));
  await shows('This will change');
  const preview = [...container().querySelectorAll('section')].find((one) =>
    one.textContent?.includes('This will change'),
  );
  expect(preview?.textContent).toContain('Gốm Sứ Làng Mơ');
  expect(preview?.textContent).toContain('By syncing, you confirm');
  await press('Sync now');
  await until(() =>
    expect(of('sync.apply')[0]?.input).toMatchObject({
      ...{ ticket: '61307', companyId: '200000376001', bitrixId: '63002' },
      expectedCustomer: sampleSync().ticket.customer,
    }),
  );
  await answer('sync.apply', 0, ok(sampleApplied()));
  await shows('Customer synced');
  await answer('profile.get', 1, { ok: true, data: sampleProfile() });
  await until(() => expect(input()).toBeNull());
  expect(text()).toContain('Customer synced');
  expect(button('Undo')).toBeDefined();
});

test('one that only the helpdesk has is applied as the company that the preview named', async () => {
  await openPanel();
  await search('gốm');
  await answer('find.search', 0, found({ companies: [sampleFoundCompany({ bitrix_id: null })] }));
  await until(() => expect(choose()).not.toBeNull());
  choose()?.click();
  await until(() => expect(of('sync.preview')[0]?.input).toMatchObject({ bitrixId: null }));
  await answer('sync.preview', 0, ok(sampleSync()));
  await press('Sync now');
  await until(() => expect(of('sync.apply')[0]?.input).toMatchObject({ bitrixId: sampleSync().company?.id }));
});

test('Cancel keeps the list and returns the focus to the company that was chosen', async () => {
  await chooseFound();
  await answer('sync.preview', 0, ok(sampleSync()));
  await press('Cancel');
  await until(() => expect(document.activeElement).toBe(choose()));
  expect(text()).not.toContain('This will change');
  expect(text()).toContain('1 company found.');
});

test('a preview that failed can be asked for again, for the same company', async () => {
  await chooseFound();
  await answer('sync.preview', 0, no('helpdesk_timeout'));
  await press('Try again');
  await until(() => expect(of('sync.preview')[1]?.input).toMatchObject({ companyId: '200000376001' }));
});

test('beside a company it opens over it, from the menu and from its trust, and has the focus', async () => {
  await openPanel(sampleProfile());
  expect(input()).toBeNull();
  await press('More');
  await press(t.another);
  await until(() => expect(document.activeElement).toBe(input()));
  await press('Done');
  await until(() => expect(input()).toBeNull());
  await until(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('More'));
  await press('Verified');
  await until(() => expect(document.activeElement).toBe(input()));
});

test('the only company found is previewed at once: two clicks and Enter replace a wrong one', async () => {
  await openPanel(sampleProfile(claimed));
  await press('Not verified');
  await search('gốm');
  await answer('find.search', 0, found());
  await answer('sync.preview', 0, ok(sampleSync()));
  expect(of('sync.preview')[0]?.input).toMatchObject({ companyId: '200000376001', bitrixId: '63002' });
  await press('Cancel');
  await press('Done');
  await press('Sync customer');
  await until(() => expect(of('sync.preview')[1]?.input).toMatchObject({ companyId: '1000069001', bitrixId: '63001' }));
});

test.each<[string, Result<FindData>, string[]]>([
  ['none', found({ companies: [] }), ['No company found.', t.none]],
  ['too short', found({ read_as: [], companies: [] }), [t.tooShort]],
  [
    'none, but the CRM failed',
    found({ companies: [], crm: { status: 'failed', error: { code: 'timeout', request_id: 'r' } } }),
    [t.crmFailed, textsFor('en').crm.error.timeout.title, 'does not mean', 'Try again'],
  ],
  [
    'some, but the helpdesk failed',
    found({ helpdesk: { status: 'failed' } }),
    [t.helpdeskFailed, 'Gốm Sứ Làng Mơ', 'Try again'],
  ],
  ['the CRM alone', found({ helpdesk: { status: 'not_permitted' } }), [t.notPermitted]],
])('it says so: %s', async (_, result, words) => {
  await openPanel();
  await search('x');
  await answer('find.search', 0, result);
  for (const word of words) await shows(word);
  if (!words.includes(t.none)) expect(text()).not.toContain(t.none);
});

test.each<[PanelErrorCode, string, boolean]>([
  ['rate_limited', 'Too many searches', true],
  ['route_not_found', textsFor('en').failures.code.route_not_found.title, false],
  ['helpdesk_timeout', textsFor('en').failures.code.helpdesk_timeout.title, true],
])('%s is shown and announced, and can be repeated where that helps', async (code, title, again) => {
  await openPanel();
  await search('gốm');
  await answer('find.search', 0, no(code));
  await says(title);
  const retry = [...container().querySelectorAll('button')].filter(({ textContent }) => textContent === 'Try again');
  expect(retry).toHaveLength(again ? 1 : 0);
  if (!again) return;
  retry[0]?.click();
  await answer('find.search', 1, found());
  await shows('1 company found.');
});

test('another search, and another ticket, cancel the one under way; a late answer is not shown', async () => {
  await openPanel();
  await search('gốm');
  await until(() => expect(of('find.search')).toHaveLength(1));
  await search('hoa');
  await until(() => expect(cancelled('find.search')).toHaveLength(1));
  of('find.search')[0]?.answer(found());
  panel().setTicket('2');
  await until(() => expect(cancelled('find.search')).toHaveLength(2));
  expect(text()).not.toContain('Gốm Sứ');
});

test('an answer about another ticket is never shown', async () => {
  await openPanel();
  await search('gốm');
  await answer('find.search', 0, found({ ticket: '2' }));
  await shows(textsFor('en').failures.code.bad_answer.title);
  expect(text()).not.toContain('Gốm Sứ');
});

test('while something else runs no company can be chosen', async () => {
  await openPanel();
  await search('gốm');
  await answer('find.search', 0, found());
  await until(() => expect(choose()).not.toBeNull());
  click('Check again', true);
  await until(() => expect(choose()?.getAttribute('aria-disabled')).toBe('true'));
  choose()?.click();
  expect(of('sync.preview')).toEqual([]);
});
