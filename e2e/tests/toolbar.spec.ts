import { optionsTextsIn } from '@deskside/extension/options-texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';

interface Chrome {
  chrome: {
    tabs: { query(filter: object): Promise<{ id: number; url?: string }[]> };
    action: { onClicked: { dispatch(tab: object): void } };
  };
}

test('the toolbar button opens and closes the panel on a ticket, elsewhere it opens the options page', async ({
  context,
  page,
  panel,
}) => {
  /** Clicks the button in the tab with the helpdesk, which no test can reach with the pointer. */
  const click = () =>
    context.serviceWorkers()[0]?.evaluate(async () => {
      const { tabs, action } = (globalThis as unknown as Chrome).chrome;
      const tab = (await tabs.query({})).find(({ url }) => url?.includes('/helpdesk'));
      if (tab) action.onClicked.dispatch(tab);
    });
  await panel.goto(demo.tickets.matched);
  await expect(panel.launcher.locator('b')).not.toBeEmpty();
  await click();
  await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
  await click();
  await expect(panel.launcher).toHaveAttribute('aria-expanded', 'false');

  await page.getByRole('link', { name: 'Tickets' }).first().click();
  await page.waitForURL(/\/helpdesk\/tickets$/);
  const opened = context.waitForEvent('page');
  await click();
  const options = await opened;
  expect(options.url()).toBe(panel.optionsUrl);
  // The shortcut that the manifest suggests is one that Chromium assigns.
  await expect(options.getByText('Alt+Shift+K').first()).toBeVisible();
  await expect(options.getByRole('heading', { name: optionsTextsIn('en').title })).toBeVisible();
});
