import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const { tickets } = demo;
const en = textsFor('en');

/** As narrow as the panel gets beside a ticket. */
async function narrow(panel: PanelPage): Promise<void> {
  await panel.rail.evaluate((dialog) => {
    dialog.style.width = '347px';
  });
}

test('who, plan, health and owner are in view at once, whatever the match is', async ({ page, panel, world: _ }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await panel.open(tickets.matched);
  await narrow(panel);
  const first = [
    panel.rail.getByRole('heading', { level: 3 }).first(),
    panel.rail.getByRole('region', { name: en.fields.plan, exact: true }),
    panel.rail.getByRole('region', { name: en.fields.hsi, exact: true }),
    panel.rail.getByText(/^(owner|no owner|Medium|SME)/).first(),
  ];
  for (const [ticket, trust] of [
    [tickets.matched, en.trust.tag.confirmed],
    [tickets.likelyByCrmEmail, en.trust.addressNotVerified],
    [tickets.claimed, en.trust.tag.claimed],
    [tickets.unreadableDates, en.trust.tag.confirmed],
  ] as const) {
    await panel.moveTo(ticket);
    await expect(panel.rail).toContainText(`#${ticket}`);
    await panel.settled();
    await expect(panel.rail.getByRole('button', { name: trust, exact: true })).toBeInViewport({ ratio: 1 });
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
  const owner = panel.rail.getByRole('definition').filter({ hasText: 'Trần Quang Khải' }).first();
  const { contact, shop_owner, crm_contact, account } = en.people.also;
  await expect(owner).toContainText([contact, shop_owner, crm_contact, account].join(', '));
  await expect(owner.getByRole('link', { name: '0900000002' })).toHaveAttribute('href', 'tel:0900000002');

  const address = 'owner@gomlangmo.example';
  const copy = owner.getByRole('button', { name: en.shell.copy(address) });
  await owner.getByRole('link', { name: address }).hover();
  await copy.click();
  await expect(panel.rail.locator('output')).toHaveText(en.shell.copied(address));
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  expect(await clipboard()).toBe(address);

  await owner.getByRole('link', { name: '0900000002' }).focus();
  await page.keyboard.press('Tab');
  await expect(owner.getByRole('button', { name: en.shell.copy('0900000002') })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel.rail.locator('output')).toHaveText(en.shell.copied('0900000002'));
  expect(await clipboard()).toBe('0900000002');
});

test('what copies a value or tells of a new tab stays beside the last word, however long the value and narrow the panel', async ({
  page,
  panel,
  world: { helpdesk },
}) => {
  const ticket = tickets.matched;
  const customer = 'Công ty Trách nhiệm hữu hạn Một thành viên Thương mại và Dịch vụ Gốm Sứ Làng Mơ - 200000376001';
  const sender = 'phong.ke.toan.va.cham.soc.khach.hang.khu.vuc.mien.trung.va.tay.nguyen@gomlangmo.example';
  const old = helpdesk.document('HD Ticket', ticket);
  const linked = helpdesk.document('HD Customer', String(old?.customer));
  helpdesk.put('HD Customer', { ...linked, name: customer, customer_name: customer });
  helpdesk.put('HD Ticket', { ...old, name: ticket, customer, raised_by: sender });
  await panel.open(ticket);
  const folded = panel.rail.locator('h4 > [aria-expanded=false]');
  while ((await folded.count()) > 0) await folded.first().click();
  for (const text of [customer, sender]) await panel.rail.getByText(text, { exact: true }).first().waitFor();
  for (const width of ['320px', '351px', '380px', '410px']) {
    await panel.rail.evaluate((dialog, to) => Object.assign(dialog.style, { width: to }), width);
    await expect.poll(() => astray(panel), width).toEqual([]);
    await keepPicture(panel, `glance-copy-${width}`);
  }
  // An address that does not fit breaks where a person would break it.
  await panel.rail.evaluate((dialog) => Object.assign(dialog.style, { width: '320px' }));
  await expect.poll(() => lastLineOf(panel, 'phutrach341@crm.example')).toBe('.example');
  expect(await axeViolations(page, ['deskside-panel'])).toEqual([]);
});

/** What of a text is on its last line. */
function lastLineOf(panel: PanelPage, text: string): Promise<string> {
  return panel.rail.getByText(text, { exact: true }).evaluate((element) => {
    const letters: { letter: string; top: number }[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const [at, letter] of [...(node.textContent ?? '')].entries()) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        letters.push({ letter, top: range.getBoundingClientRect().top });
      }
    const last = letters.at(-1)?.top;
    return letters.flatMap(({ letter, top }) => (top === last ? [letter] : [])).join('');
  });
}

/**
 * The buttons that copy a value, and the icons of links that open a tab, which are not on the last line of what they belong
 * to, right behind it.
 */
function astray(panel: PanelPage): Promise<string[]> {
  return panel.rail.evaluate((dialog) => {
    const seen = (selector: string) => [...dialog.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const marks = [
      ...seen('.copyable button').map((mark) => ({ mark, of: mark.closest('.copyable')?.querySelector('.copy-room') })),
      ...seen('a svg').map((mark) => ({ mark, of: mark.closest('a')?.firstChild })),
    ];
    if (marks.length < 8) return [`only ${marks.length} buttons and icons`];
    const wrong = marks.filter(({ mark, of }) => {
      if (!of) return true;
      const range = document.createRange();
      range.selectNodeContents(of);
      const end = [...range.getClientRects()].at(-1);
      const { left, right, top, bottom } = mark.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      const isBehind =
        end && left >= end.right - 1 && left <= end.right + 24 && middle > end.top && middle < end.bottom;
      return !isBehind || right > dialog.getBoundingClientRect().right;
    });
    return wrong.map(({ mark, of }) => mark.ariaLabel ?? of?.textContent ?? '');
  });
}

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
  const choose = panel.rail.getByRole('button', { name: en.find.choose, exact: true });
  await choose.click();
  const companies = panel.rail.getByRole('region', { name: en.fields.companies(2) });
  const leading = companies.getByRole('button', { name: /^Gốm Sứ Làng Mơ/ });
  const other = companies.getByRole('button', { name: /^Cà Phê Sương Núi/ });
  await expect(leading).toHaveAttribute('aria-pressed', 'true');
  await expect(leading).toContainText(en.trust.tag.confirmed);
  await expect(other).toContainText(en.trust.tag.claimed);
  await other.click();
  await expect(companies).toBeHidden();
  await expect(panel.rail).toContainText('Grow 2024');
  await expect(panel.rail).toContainText(en.trust.check);
  await keepPicture(panel, 'glance-other-company');
  await panel.rail.getByRole('button', { name: en.shell.sync, exact: true }).click();
  await expect(panel.rail.getByRole('region', { name: en.sync.willChange })).toContainText('Cà Phê Sương Núi');

  // A customer that is neither of them.
  helpdesk.put('HD Ticket', {
    ...helpdesk.document('HD Ticket', tickets.planExpiringSoon),
    name: tickets.planExpiringSoon,
    customer: 'Khách lẻ',
    custom_platform_profile_orgid: '200000376001',
    custom_orgid: '1000391001',
  });
  await panel.open(tickets.planExpiringSoon);
  await panel.rail.getByRole('button', { name: en.shell.moreWarnings(1), exact: true }).click();
  await expect(panel.rail).toContainText(en.fields.otherCustomer('Khách lẻ', 2));
  await keepPicture(panel, 'glance-other-customer');
});
