import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Locator, Page } from 'playwright';
import { expect, test } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';
import { type Box, difference, steadyPicture } from './setup/pictures.ts';

const { shell } = textsFor('en');
// Its owner stands on it already, so opening the panel changes nothing on the ticket.
const ticket = demo.tickets.responsibleSet;

/** Left of the panel stay the edge of the helpdesk's column and the handle that makes it wider. */
const edge = 5;

for (const [generation, served, helpdeskPage] of [
  ['1.28', '1.28', 'own'],
  ['1.24', '1.24', 'own'],
  ['next', '1.28', 'next'],
] as const) {
  test.describe(`Helpdesk ${generation}`, () => {
    test.use({ generation: served, helpdeskPage });

    test("it is a face of the helpdesk's own column, which it neither moves nor narrows, and page and panel leave each other alone", async ({
      page,
      panel,
      world,
    }) => {
      const ownField = page.locator('#customer button');

      await test.step('it lies over the column at every width, and nothing else of the page is another', async () => {
        const bare = await pictureWithout(page, panel, world.helpdesk.url);
        await panel.goto(ticket);
        await expectAsWithout(panel, bare, 'with the launcher');
        await panel.launcher.click();
        await panel.settled();
        for (const width of [1024, 1280, 1920]) {
          await page.setViewportSize({ width, height: 800 });
          await expectOverColumn(page, panel, 352);
          await expect(page.getByRole('complementary', { name: shell.title })).toBeVisible();
          expect(await panel.frameWidth()).toBe(width);
          await keepPicture(panel, `${generation}-rail-${width}`);
        }
        await page.setViewportSize({ width: 1440, height: 900 });
        await expectOverColumn(page, panel, 352);
        await expectAsWithout(panel, bare, 'open', await columnBox(page));
        await panel.closeButton.click();
        await expect(panel.rail).toBeHidden();
        await expectAsWithout(panel, bare, 'closed');
        await panel.launcher.click();
        await panel.settled();
      });

      await test.step('the helpdesk’s own handle makes both wider and narrower', async () => {
        for (const width of [430, 300, 352]) {
          await dragHandle(page, width);
          await expectOverColumn(page, panel, width);
        }
      });

      await test.step('the face that the agent chose stays for the next ticket and after a reload', async () => {
        await panel.turnTo('ticketFace');
        await expect(panel.closeButton).toBeVisible();
        await expect(ownField).toBeVisible();
        await expect(panel.refreshButton).toBeHidden();
        await keepPicture(panel, `${generation}-rail-ticket`);
        await panel.moveTo(demo.tickets.matched);
        await expect(ownField).toBeVisible();
        await expect(panel.refreshButton).toBeHidden();
        // The extension's own memory, beside whatever page.
        if (generation === '1.28') await page.reload();
        await panel.rail.waitFor();
        await expect(ownField).toBeVisible();
        await panel.turnTo('customerFace');
        await expect(ownField).toBeHidden();
        await panel.moveTo(ticket);
        await panel.settled();
        await expect(panel.refreshButton).toBeVisible();
        await expectOverColumn(page, panel, 352);
      });

      await test.step('on the list it is away, on the next ticket there again; thrown away by the page, it comes at a press', async () => {
        await panel.goInPage('/helpdesk/tickets');
        await expect(panel.rail).toBeHidden();
        await panel.moveTo(ticket);
        await panel.settled();
        await expectOverColumn(page, panel, 352);
        // What it lay over is back at once.
        await page.evaluate(() => document.querySelector('deskside-panel')?.remove());
        await expect(ownField).toBeVisible();
        await panel.launcher.click();
        await expectOverColumn(page, panel, 352);
      });

      await test.step('menus, dialogs and toasts lie above it', async () => {
        await expectOverlaysAbove(page, panel.rail);
        await keepPicture(panel, `${generation}-menus-over-the-panel`);
        await expect
          .poll(() => page.evaluate(() => document.querySelector('#app')?.nextElementSibling?.localName))
          .toBe('deskside-panel');
      });

      await test.step('where the page needs one of its own fields, the column turns to them', async () => {
        for (const key of ['t', 'p', 'Shift+T', 'a']) {
          await page.locator('body').press(key);
          await page.locator('[data-reka-popper-content-wrapper]').waitFor();
          await expect(ownField).toBeVisible();
          await page.keyboard.press('Escape');
          await panel.turnTo('customerFace');
          await expect(ownField).toBeHidden();
        }
        // What is turned away is out of the tab order: from the editor's buttons straight into the panel.
        await page.locator('.comm-buttons button').last().focus();
        await page.keyboard.press('Tab');
        await expect(panel.rail.locator(':focus')).toHaveCount(1);
      });

      await test.step('launcher and panel keep their own look under hostile styles', async () => {
        const company = panel.rail.locator('h3[title]').first();
        await expect(company).toHaveCSS('font-size', '16px');
        await expect(company).toHaveCSS('letter-spacing', 'normal');
        const height = () => panel.refreshButton.evaluate((element) => element.getBoundingClientRect().height);
        await expect.poll(height).toBeGreaterThanOrEqual(24);
        expect(await height()).toBeLessThan(48);
      });

      await test.step("the helpdesk's shortcuts work from launcher and panel as from elsewhere", async () => {
        const fired = () => page.evaluate(() => (window as unknown as { __shortcuts: unknown[] }).__shortcuts.length);
        const before = await fired();
        for (const target of [panel.refreshButton, panel.closeButton, panel.launcher]) {
          await target.focus();
          await page.keyboard.press('Control+k');
          await page.locator('.dialog-overlay').waitFor();
          await page.keyboard.press('Escape');
          await expect(page.locator('.dialog-overlay')).toHaveCount(0);
        }
        expect(await fired()).toBe(before + 3);
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await page.locator('body').press('r');
        await expect.poll(fired).toBe(before + 4);
      });

      await test.step('the org id goes into the open reply as text, at its cursor', async () => {
        const editor = page.locator('.editor');
        await editor.pressSequentially('Org: .');
        await page.keyboard.press('ArrowLeft');
        const company = panel.rail.locator('dd', { hasText: /^\d{8,}$/ }).first();
        const orgId = (await company.textContent()) ?? '';
        await company.hover();
        await panel.rail.getByRole('button', { name: shell.insert(orgId) }).click();
        await expect(editor).toHaveText(`Org: ${orgId}.`);
        await expect(editor).toBeFocused();
        expect(await editor.locator('*').count()).toBe(0);
      });
    });
  });
}

test('below 1,024 px it opens by the agent alone: a sheet in the column’s place that covers nothing, or over the page', async ({
  page,
  panel,
}) => {
  await panel.open(ticket);
  await page.locator('body').press('r');
  for (const [width, height, isSheet] of [
    [1023, 640, true],
    [853, 533, true],
    [640, 400, false],
    [420, 800, false],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(panel.rail).toBeHidden();
    await expect(panel.floating).toBeHidden();
    await panel.launcher.click();
    await expect(panel.floating).toBeVisible();
    await panel.settled(panel.floating);
    if (isSheet) {
      // It comes in with a movement.
      await expect.poll(() => panel.floating.boundingBox()).toEqual(await columnBox(page));
      const column = await columnBox(page);
      for (const inView of ['.conversation', '.editor']) {
        const box = await page.locator(inView).first().boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), inView).toBeLessThanOrEqual(column.x);
      }
    }
    await keepPicture(panel, `floating-${width}`);
    await panel.closeButton.focus();
    await page.keyboard.press('Escape');
    await expect(panel.floating).toBeHidden();
    // Closed by the agent: it stays closed, and what it lay over is back.
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(panel.rail).toBeHidden();
    await expect(page.locator('#customer button')).toBeVisible();
    await panel.launcher.click();
    await expect(panel.rail).toBeVisible();
  }
});

/** The place of the helpdesk's own column. */
function columnBox(page: Page) {
  return page.evaluate(() => {
    const { x, y, width, height } = document.querySelector('.details')?.getBoundingClientRect() ?? new DOMRect();
    return { x, y, width, height };
  });
}

/** The helpdesk's column is this wide, and the panel lies over it. */
async function expectOverColumn(page: Page, panel: PanelPage, width: number): Promise<void> {
  const places = async () => {
    const [column, own] = [await columnBox(page), await panel.rail.boundingBox()];
    return {
      column: column.width,
      right: column.x + column.width,
      own,
      expected: { ...column, x: column.x + edge, width: column.width - edge },
    };
  };
  await expect
    .poll(async () => {
      const { column, right, own, expected } = await places();
      return [column, right, JSON.stringify(own) === JSON.stringify(expected)];
    })
    .toEqual([width, page.viewportSize()?.width, true]);
}

/** Drags the helpdesk's own handle until its column is this wide. */
async function dragHandle(page: Page, width: number): Promise<void> {
  // The page would drag along what the last drag has selected.
  await page.evaluate(() => getSelection()?.removeAllRanges());
  const { x } = await columnBox(page);
  const { width: window } = page.viewportSize() ?? { width: 0 };
  await page.mouse.move(x + 3, 400);
  await page.mouse.down();
  await page.mouse.move(window - width + 20, 420);
  await page.mouse.move(window - width, 430);
  await page.mouse.up();
}

/** Opens each menu, the search palette and a toast, and looks what is on top at several points of them. */
async function expectOverlaysAbove(page: Page, panel: Locator): Promise<void> {
  const header = page.locator('#app-header header > div:last-child');
  for (const [overlay, reveal] of [
    ['[data-reka-popper-content-wrapper]', () => header.locator('.hd[aria-haspopup=menu]').first().click()],
    ['[data-reka-popper-content-wrapper]', () => header.locator('.hd[aria-haspopup=menu]').last().click()],
    ['.dialog-overlay', () => page.keyboard.press('Control+k')],
  ] as const) {
    await reveal();
    await page.locator(overlay).waitFor();
    await expect.poll(() => covered(page, overlay), overlay).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.locator(overlay)).toHaveCount(0);
  }
  // Elsewhere the panel is what a click meets.
  const hit = () =>
    panel.evaluate((element) => {
      const { left, top, width } = element.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + 100)?.localName;
    });
  await expect.poll(hit).toBe('deskside-panel');
  await page.evaluate(() => {
    const toast = Object.assign(document.createElement('li'), { className: 'hd toast', textContent: 'A toast' });
    toast.style.pointerEvents = 'auto';
    document.querySelector('#toasts')?.append(toast);
  });
  await expect.poll(() => covered(page, '.toast')).toEqual([]);
  await page.locator('.toast').evaluate((toast) => toast.remove());
}

/** Points of an overlay at which something else is on top. */
function covered(page: Page, overlay: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const element = document.querySelector(selector);
    if (!element) return [`no ${selector}`];
    const { left, top, width, height } = element.getBoundingClientRect();
    const found: string[] = [];
    for (const across of [0.2, 0.5, 0.8]) {
      for (const down of [0.2, 0.5, 0.8]) {
        const hit = document.elementFromPoint(left + width * across, top + height * down);
        if (!element.contains(hit)) found.push(`${across} ${down}: ${hit?.localName}`);
      }
    }
    return found;
  }, overlay);
}

/** The page as it is without the extension, which knows the helpdesk by another name. */
async function pictureWithout(page: Page, panel: PanelPage, helpdesk: string): Promise<Bare> {
  const elsewhere = helpdesk.replace('127.0.0.1', 'localhost');
  const context = page.context();
  const [session] = await context.cookies(helpdesk);
  if (!session) throw new Error('Nobody is signed in.');
  await context.addCookies([{ name: 'sid', value: session.value, url: elsewhere }]);
  const other = await context.newPage();
  await other.goto(panel.url(ticket).replace('127.0.0.1', 'localhost'));
  await other.locator('.details').waitFor();
  await other.mouse.move(5, 5);
  const bare = { picture: await steadyPicture(other), styles: await frameStyles(other) };
  expect(await other.locator('deskside-launcher').count()).toBe(0);
  await other.close();
  return bare;
}

interface Bare {
  picture: Buffer;
  styles: string[];
}

/** The computed styles of the page's outermost elements. */
function frameStyles(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, document.body, ...document.querySelectorAll('#app, #app > *')].flatMap(
      (element, nth) => {
        const style = getComputedStyle(element);
        // Custom properties come in any order.
        return [...style].sort().map((name) => `${nth} ${name}: ${style.getPropertyValue(name)}`);
      },
    ),
  );
}

async function expectAsWithout(panel: PanelPage, bare: Bare, when: string, but?: Box): Promise<void> {
  const { page } = panel;
  await page.locator('.details').waitFor();
  await page.mouse.move(5, 5);
  await expect.poll(() => panel.frameWidth()).toBe(1440);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const launcher = page.locator('deskside-launcher');
  const differs = async () => {
    // The launcher is as wide as its words, and its status may arrive while the picture is taken.
    const before = await launcher.boundingBox();
    const picture = await page.screenshot({ animations: 'disabled' });
    const after = await launcher.boundingBox();
    const except = [before, after, but].flatMap((box) => (box ? [grown(box)] : []));
    return difference(page, bare.picture, picture, except);
  };
  await expect.poll(differs, when).toBeNull();
  const changed = async () => (await frameStyles(page)).filter((style, nth) => style !== bare.styles[nth]);
  await expect.poll(changed, when).toEqual([]);
}

const grown = ({ x, y, width, height }: Box) => ({
  x: Math.floor(x) - 1,
  y: Math.floor(y) - 1,
  width: Math.ceil(width) + 2,
  height: Math.ceil(height) + 2,
});
