import { optionsTextsIn } from '@deskside/extension/options-texts';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';

const texts = optionsTextsIn('en');

interface Chrome {
  chrome: {
    tabs: { query(filter: object): Promise<{ id: number; url?: string }[]> };
    action: { onClicked: { dispatch(tab: object): void } };
  };
}

test('the toolbar button works the panel on a ticket, elsewhere it opens the options page, which signs in, leads to the tickets and signs out', async ({
  context,
  page,
  panel,
  world,
}) => {
  /** Clicks the button in the tab with the helpdesk, which no test can reach with the pointer. */
  const click = () =>
    context.serviceWorkers()[0]?.evaluate(async () => {
      const { tabs, action } = (globalThis as unknown as Chrome).chrome;
      const tab = (await tabs.query({})).find(({ url }) => url?.includes('/helpdesk'));
      if (tab) action.onClicked.dispatch(tab);
    });

  await test.step('on a ticket it opens and closes the panel', async () => {
    await panel.goto(demo.tickets.matched);
    await expect(panel.launcher.locator('b')).not.toBeEmpty();
    await click();
    await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
    await click();
    await expect(panel.launcher).toHaveAttribute('aria-expanded', 'false');
  });

  await test.step('elsewhere it opens the options page: of a company’s own package, it signs in by itself', async () => {
    await page.getByRole('link', { name: 'Tickets' }).first().click();
    await page.waitForURL(/\/helpdesk\/tickets$/);
    const opened = context.waitForEvent('page');
    await click();
    const options = await opened;
    expect(options.url()).toBe(panel.optionsUrl);
    // The shortcut that the manifest suggests is one that Chromium assigns.
    await expect(options.getByText('Alt+Shift+K').first()).toBeVisible();
    await expect(options.getByRole('heading', { name: texts.title })).toBeVisible();
    await expect(options.getByRole('heading', { name: texts.ready.heading(demo.agent.fullName) })).toBeVisible();
    // A built-in address is shown and cannot be changed.
    await expect(options.locator('code')).toHaveText(/^http:/);
    await expect(options.getByRole('button', { name: texts.change })).toHaveCount(0);
    expect(await axeViolations(options)).toEqual([]);
    await expect(options.getByRole('link', { name: texts.ready.tickets })).toBeFocused();
    await options.keyboard.press('Enter');
    await options.waitForURL(`${world.helpdesk.url}/helpdesk/tickets`);
    await options.close();
  });

  await test.step('signing out there keeps the profile away until the next click on Sign in', async () => {
    await panel.open(demo.tickets.matched);
    const options = await context.newPage();
    await options.goto(panel.optionsUrl);
    await options.getByRole('button', { name: texts.signIn.signOut }).click();
    await expect(options.getByText(texts.signIn.problems.signed_out)).toBeVisible();
    await options.close();
    // The panel was left open, so it is there again.
    await page.reload();
    const { failures, shell } = textsFor('en');
    await expect(panel.rail).toContainText(failures.code.signed_out.title);
    await panel.rail.getByRole('button', { name: shell.signIn }).click();
    await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
  });
});
