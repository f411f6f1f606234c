import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';

const { tickets } = demo;
const { fields, people, shell, steps, trust } = textsFor('en');

test('people and companies of a ticket: each once, copied whole on however narrow a panel, two companies and twins beside each other', async ({
  page,
  panel,
  world: { helpdesk },
}) => {
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const change = (name: string, changes: object) =>
    helpdesk.put('HD Ticket', { ...helpdesk.document('HD Ticket', name), ...changes, name });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const ofTwo = { ...helpdesk.document('HD Ticket', tickets.matched), custom_orgid: '1000391001' };
  helpdesk.put('HD Ticket', { ...ofTwo, name: tickets.planWithoutEnd });

  await test.step('a person appears once with roles; what identifies them is copied by pointer and by keyboard', async () => {
    await panel.open(tickets.matched);
    const owner = panel.rail.getByRole('listitem').filter({ hasText: 'Trần Quang Khải' }).first();
    const { sender, contact, shop_owner, crm_contact, account } = people.role;
    await expect(owner).toContainText([shop_owner, crm_contact, account, contact, sender].join(', '));
    const call = owner.getByRole('link', { name: shell.call('0900000002') });
    await expect(call).toHaveAttribute('href', 'tel:0900000002');
    const address = 'owner@gomlangmo.example';
    const write = owner.getByRole('link', { name: shell.write(address) });
    await expect(write).toHaveAttribute('href', `mailto:${address}`);
    const copy = owner.getByRole('button', { name: shell.copy(address) });
    await copy.click();
    await expect(panel.said).toHaveText(shell.copied(address));
    expect(await clipboard()).toBe(address);
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await copy.focus();
    await page.keyboard.press('Enter');
    await expect.poll(clipboard).toBe(address);
  });

  await test.step('the CRM’s companies with one org id stand in two columns, and what differs is marked', async () => {
    await panel.show(tickets.newerOfTwo);
    await panel.button(steps.compare).click();
    const table = panel.rail.getByRole('table');
    await expect(table.getByRole('columnheader')).toHaveText([fields.used, new RegExp(`^${fields.other}`)]);
    const labels = await table.getByRole('rowheader').allTextContents();
    expect(labels.filter((label) => !/^\p{Lu}/u.test(label))).toEqual([]);
    await expect(table.getByRole('row', { name: fields.crmModified }).locator('mark')).toHaveCount(1);
    expect(await table.locator('mark').count()).toBeLessThan(await table.getByRole('row').count());
    const sheet = panel.rail.locator('.sheet');
    await expect(sheet).toContainText(steps.twinsUsed('Mỹ Phẩm Sen Đá'));
    const tell = sheet.getByRole('link', { name: /^Tell / });
    await expect(tell).toBeInViewport({ ratio: 1 });
    const mail = new URL((await tell.getAttribute('href')) ?? '');
    expect(mail.searchParams.get('subject')).toMatch(
      new RegExp(`^#${tickets.newerOfTwo} Mỹ Phẩm Sen Đá: 2 companies with Org ID`),
    );
    expect(mail.searchParams.get('body')).toContain(panel.url(tickets.newerOfTwo));
    await keepPicture(panel, 'twins-compared');
    await page.keyboard.press('Escape');
    await expect(table).toBeHidden();
    await expect(panel.button(steps.compare)).toBeFocused();
  });

  await test.step('two companies on one ticket: the other one is a click away, with its trust, and what is confirmed is that one', async () => {
    await panel.show(tickets.planWithoutEnd);
    await panel.button(steps.choose).click();
    const companies = panel.rail.getByRole('region', { name: steps.companies(2) });
    const leading = companies.getByRole('button', { name: /^Gốm Sứ Làng Mơ/ });
    const other = companies.getByRole('button', { name: /^Cà Phê Sương Núi/ });
    await expect(leading).toHaveAttribute('aria-pressed', 'true');
    await expect(leading).toContainText(trust.tag.confirmed);
    await expect(other).toContainText(trust.tag.claimed);
    await other.click();
    await expect(companies).toBeHidden();
    await expect(panel.rail).toContainText('Grow');
    await expect(panel.rail).toContainText(steps.replyFrom('owner@caphesuongnui.example'));
    await panel.button(steps.itsThem).click();
    await expect(panel.rail.locator('.sheet')).toContainText('Cà Phê Sương Núi');
  });

  await test.step('a customer that is neither of them is named', async () => {
    change(tickets.planExpiringSoon, {
      customer: 'Khách lẻ',
      custom_platform_profile_orgid: '200000376001',
      custom_orgid: '1000391001',
    });
    await panel.show(tickets.planExpiringSoon);
    await panel.rail.getByRole('button', { name: /^\d more$/ }).click();
    await expect(panel.rail).toContainText(steps.otherCustomer('Khách lẻ'));
  });

  await test.step('an address is one line that ends with …, whole in its tooltip and when copied, however narrow the panel', async () => {
    const sender = 'phong.ke.toan.va.cham.soc.khach.hang.khu.vuc.mien.trung.va.tay.nguyen@gomlangmo.example';
    change(tickets.confirmed, { raised_by: sender });
    await panel.show(tickets.confirmed);
    const region = panel.rail.getByRole('region', { name: people.title });
    const line = region.getByText(sender, { exact: true }).first();
    const person = region.getByRole('listitem').filter({ hasText: sender });
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
    await person.getByRole('button', { name: shell.copy(sender) }).click();
    expect(await clipboard()).toBe(sender);
    expect(await axeViolations(page, ['deskside-panel'])).toEqual([]);
  });
});
