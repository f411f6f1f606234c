import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const { tickets } = demo;
const en = textsFor('en');

/** As narrow as the panel gets beside a ticket. */
async function narrow(panel: PanelPage): Promise<void> {
  await panel.dialog.evaluate((dialog) => {
    dialog.style.width = '380px';
  });
}

test('who, plan, health and owner are in view at once, whatever the match is', async ({ page, panel, world: _ }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await panel.open(tickets.matched);
  await narrow(panel);
  const first = [
    panel.dialog.getByRole('heading', { level: 3 }).first(),
    panel.dialog.getByRole('region', { name: en.fields.plan, exact: true }),
    panel.dialog.getByRole('region', { name: en.fields.hsi, exact: true }),
    panel.dialog.getByText(en.fields.accountOwner, { exact: true }),
  ];
  for (const [ticket, trust] of [
    [tickets.matched, 'confirmed'],
    [tickets.likelyByCrmEmail, 'likely'],
    [tickets.claimed, 'claimed'],
    [tickets.unreadableDates, 'confirmed'],
  ] as const) {
    await panel.moveTo(ticket);
    await expect(panel.dialog).toContainText(`#${ticket}`);
    await panel.settled();
    await expect(panel.dialog.getByText(en.trust.tag[trust], { exact: true })).toBeInViewport({ ratio: 1 });
    for (const part of first) await expect(part).toBeInViewport({ ratio: 1 });
    await keepPicture(panel, `glance-${ticket}`);
  }
});

test('a person appears once with roles; what identifies them is copied by pointer and by keyboard', async ({
  page,
  panel,
  world: _,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.open(tickets.matched);
  const people = panel.dialog.getByRole('region', { name: en.people.title, exact: true });
  const owner = people.getByRole('listitem').filter({ hasText: 'Trần Quang Khải' });
  const { sender, contact, shop_owner, crm_contact, account } = en.people.role;
  await expect(owner).toContainText([sender, contact, shop_owner, crm_contact, account].join(' · '));
  await expect(owner.getByRole('link', { name: '0900000002' })).toHaveAttribute('href', 'tel:0900000002');

  const address = 'owner@gomlangmo.example';
  const copy = owner.getByRole('button', { name: en.shell.copy(address) });
  await owner.getByRole('link', { name: address }).hover();
  await copy.click();
  await expect(panel.dialog.locator('output')).toHaveText(en.shell.copied(address));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);

  await owner.getByRole('link', { name: '0900000002' }).focus();
  await page.keyboard.press('Tab');
  await expect(owner.getByRole('button', { name: en.shell.copy('0900000002') })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel.dialog.locator('output')).toHaveText(en.shell.copied('0900000002'));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('0900000002');
});

test('two companies on one ticket: the other one is a click away, with its trust, and Sync is about it', async ({
  panel,
  world,
}) => {
  const { helpdesk } = world;
  helpdesk.put('HD Ticket', {
    ...helpdesk.document('HD Ticket', tickets.matched),
    name: tickets.matched,
    custom_orgid: '1000391001',
  });
  await panel.open(tickets.matched);
  const companies = panel.dialog.getByRole('region', { name: en.fields.companies(2) });
  const leading = companies.getByRole('button', { name: /^Gốm Sứ Làng Mơ/ });
  const other = companies.getByRole('button', { name: /^Cà Phê Sương Núi/ });
  await expect(leading).toHaveAttribute('aria-pressed', 'true');
  await expect(leading).toContainText(en.trust.tag.confirmed);
  await expect(other).toContainText(en.trust.tag.claimed);
  await other.click();
  await expect(other).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.dialog).toContainText('Grow 2024');
  await expect(panel.dialog).toContainText(en.trust.title.claimed);
  await keepPicture(panel, 'glance-other-company');
  await panel.dialog.getByRole('button', { name: en.shell.sync, exact: true }).click();
  await expect(panel.dialog.getByRole('region', { name: en.sync.willChange })).toContainText('Cà Phê Sương Núi');

  // A customer that is neither of them.
  helpdesk.put('HD Ticket', {
    ...helpdesk.document('HD Ticket', tickets.planExpiringSoon),
    name: tickets.planExpiringSoon,
    customer: 'Khách lẻ',
    custom_platform_profile_orgid: '200000376001',
    custom_orgid: '1000391001',
  });
  await panel.open(tickets.planExpiringSoon);
  await expect(panel.dialog).toContainText(en.fields.otherCustomer('Khách lẻ', 2));
  await keepPicture(panel, 'glance-other-customer');
});
