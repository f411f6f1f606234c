import { statusTexts } from '@deskside/extension/launcher-texts';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';
import { expectAccessible, looksOfPanel } from './setup/looks.ts';

for (const look of looksOfPanel) {
  const { generation, language } = look;
  const { reject: t, shell, steps } = textsFor(language);

  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language });

    test('Wrong customer asks first, takes the customer off, says who said so, and can be undone; axe agrees', async ({
      world,
      panel,
    }) => {
      const ticket = demo.tickets.onlyTicketOrgId;
      const button = (name: string) => panel.rail.getByRole('button', { name, exact: true });
      await panel.open(ticket);
      const { company_name: name } = { company_name: 'Đèn Lồng Phố Hội' };
      await panel.page.setViewportSize({ width: 1280, height: 800 });
      await panel.choose(t.button);
      await expect(button(t.now)).toBeFocused();
      await expect(button(t.now), 'all of the form is in sight').toBeInViewport({ ratio: 1 });
      await panel.rail.getByRole('radio', { name: t.reason.wrong_id }).check();
      await panel.rail.getByRole('textbox', { name: t.note }).pressSequentially('Shop cũ');
      await panel.settled();
      await expectAccessible(panel, look, 'reject_form');
      await button(t.now).click();
      await expect(panel.rail).toContainText(t.rejected(name));
      await expect(panel.rail.locator('output')).toHaveText(t.done(name));
      await expect(panel.rail.getByRole('region', { name: steps.title })).toBeFocused();
      await expect(panel.launcher).toHaveAccessibleName(new RegExp(`${statusTexts[language].rejected}$`));
      await panel.settled();
      await expectAccessible(panel, look, 'rejected');
      await button(shell.undo).click();
      await expect(panel.rail.locator('.scroller')).not.toContainText(t.rejected(name));
      await expect.poll(() => world.helpdesk.document('HD Ticket', ticket)?.custom_orgid).toBe('1000700232');
    });
  });
}
