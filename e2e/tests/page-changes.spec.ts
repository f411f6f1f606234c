import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import { expect, ownTab, test } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';
import { PanelPage } from './setup/panel-page.ts';
import { extensionOrigin, ofAllExtensions } from './setup/shared-browser.ts';

test.use(ownTab);

const { shell, failures } = textsFor('en');
const ticket = demo.tickets.responsibleSet;

interface ExtensionsPage {
  chrome: { developerPrivate: { updateExtensionConfiguration(change: object): Promise<void> } };
}

/** Where the helpdesk's column and the panel are. */
async function places(page: Page) {
  return page.evaluate(() => {
    const box = (element: Element | null | undefined) => {
      const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
      return { left, top, width, height };
    };
    const panel = document.querySelector('deskside-panel')?.shadowRoot?.querySelector('.panel');
    return { column: box(document.querySelector('.details')), panel: box(panel) };
  });
}

test('the next release: from right to left, wrapped and renamed it is at home; where nothing can be found, it says so and is told', async ({
  context,
  page,
  panel,
  world,
  gateway,
}, info) => {
  await test.step('from right to left: the column is at the left edge, and the panel over it', async () => {
    world.helpdesk.settings.page = 'next-rtl';
    await panel.open(ticket);
    const { column, panel: own } = await places(page);
    expect(column.left).toBe(0);
    expect(own).toEqual({ ...column, left: 5, width: column.width - 5 });
    await expect(page.locator('#customer button')).toBeHidden();
    await keepPicture(panel, 'next-right-to-left');
  });

  await test.step('wrapped, reordered and renamed: launcher and panel are where they were', async () => {
    world.helpdesk.settings.page = 'next';
    await page.addInitScript(() => {
      const change = () => {
        const column = document.querySelector('.details');
        if (!column || column.parentElement?.matches('.wrapper')) return;
        const wrapper = document.createElement('div');
        wrapper.className = 'hd wrapper';
        wrapper.style.display = 'flex';
        column.replaceWith(wrapper);
        wrapper.append(column);
        for (const element of column.querySelectorAll('[id]')) element.removeAttribute('id');
        column.classList.remove('relative', 'flex', 'flex-col', 'border-s', 'h-full');
        const languages = { Customer: 'Khách hàng', Team: 'Nhóm', Priority: 'Ưu tiên' };
        for (const label of column.querySelectorAll('.details-label')) {
          const name = label.textContent as keyof typeof languages;
          label.textContent = languages[name] ?? name;
        }
      };
      new MutationObserver(change).observe(document, { childList: true, subtree: true });
    });
    await panel.open(ticket);
    await expect(page.getByRole('complementary', { name: shell.title })).toBeVisible();
    const { column, panel: own } = await places(page);
    expect(own).toEqual({ ...column, left: column.left + 5, width: column.width - 5 });
    await panel.turnTo('ticketFace');
    await expect(page.getByText('Khách hàng')).toBeVisible();
    await panel.turnTo('customerFace');
    await panel.closeButton.click();
    await page.close();
  });

  await test.step('a page in which nothing can be found is told of, and mended by the selectors that the proxy then names', async () => {
    world.helpdesk.settings.page = 'own';
    const other = new PanelPage(await context.newPage(), world, 'en');
    await other.page.addInitScript(() => {
      const change = () => {
        for (const element of document.querySelectorAll('.details [id]')) element.removeAttribute('id');
        for (const [nth, label] of document.querySelectorAll('.details-label').entries()) {
          if (!label.textContent?.startsWith('Field')) label.textContent = `Field ${nth}`;
        }
        for (const button of document.querySelectorAll('header.hd [aria-label]')) button.removeAttribute('aria-label');
      };
      new MutationObserver(change).observe(document, { childList: true, subtree: true });
    });
    await other.goto(ticket);
    await other.page.locator('.details').waitFor();
    await expect(other.page.locator('deskside-launcher[floating]')).toBeAttached();
    await other.launcher.click();
    await expect(other.floating).toBeVisible();

    const told: string[] = [];
    gateway.answer = (asked) => {
      if (asked.endsWith('/missing-anchor')) told.push(asked);
      return null;
    };
    // Beside the file of rules, as an operator puts it there before the reload.
    const folder = info.outputPath();
    await mkdir(folder, { recursive: true });
    const list = { ticket_column: ['.details'], ticket_header: ['header.hd > div:last-child'] };
    await writeFile(path.join(folder, 'rules.json'), '{}');
    await writeFile(path.join(folder, 'anchors.json'), JSON.stringify(list));
    world.change({ RULES_FILE: path.join(folder, 'rules.json') });
    await expect.poll(() => told.length).toBeGreaterThanOrEqual(2);
    await expect(other.page.locator('header deskside-launcher:not([floating])')).toBeAttached();
    await expect(other.page.getByRole('complementary', { name: shell.title })).toBeVisible();
    // And at once on the next page.
    await other.page.reload();
    await expect(other.page.locator('header deskside-launcher')).toBeAttached();
    await other.settled();
    await expect(other.page.getByRole('complementary', { name: shell.title })).toBeVisible();
  });
});

test.describe('where the browser withholds the helpdesk', () => {
  let setAccess: (hostAccess: 'ON_CLICK' | 'ON_ALL_SITES') => Promise<void>;
  test.afterEach(() => setAccess('ON_ALL_SITES'));

  test('launcher and panel say so, and have access asked for; without a panel the launcher does', async ({
    context,
    page,
    panel,
  }) => {
    const settings = await context.newPage();
    await settings.goto(ofAllExtensions);
    const extensionId = new URL(extensionOrigin).host;
    setAccess = (hostAccess) =>
      settings.evaluate(
        (change) =>
          (globalThis as unknown as ExtensionsPage).chrome.developerPrivate.updateExtensionConfiguration(change),
        { extensionId, hostAccess },
      );
    await page.bringToFront();
    await panel.goto(ticket);
    await expect(panel.launcher.locator('b')).not.toBeEmpty();

    await test.step('a page that has no panel yet opens the page that asks, from the launcher', async () => {
      await setAccess('ON_CLICK');
      const opened = context.waitForEvent('page');
      await panel.launcher.focus();
      await page.keyboard.press('Enter');
      const asking = await opened;
      await expect(asking.getByRole('button', { name: 'Allow access' })).toBeVisible();
      await setAccess('ON_ALL_SITES');
      await asking.close();
      await page.bringToFront();
    });

    await test.step('launcher and panel say so', async () => {
      await panel.launcher.hover();
      await expect(page.locator('deskside-panel')).toBeAttached();
      await setAccess('ON_CLICK');
      // What is on screen was asked for before.
      await panel.moveTo(demo.tickets.matched);
      await expect(panel.launcher).toContainText('Allow access');
      await panel.launcher.click();
      await expect(panel.rail).toContainText(failures.code.access_withheld.title);
      await keepPicture(panel, 'access-withheld');
      const opened = context.waitForEvent('page');
      await panel.rail.getByRole('button', { name: shell.allowAccess }).click();
      const asking = await opened;
      await expect(asking.getByRole('button', { name: 'Allow access' })).toBeVisible();
      await setAccess('ON_ALL_SITES');
      await asking.close();
      await page.bringToFront();
      await panel.settled();
      await expect(panel.rail).not.toContainText(failures.code.access_withheld.title);
    });
  });
});
