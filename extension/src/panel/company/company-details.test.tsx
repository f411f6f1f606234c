// @vitest-environment happy-dom
import type { Company } from '@deskside/shared/profile';
import { expect, test, vi } from 'vitest';
import { container, mountPanel, open, panel, press, shows } from '#testing/mounted-panel.ts';
import { noCompany, sampleProfile, sampleTwin } from '#testing/sample-profile.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));
mountPanel();

const section = (title: string) => container().querySelector(`section[aria-label="${title}"] dl`);
const rows = (of: Element | null | undefined) =>
  [...(of?.querySelectorAll('dt') ?? [])].map((dt) => [dt.textContent, dt.nextElementSibling?.textContent]);
const folded = (title: string) =>
  [...container().querySelectorAll('details')].find((one) => one.querySelector('summary')?.textContent === title);
const field = (key: string, label: string, value: string) => ({ key, label, value });

test('org id, term of the plan and segment; the rest and the helpdesk’s record are folded', async () => {
  await open(sampleProfile());
  expect(rows(section('Company'))).toEqual([
    ['Org ID', '1000069001'],
    ['Plan', '20/01/2026 to 20/01/2027'],
    ['Segment', 'Medium'],
    ['Membership', 'Member'],
  ]);
  expect([folded('More from the CRM')?.open, folded('In the helpdesk')?.open]).toEqual([false, false]);
  expect(rows(folded('More from the CRM')).map(([label]) => label)).not.toContain('CRM ID');
  expect(rows(folded('In the helpdesk'))).toContainEqual(['Shop domain', 'tiem-hoa-mau.platform.example']);
});

test('the Org ID is also called as the specification calls it', async () => {
  await open(sampleProfile());
  expect([...(section('Company')?.querySelectorAll('dt[title]') ?? [])].map((dt) => dt.getAttribute('title'))).toEqual([
    'Org ID (Company ID)',
  ]);
});

test('two companies of one name, owner and telephone are told apart by their city', async () => {
  const twin = { ...sampleTwin, company_name: 'Tiệm Hoa Mẫu', address_region: 'Huế' };
  await open(sampleProfile({ company: { address_region: 'Hồ Chí Minh' }, bitrix: { alternatives: [twin] } }));
  await press('Compare');
  const cells = [...container().querySelectorAll('table tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(cells).toContainEqual(['Location', 'Hồ Chí Minh', 'Huế']);
});

test('the CRM’s own id is not shown, not even where two companies have one name', async () => {
  await open(sampleProfile({ bitrix: { alternatives: [{ ...sampleTwin, company_name: 'Tiệm Hoa Mẫu' }] } }));
  expect(
    rows(section('Company'))
      .concat(rows(folded('More from the CRM')))
      .flat(),
  ).not.toContain('63001');
});

test('the operator’s own fields stand in their groups, in the operator’s order; measures are grouped, with their unit', async () => {
  const company: Partial<Company> = {
    metrics: [field('gmv', 'GMV, 30 days', '83000000 VND'), field('orders', 'Orders', '4120')],
    profit: [field('margin', 'Margin', '12.5')],
    context: [
      field('code', 'Code', '4120'),
      field('channels', 'Sells on', 'Web, POS, Shopee'),
      { ...field('pos', 'Uses POS', 'yes'), type: 'boolean' },
      { ...field('contract', 'Contract', '2'), type: 'files' },
    ],
  };
  await open(sampleProfile({ company }));
  expect(rows(section('Metrics'))).toEqual([
    ['GMV, 30 days', '₫83,000,000'],
    ['Orders', '4,120'],
  ]);
  expect(rows(section('Profit'))).toEqual([['Margin', '12.5']]);
  expect(rows(section('Context'))).toEqual([
    ['Code', '4120'],
    ['Sells on', 'Web, POS, Shopee'],
    ['Uses POS', 'Yes'],
    ['Contract', '2 attached'],
  ]);
  panel().setLanguage('vi');
  expect(rows(section('Bối cảnh'))).toContainEqual(['Uses POS', 'Có']);
  expect(rows(section('Bối cảnh'))).toContainEqual(['Contract', '2 tệp đính kèm']);
});

test('a company of which nothing else is known leaves no gaps; without one the helpdesk’s record is all there is', async () => {
  const bare = { membership: null, customer_segment: null, current_shopplan_date: null, shopplan_expiry: null };
  await open(sampleProfile({ company: bare }));
  expect(rows(section('Company'))).toEqual([['Org ID', '1000069001']]);
  expect(container().querySelector('section[aria-label="Metrics"]')).toBeNull();
});

test('without a company the helpdesk’s record is open', async () => {
  await open(sampleProfile({ bitrix: { ...noCompany, status: 'disabled' } }));
  await shows('The CRM is off.');
  expect(rows(section('In the helpdesk'))[0]).toEqual(['Customer', 'Tiệm Hoa Mẫu - 1000069001']);
});
