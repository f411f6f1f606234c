// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { container, mountPanel, of, open, panel, press, says, shows, text } from '#testing/mounted-panel.ts';
import { sampleOther, sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel();

const en = textsFor('en');
const two = (change: Parameters<typeof sampleProfile>[0] = {}) =>
  sampleProfile({ ...change, bitrix: { also_named: [sampleOther()], ...change.bitrix } });
/** Opens what lets the agent choose. */
const choose = () => press('Choose');
const choice = (name: string) =>
  [...container().querySelectorAll<HTMLButtonElement>('button[aria-pressed]')].find((one) =>
    one.textContent?.startsWith(name),
  );
const headline = () => container().querySelector('h3.text-lg')?.textContent;

test('two companies: the better vouched for is open, the other one a click away with its trust', async () => {
  await open(two());
  expect(text()).toContain('The ticket also names Gốm Sứ Làng Mơ · Not verified.');
  await choose();
  await shows('Two companies on this ticket');
  expect(headline()).toBe('Tiệm Hoa Mẫu');
  expect(choice('Tiệm')?.getAttribute('aria-pressed')).toBe('true');
  expect(choice('Gốm')?.textContent).toContain(en.trust.tag.claimed);
  choice('Gốm')?.click();
  await until(() => expect(headline()).toBe('Gốm Sứ Làng Mơ'));
  expect(text()).toContain(en.trust.check);
  await says(en.shell.loaded('Gốm Sứ Làng Mơ', en.trust.tag.claimed));
  expect(of('profile.get')).toHaveLength(1);
});

test('Sync is about the company on screen', async () => {
  await open(two());
  await choose();
  await until(() => expect(choice('Gốm')).toBeDefined());
  choice('Gốm')?.click();
  await press('Sync customer');
  await until(() => expect(of('sync.preview')).toHaveLength(1));
  expect(of('sync.preview')[0]?.input).toMatchObject({ companyId: '200000376001', bitrixId: '63002' });
});

test('the next ticket opens with its own leading company', async () => {
  await open(two());
  await choose();
  await until(() => expect(choice('Gốm')).toBeDefined());
  choice('Gốm')?.click();
  await until(() => expect(headline()).toBe('Gốm Sứ Làng Mơ'));
  panel().setTicket('2');
  await until(() => expect(of('profile.get')).toHaveLength(2));
  of('profile.get')[1]?.answer({
    ok: true,
    data: two({ ticket: { ...sampleProfile().ticket, name: '2' } }),
  });
  await until(() => expect(headline()).toBe('Tiệm Hoa Mẫu'));
});

test.each(['en', 'vi'] as const)('a customer that is neither is named (%s)', async (language) => {
  const customer = { ...(sampleProfile().customer as NonNullable<ReturnType<typeof sampleProfile>['customer']>) };
  const stranger = { ...customer, name: 'Khách lẻ', customer_name: 'Khách lẻ' };
  panel().setLanguage(language);
  await open(two({ customer: { ...stranger, custom_platform_orgid: null, custom_crm_company_id: null } }));
  await press(textsFor(language).shell.moreWarnings(1));
  await shows(textsFor(language).fields.otherCustomer('Khách lẻ', 2));
});

test('one company that is the customer’s needs no words', async () => {
  await open(sampleProfile());
  expect(text()).not.toContain('on this ticket');
});
