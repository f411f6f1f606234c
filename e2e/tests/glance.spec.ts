import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';

const { tickets } = demo;
const en = textsFor('en');

test('a person appears once with roles; what identifies them is copied by pointer and by keyboard', async ({
  page,
  panel,
  world: _,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.open(tickets.matched);
  const owner = panel.rail.getByRole('listitem').filter({ hasText: 'Trần Quang Khải' }).first();
  const { sender, contact, shop_owner, crm_contact, account } = en.people.role;
  await expect(owner).toContainText([sender, contact, shop_owner, crm_contact, account].join(', '));
  await expect(owner.getByRole('link', { name: en.shell.call('0900000002') })).toHaveAttribute(
    'href',
    'tel:0900000002',
  );

  const address = 'owner@gomlangmo.example';
  await expect(owner.getByRole('link', { name: en.shell.write(address) })).toHaveAttribute('href', `mailto:${address}`);
  const copy = owner.getByRole('button', { name: en.shell.copy(address) });
  await copy.click();
  await expect(panel.rail.locator('output')).toHaveText(en.shell.copied(address));
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  expect(await clipboard()).toBe(address);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await copy.focus();
  await page.keyboard.press('Enter');
  await expect.poll(clipboard).toBe(address);
});

test('an address is one line that ends with …, whole in its tooltip and when copied, however narrow the panel', async ({
  page,
  panel,
  world: { helpdesk },
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const ticket = tickets.matched;
  const sender = 'phong.ke.toan.va.cham.soc.khach.hang.khu.vuc.mien.trung.va.tay.nguyen@gomlangmo.example';
  const old = helpdesk.document('HD Ticket', ticket);
  helpdesk.put('HD Ticket', { ...old, name: ticket, raised_by: sender });
  await panel.open(ticket);
  const people = panel.rail.getByRole('region', { name: en.people.title });
  const line = people.getByText(sender, { exact: true }).first();
  const person = people.getByRole('listitem').filter({ hasText: sender });
  await expect(person.locator('[title]').first()).toHaveAttribute('title', new RegExp(sender));
  for (const width of ['300px', '320px', '351px']) {
    await panel.rail.evaluate((dialog, to) => Object.assign(dialog.style, { width: to }), width);
    expect(await panel.rail.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth), width).toBe(0);
    // What is cut off is a box of its own beside the rest.
    const lines = await line.evaluate((one) => new Set([...one.getClientRects()].map(({ top }) => top)).size);
    expect(lines).toBe(1);
    await person.getByRole('button').scrollIntoViewIfNeeded();
    await expect(person.getByRole('button')).toBeInViewport({ ratio: 1 });
  }
  await person.getByRole('button', { name: en.shell.copy(sender) }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sender);
  expect(await axeViolations(page, ['deskside-panel'])).toEqual([]);
});

test('two companies on one ticket: the other one is a click away, with its trust, and what is confirmed is that one', async ({
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
  const choose = panel.rail.getByRole('button', { name: en.steps.choose, exact: true });
  await choose.click();
  const companies = panel.rail.getByRole('region', { name: en.steps.companies(2) });
  const leading = companies.getByRole('button', { name: /^Gốm Sứ Làng Mơ/ });
  const other = companies.getByRole('button', { name: /^Cà Phê Sương Núi/ });
  await expect(leading).toHaveAttribute('aria-pressed', 'true');
  await expect(leading).toContainText(en.trust.tag.confirmed);
  await expect(other).toContainText(en.trust.tag.claimed);
  await other.click();
  await expect(companies).toBeHidden();
  await expect(panel.rail).toContainText('Grow');
  await expect(panel.rail).toContainText(en.steps.replyFrom('owner@caphesuongnui.example'));
  await panel.rail.getByRole('button', { name: en.steps.itsThem, exact: true }).click();
  await expect(panel.rail.locator('.sheet')).toContainText('Cà Phê Sương Núi');

  // A customer that is neither of them.
  helpdesk.put('HD Ticket', {
    ...helpdesk.document('HD Ticket', tickets.planExpiringSoon),
    name: tickets.planExpiringSoon,
    customer: 'Khách lẻ',
    custom_platform_profile_orgid: '200000376001',
    custom_orgid: '1000391001',
  });
  await panel.open(tickets.planExpiringSoon);
  await panel.rail.getByRole('button', { name: /^\d more$/ }).click();
  await expect(panel.rail).toContainText(en.steps.otherCustomer('Khách lẻ'));
});

test('the CRM’s companies with one org id stand in two columns, and what differs is marked', async ({
  panel,
  world: _,
}) => {
  await panel.open(tickets.newerOfTwo);
  await panel.rail.getByRole('button', { name: en.steps.compare, exact: true }).click();
  const table = panel.rail.getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveText([en.fields.shown, new RegExp(`^${en.fields.other}`)]);
  await expect(table.getByRole('row', { name: en.fields.crmModified }).locator('mark')).toHaveCount(1);
  expect(await table.locator('mark').count()).toBeLessThan(await table.getByRole('row').count());
  await panel.page.keyboard.press('Escape');
  await expect(table).toBeHidden();
  await expect(panel.rail.getByRole('button', { name: en.steps.compare, exact: true })).toBeFocused();
});
