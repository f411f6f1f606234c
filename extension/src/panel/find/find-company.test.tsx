// @vitest-environment happy-dom
import type { FindData } from '@deskside/shared/find';
import { expect, test, vi } from 'vitest';
import type { PanelErrorCode, Result } from '#messaging/protocol.ts';
import { textsFor } from '#panel/texts/texts.ts';
import {
  answer,
  cancelled,
  click,
  container,
  heading,
  mountPanel,
  no,
  of,
  ok,
  openTicket,
  panel,
  press,
  says,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { sampleFind, sampleFoundCompany, sampleSync, withoutAround } from '#testing/sample-answers.ts';
import { noCompany, sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));
mountPanel((verb) => (verb === 'around.get' ? withoutAround : verb === 'profile.last' ? null : undefined));

const { find: t, failures } = textsFor('en');
const none = { ...noCompany, lookup_candidates: [] };
const withoutCompany = sampleProfile({ bitrix: { ...none, status: 'missing_orgid', lookup_value: null } });
const found = (change: Parameters<typeof sampleFind>[0] = {}): Result<FindData> => ({
  ok: true,
  data: sampleFind(change),
});
const nothing = found({ companies: [] });
const input = () => container().querySelector<HTMLInputElement>('input[type=text]');
const links = () => [...container().querySelectorAll<HTMLButtonElement>('button[aria-label^="Link this shop: "]')];

async function openPanel(bySender: Result<FindData> | null = nothing, profile = withoutCompany) {
  openTicket();
  await answer('profile.get', 0, { ok: true, data: profile });
  if (bySender) await answer('find.search', 0, bySender);
}

async function search(query: string) {
  await until(() => expect(input()).not.toBeNull());
  const field = input() as HTMLInputElement;
  field.value = query;
  field.form?.requestSubmit();
}

test('a shop that only the helpdesk has is linked as the company that its preview names', async () => {
  await openPanel(found({ companies: [sampleFoundCompany({ bitrix_id: null })] }));
  expect(of('find.search')[0]?.input).toEqual({ ticket: '61307', query: null });
  await shows('email matches');
  for (const words of ['Gốm Sứ Làng Mơ', 'Org ID 200000376001 · OMNI SCALE 2025 (1 năm)', 'Look first'])
    expect(text()).toContain(words);
  expect(input()?.value).toBe('');
  links()[0]?.click();
  await answer('sync.preview', 0, ok(sampleSync()));
  expect(of('sync.preview')[0]?.input).toMatchObject({ company_id: '200000376001', bitrix_id: null, adopt: null });
  await until(() => expect(heading()).toBe('Link this shop'));
  await press('Link this shop', container().querySelector('.sheet'), 0);
  const { ticket, company } = sampleSync();
  const shown = { company_id: '200000376001', bitrix_id: company?.id, expected_customer: ticket.customer };
  await until(() => expect(of('sync.apply')[0]?.input).toMatchObject(shown));
});

test('nothing found is the next step, with the question which shop it is; the field above stays empty', async () => {
  await openPanel(found({ companies: [], read_as: ['email', 'phone'] }));
  await shows('No shop with the sender’s email or phone number. Ask which shop it is.Insert question');
  await shows('Searched by the sender’s email and phone number');
  expect(input()?.value).toBe('');
  expect(text().match(/mau@tiemhoamau\.example/g)).toHaveLength(1);
});

test('the footer says by what of the sender was searched, and names nothing else', async () => {
  await openPanel();
  await until(() => expect(text()).toMatch(/Searched by the sender’s email$/));
});

test.each([
  ['disabled', 'The CRM is off'],
  ['missing_config', 'The CRM is not set up'],
] as const)('where there is no CRM to search, nothing is said not to be in it: %s', async (status, why) => {
  const crm = { status, error: null };
  await openPanel(found({ companies: [], crm }));
  await shows(`${why}, so the sender was not looked up. Ask which shop it is.`);
  await search('gốm');
  await answer('find.search', 1, found({ companies: [], crm, read_as: ['name'] }));
  await shows(`${why}; only the helpdesk was searched.It has no shop with this name.`);
  expect(text()).not.toMatch(/No shop with|Searched by the sender/);
});

test('nothing is searched by itself beside a company, nor while the CRM fails, is off or is not set up', async () => {
  openTicket();
  await answer('profile.get', 0, { ok: true, data: sampleProfile() });
  for (const [nth, status] of (['error', 'disabled', 'missing_config'] as const).entries()) {
    await press('Refresh CRM Profile');
    await answer('profile.get', nth + 1, { ok: true, data: sampleProfile({ bitrix: { ...none, status } }) });
    await shows(textsFor('en').shell.fromHelpdesk);
  }
  expect(of('find.search')).toEqual([]);
});

test('blanks are not searched for, nor a part of what is searched', async () => {
  await openPanel();
  await search('   ');
  expect(document.activeElement).toBe(input());
  expect(of('find.search')).toHaveLength(1);
  await search(' gốm ');
  await until(() => expect(of('find.search')[1]?.input).toMatchObject({ ticket: '61307', query: 'gốm' }));
  expect(input()?.placeholder).toBe(t.hint);
  expect(text()).toContain(t.searching);
});

test('what is found is listed with what tells it from others, and counted aloud', async () => {
  await openPanel();
  await search('owner@gomlangmo.example');
  const other = sampleFoundCompany({ bitrix_id: '9', org_id: null, name: '<b>x</b>', customer: null, same_org_id: 1 });
  await answer('find.search', 1, found({ companies: [sampleFoundCompany(), other], more: true }));
  await says(`2 companies found. ${t.more}`);
  for (const words of [
    'Gốm Sứ Làng Mơ - 200000376001',
    '<b>x</b>',
    'the CRM has 1 more with this Org ID',
    t.notLinkable,
  ])
    expect(text()).toContain(words);
  expect(links()).toHaveLength(1);
});

test.each<[string, Result<FindData>, string[]]>([
  ['none', nothing, ['No company found.', 'No shop with this email.']],
  ['too short', found({ read_as: [], companies: [] }), [t.tooShort]],
  [
    'none, but the CRM failed',
    found({ companies: [], crm: { status: 'failed', error: { code: 'timeout', request_id: 'r' } } }),
    [t.crmFailed, 'does not mean', 'Try now'],
  ],
  [
    'some, but the helpdesk failed',
    found({ helpdesk: { status: 'failed' } }),
    [t.helpdeskFailed, 'Gốm Sứ Làng Mơ', 'Try now'],
  ],
  ['the CRM alone', found({ helpdesk: { status: 'not_permitted' } }), [t.notPermitted]],
])('it says so: %s', async (_, result, words) => {
  await openPanel();
  await search('x');
  await answer('find.search', 1, result);
  for (const word of words) await shows(word);
});

test.each<[PanelErrorCode, string, boolean]>([
  ['rate_limited', 'Too many requests', true],
  ['bad_input', failures.code.bad_input.title, false],
  ['helpdesk_timeout', failures.code.helpdesk_timeout.title, true],
])('%s is shown and announced, and can be repeated where that helps', async (code, title, again) => {
  await openPanel();
  await search('gốm');
  await answer('find.search', 1, no(code));
  await says(title);
  const retry = [...container().querySelectorAll('button')].filter(({ textContent }) => textContent === 'Try now');
  expect(retry).toHaveLength(again ? 1 : 0);
  if (!again) return;
  retry[0]?.click();
  await answer('find.search', 2, found());
  await shows('email matches');
});

test('another search, and another ticket, cancel the one under way; a late answer is not shown', async () => {
  await openPanel();
  await search('gốm');
  await until(() => expect(of('find.search')).toHaveLength(2));
  await search('hoa');
  await until(() => expect(cancelled('find.search')).toHaveLength(1));
  of('find.search')[1]?.answer(found());
  panel().setTicket('2');
  await until(() => expect(cancelled('find.search')).toHaveLength(2));
  expect(text()).not.toContain('Gốm Sứ');
});

test('while something else runs no company can be chosen', async () => {
  await openPanel(found());
  await until(() => expect(links()).toHaveLength(1));
  click('Refresh CRM Profile', true);
  await until(() => expect(links()[0]?.getAttribute('aria-disabled')).toBe('true'));
  links()[0]?.click();
  expect(of('sync.preview')).toEqual([]);
});
