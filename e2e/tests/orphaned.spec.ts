import { chromeKey } from '@deskside/extension/chrome-key';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { BrowserContext, Page } from 'playwright';
import { extensionIdOf } from '../demo/world.ts';
import { test as base, expect, ownTab } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';
import { extensionOrigin, ofAllExtensions, startSharedBrowser } from './setup/shared-browser.ts';

const { shell } = textsFor('en');
const id = extensionIdOf(chromeKey);

/** What Chromium gives the extension's own pages, and its page of all extensions, as far as it is used here. */
interface Extensions {
  chrome: {
    runtime: { reload(): void };
    management: { setEnabled(id: string, enabled: boolean): Promise<void> };
    developerPrivate: { updateProfileConfiguration(change: { inDeveloperMode: boolean }): Promise<void> };
  };
}

/** With a browser of its own: the other tests need their extension. */
const test = base.extend({
  ...ownTab,
  context: async ({ built, world, gateway: _ }, use) => {
    const { context, close } = await startSharedBrowser(built.extension);
    const value = world.helpdesk.sessionFor(demo.agent.name);
    await context.addCookies([{ name: 'sid', value, url: world.helpdesk.url }]);
    await allowUnpacked(context);
    await use(context);
    await close();
  },
});

test('over the helpdesk’s column: updated, the next version’s panel is there alone; switched off, what it lay over is back', async ({
  page,
  panel,
}) => {
  const own = page.locator('#customer button');
  await test.step('updated: the next version’s is there alone, and opens again', async () => {
    // Its owner stands on it already, so opening the panel changes nothing on the ticket.
    await panel.open(demo.tickets.responsibleSet);
    await panel.rail.evaluate((column) => column.setAttribute('data-before', ''));
    const pages = page.context().pages();
    const home = pages.find((one) => one.url().startsWith(extensionOrigin));
    // Only asked for here: what asks is gone with the version that it belongs to.
    await home?.evaluate(() => setTimeout(() => (globalThis as unknown as Extensions).chrome.runtime.reload()));
    await page.bringToFront();
    await expect(page.locator('[data-before]')).toHaveCount(0);
    await panel.settled();
    await expect(own).toBeHidden();
    await expect.poll(() => ours(page)).toEqual(['deskside-launcher', 'deskside-panel']);
    await keepPicture(panel, 'orphaned-updated');
    await panel.button(shell.close).click();
    await expect(own).toBeVisible();
    await panel.launcher.click();
    await panel.settled();
    await expect(own).toBeHidden();
  });

  await test.step('switched off: what it lay over is back', async () => {
    await switchOff(page);
    await expect(own).toBeVisible();
    await expect.poll(() => ours(page)).toEqual([]);
    await expect(page.locator('.details')).toHaveCSS('padding-top', '0px');
    await keepPicture(panel, 'orphaned-switched-off');
  });
});

/**
 * Turns developer mode on. Without it Chromium switches an unpacked extension off when it is reloaded, though not in the
 * first seconds after its own start. What can do it stays open.
 */
async function allowUnpacked(context: BrowserContext): Promise<void> {
  const extensions = await context.newPage();
  await extensions.goto(ofAllExtensions);
  await extensions.evaluate(() => {
    const { developerPrivate } = (globalThis as unknown as Extensions).chrome;
    return developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
  });
}

/** Switches the extension off, as a person does on Chromium's page of all extensions. */
async function switchOff(page: Page): Promise<void> {
  const extensions = page
    .context()
    .pages()
    .find((one) => one.url() === ofAllExtensions);
  await extensions?.evaluate((own) => {
    const { management } = (globalThis as unknown as Extensions).chrome;
    return management.setEnabled(own, false);
  }, id);
}

/** Names of the elements that the extension has put on the page. */
function ours(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .map(({ localName }) => localName)
      .filter((name) => name.startsWith('deskside-')),
  );
}
