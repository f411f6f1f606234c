import { statusTexts } from '@deskside/extension/launcher-texts';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';
import { expectAccessible, looksOfPanel } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const { tickets } = demo;
const field = (panel: PanelPage, label: string) => panel.rail.getByRole('textbox', { name: label });

for (const look of looksOfPanel) {
  const { generation, language } = look;
  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language });
    const t = textsFor(language);

    test('finding a company, and rejecting one: by keyboard alone, beside a doubtful one, none, and a CRM that fails', async ({
      page,
      world,
      gateway,
      panel,
    }) => {
      const bySender = world.helpdesk.document('HD Ticket', tickets.contactBySender);
      world.helpdesk.put('HD Ticket', {
        ...{ ...bySender, name: tickets.contactBySender, customer: null, custom_org_id: null, custom_orgid: null },
      });
      await test.step('an agent finds the company by keyboard alone, and links the ticket to it', async () => {
        const customer = () => world.helpdesk.document('HD Ticket', tickets.missingOrgId)?.customer ?? null;
        await panel.open(tickets.missingOrgId);
        // Nothing was found by the sender.
        await expect(panel.button(t.steps.insertQuestion)).toBeVisible();
        await expect(field(panel, t.find.label)).toHaveValue('');
        await expect(panel.rail.locator('.content').getByText('khach.vang.lai@hopthu.example')).toHaveCount(1);
        await expectAccessible(panel, look, 'find');
        const address = page.url();
        await field(panel, t.find.label).focus();
        // Letters that are shortcuts of the helpdesk's page.
        await page.keyboard.type('crta ?owner@gomlangmo.example');
        await page.keyboard.press('Control+a');
        await page.keyboard.type('owner@gomlangmo.example');
        await page.keyboard.press('Enter');
        const link = panel.rail.getByRole('button', { name: t.find.linkNamed('Gốm Sứ Làng Mơ') });
        await expect(link).toBeVisible();
        await expect(panel.rail.getByRole('status')).toHaveText(t.find.count(1));
        // However far down somebody reads, the next search is at hand.
        await page.setViewportSize({ width: 1280, height: 560 });
        const read = panel.rail.locator('.scroller');
        expect(await read.evaluate((one) => [one.scrollTo(0, one.scrollHeight), one.scrollTop][1])).toBeGreaterThan(50);
        await expect(field(panel, t.find.label)).toBeInViewport({ ratio: 1 });
        await page.setViewportSize({ width: 1280, height: 800 });
        for (let tabs = 0; tabs < 4 && !(await link.evaluate((one) => one.matches(':focus'))); tabs += 1)
          await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await expect(panel.confirmButton).toBeFocused();
        await expectAccessible(panel, look, 'find_preview');
        await expect(panel.confirmButton).toBeEnabled();
        await page.keyboard.press('Enter');
        await expect(panel.rail).toContainText(t.sync.done.linked('Gốm Sứ Làng Mơ - 200000376001'));
        expect([page.url(), customer()]).toEqual([address, 'Gốm Sứ Làng Mơ - 200000376001']);
        await expect(panel.rail.getByRole('heading', { name: 'Gốm Sứ Làng Mơ', exact: true })).toBeVisible();
        await expect(field(panel, t.find.label)).toHaveCount(0);
      });

      await test.step('where the CRM is off nothing is said not to be in it', async () => {
        gateway.target = await world.startAnotherProxy({ CRM_ENABLED: '0' });
        await panel.show(tickets.contactBySender);
        await expect(panel.rail).toContainText(t.find.senderNotSearched(t.crm.disabled));
        await field(panel, t.find.label).fill('không ai tên thế này');
        await page.keyboard.press('Enter');
        await expect(panel.rail).toContainText(t.find.onlyHelpdesk(t.crm.disabled));
        await expect(panel.rail).toContainText(t.find.noneInHelpdesk(t.find.kind.name));
        await expect(panel.rail.locator('.content')).not.toContainText(t.shell.searched('').trim());
        await expectAccessible(panel, look, 'find_crm_off');
        gateway.target = world.proxyUrl;
      });

      await test.step('Wrong customer asks first, takes the customer off, says who said so, and can be undone', async () => {
        const { reject, steps } = t;
        const ticket = demo.tickets.onlyTicketOrgId;
        await panel.show(ticket);
        const name = 'Đèn Lồng Phố Hội';
        await page.setViewportSize({ width: 1280, height: 800 });
        await panel.choose(reject.button);
        await expect(panel.button(reject.now)).toBeFocused();
        await expect(panel.button(reject.now), 'all of the form is in sight').toBeInViewport({ ratio: 1 });
        await panel.rail.getByRole('radio', { name: reject.reason.wrong_id }).check();
        await panel.rail.getByRole('textbox', { name: reject.note }).pressSequentially('Shop cũ');
        await panel.settled();
        await expectAccessible(panel, look, 'reject_form');
        await panel.button(reject.now).click();
        await expect(panel.rail).toContainText(reject.rejected(name));
        await expect(panel.said).toHaveText(reject.done(name));
        await expect(panel.rail.getByRole('region', { name: steps.title })).toBeFocused();
        await expect(panel.launcher).toHaveAccessibleName(new RegExp(`${statusTexts[language].rejected}$`));
        await panel.settled();
        await expectAccessible(panel, look, 'rejected');
        await panel.undo();
        await expect(panel.rail.locator('.scroller')).not.toContainText(reject.rejected(name));
        await expect.poll(() => world.helpdesk.document('HD Ticket', ticket)?.custom_orgid).toBe('1000700232');
      });

      await test.step('beside a company it opens over it; nothing found, and a CRM that fails, are told apart', async () => {
        await panel.show(tickets.claimed);
        await panel.choose(t.find.another);
        await expect(field(panel, t.find.label)).toBeFocused();
        const search = async (query: string) => {
          await field(panel, t.find.label).fill(query);
          await page.keyboard.press('Enter');
        };
        await search('sen đá');
        await expect(panel.rail).toContainText(t.find.sameOrgId(1));
        await expectAccessible(panel, look, 'find_beside_claim');
        await search('không ai tên thế này');
        await expect(panel.rail).toContainText(t.find.none(t.find.kind.name));
        world.crm.fault = 'server_error';
        await search('gốm');
        await expect(panel.rail).toContainText(t.find.crmFailed);
        await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ - 200000376001');
        await expectAccessible(panel, look, 'find_crm_failed');
      });
    });
  });
}
