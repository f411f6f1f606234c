import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import { expect, test } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';
import { extensionOrigin } from './setup/shared-browser.ts';

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

test.describe('the next release, from right to left', () => {
  test.use({ helpdeskPage: 'next-rtl' });

  test('the column is at the left edge, and the panel over it', async ({ page, panel }) => {
    await panel.open(ticket);
    const { column, panel: own } = await places(page);
    expect(column.left).toBe(0);
    expect(own).toEqual({ ...column, left: 5, width: column.width - 5 });
    await expect(page.locator('#customer button')).toBeHidden();
    await keepPicture(panel, 'next-right-to-left');
  });
});

test.describe('a page that was wrapped, reordered and renamed', () => {
  test.use({ helpdeskPage: 'next' });

  test('launcher and panel are where they were', async ({ page, panel }) => {
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
  });
});

test('from 853 to 1,023 px it is a sheet in the place of the column, and covers neither message nor reply', async ({
  page,
  panel,
}) => {
  await panel.open(ticket);
  for (const [width, height] of [
    [853, 533],
    [1023, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(panel.rail).toBeHidden();
    await page.locator('body').press('r');
    await panel.launcher.click();
    await expect(panel.floating).toBeVisible();
    await panel.settled(panel.floating);
    // It comes in with a movement.
    await expect.poll(async () => (await places(page)).panel).toEqual((await places(page)).column);
    const { column } = await places(page);
    for (const inView of ['.conversation', '.editor']) {
      const box = await page.locator(inView).first().boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), inView).toBeLessThanOrEqual(column.left);
    }
    await keepPicture(panel, `sheet-${width}`);
    await panel.closeButton.focus();
    await page.keyboard.press('Escape');
    await expect(panel.floating).toBeHidden();
    await expect(page.locator('#customer button')).toBeVisible();
  }
});

test('the face that the agent chose stays for the next ticket and after a reload', async ({ page, panel }) => {
  await panel.open(ticket);
  await panel.turnTo('ticketFace');
  await panel.moveTo(demo.tickets.matched);
  await expect(page.locator('#customer button')).toBeVisible();
  await expect(panel.refreshButton).toBeHidden();
  await page.reload();
  await panel.rail.waitFor();
  await expect(page.locator('#customer button')).toBeVisible();
  await panel.turnTo('customerFace');
  await panel.moveTo(ticket);
  await panel.settled();
  await expect(panel.refreshButton).toBeVisible();
});

test('a page in which nothing can be found is told of, and mended by the selectors that the proxy then names', async ({
  page,
  panel,
  world,
  gateway,
}, info) => {
  const folder = info.outputPath();
  await mkdir(folder, { recursive: true });
  await page.addInitScript(() => {
    const change = () => {
      for (const element of document.querySelectorAll('.details [id]')) element.removeAttribute('id');
      for (const [nth, label] of document.querySelectorAll('.details-label').entries()) {
        if (!label.textContent?.startsWith('Field')) label.textContent = `Field ${nth}`;
      }
      for (const button of document.querySelectorAll('header.hd [aria-label]')) button.removeAttribute('aria-label');
    };
    new MutationObserver(change).observe(document, { childList: true, subtree: true });
  });
  await panel.goto(ticket);
  await page.locator('.details').waitFor();
  await expect(page.locator('deskside-launcher[floating]')).toBeAttached();
  await panel.launcher.click();
  await expect(panel.floating).toBeVisible();

  const told: string[] = [];
  gateway.answer = (asked) => {
    if (asked.endsWith('/missing-anchor')) told.push(asked);
    return null;
  };
  // Beside the file of rules, as an operator puts it there before the reload.
  const list = { ticket_column: ['.details'], ticket_header: ['header.hd > div:last-child'] };
  await writeFile(path.join(folder, 'rules.json'), '{}');
  await writeFile(path.join(folder, 'anchors.json'), JSON.stringify(list));
  world.change({ RULES_FILE: path.join(folder, 'rules.json') });
  await expect.poll(() => told.length).toBeGreaterThanOrEqual(2);
  await expect(page.locator('header deskside-launcher:not([floating])')).toBeAttached();
  await expect(page.getByRole('complementary', { name: shell.title })).toBeVisible();
  // And at once on the next page.
  await page.reload();
  await expect(page.locator('header deskside-launcher')).toBeAttached();
  await panel.settled();
  await expect(page.getByRole('complementary', { name: shell.title })).toBeVisible();
});

test('a change of the helpdesk’s language is taken up at the next ticket', async ({ panel, world, gateway }) => {
  await panel.open(ticket);
  const launcher = panel.page.locator('deskside-launcher');
  await expect(launcher).toContainText('Customer Profile');
  // As the proxy says it once it has asked the helpdesk again, which it does each minute.
  const who = {
    ...{
      user: demo.agent.name,
      full_name: null,
      language: 'vi',
      is_agent: true,
      is_manager: false,
      proxy_version: '1.0.0',
    },
    ...{ helpdesk_url: world.helpdesk.url, missing: [] },
  };
  gateway.answer = (path) =>
    path.startsWith('/api/whoami') ? { status: 200, body: { success: true, data: who, message: 'You.' } } : null;
  await panel.moveTo(demo.tickets.matched);
  await expect(launcher).toContainText('Hồ sơ khách hàng');
});

test.describe('where the browser withholds the helpdesk', () => {
  let setAccess: (hostAccess: 'ON_CLICK' | 'ON_ALL_SITES') => Promise<void>;
  test.beforeEach(async ({ context, page, panel }) => {
    const settings = await context.newPage();
    await settings.goto('chrome://extensions');
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
  });
  test.afterEach(() => setAccess('ON_ALL_SITES'));

  test('launcher and panel say so, and have access asked for', async ({ context, page, panel }) => {
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

  test('a page that has no panel yet opens the page that asks, from the launcher', async ({ context, panel }) => {
    await setAccess('ON_CLICK');
    const opened = context.waitForEvent('page');
    await panel.launcher.focus();
    await panel.page.keyboard.press('Enter');
    await expect((await opened).getByRole('button', { name: 'Allow access' })).toBeVisible();
  });
});
