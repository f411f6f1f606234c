import { popupTexts } from '@deskside/extension/popup-texts';
import { demo } from '@deskside/simulators/seed/index';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';

const texts = popupTexts.en;

interface Chrome {
  chrome: {
    tabs: { query(filter: object): Promise<{ id: number; url?: string }[]> };
    action: { getPopup(tab: { tabId: number }): Promise<string> };
  };
}

test('the toolbar button: the panel on a ticket, elsewhere the last customers, gone with the sign-out', async ({
  context,
  page,
  panel,
}) => {
  /** The popup that the button has in the tab with the helpdesk; empty: the click is for the panel. */
  const popup = () =>
    context.serviceWorkers()[0]?.evaluate(async () => {
      const { tabs, action } = (globalThis as unknown as Chrome).chrome;
      const tab = (await tabs.query({})).find(({ url }) => url?.includes('/helpdesk'));
      return tab && action.getPopup({ tabId: tab.id });
    });
  for (const ticket of [demo.tickets.responsibleSet, demo.tickets.matched]) {
    await panel.goto(ticket);
    await expect(panel.launcher.locator('b')).not.toBeEmpty();
    await expect.poll(popup).toBe('');
  }
  await page.getByRole('link', { name: 'Tickets' }).first().click();
  await expect.poll(popup).toContain('/popup.html');

  const toolbar = await context.newPage();
  await toolbar.goto(panel.popupUrl);
  const links = toolbar.getByRole('listitem').getByRole('link');
  await expect(links).toHaveText([/^Gốm Sứ Làng Mơ.*#61307/, /^Cà Phê Sương Núi.*#61352/]);
  await expect(links.first()).toHaveAttribute('href', panel.url(demo.tickets.matched));
  // The shortcut that the manifest suggests is one that Chromium assigns.
  await expect(toolbar.getByText('Alt+Shift+K')).toBeVisible();
  expect(await axeViolations(toolbar)).toEqual([]);
  await toolbar.emulateMedia({ colorScheme: 'dark' });
  expect(await axeViolations(toolbar)).toEqual([]);

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect
    .poll(async () => {
      await toolbar.reload();
      return toolbar.getByRole('main').textContent();
    })
    .toContain(texts.empty);
  await expect(toolbar.getByText(texts.problems.signed_out.title)).toBeVisible();
  await expect(toolbar.getByRole('button', { name: texts.actions.sign_in })).toBeEnabled();
});
