import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Locator, Page } from 'playwright';
import { expect, test } from './setup/fixtures.ts';
import { holdScript } from './setup/hold-script.ts';
import { keepPicture } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';
import { difference, steadyPicture } from './setup/pictures.ts';

const { shell } = textsFor('en');
// Its owner stands on it already, so opening the panel changes nothing on the ticket.
const ticket = demo.tickets.responsibleSet;

for (const generation of ['1.28', '1.24'] as const) {
  test.describe(`Helpdesk ${generation}`, () => {
    test.use({ generation });

    test('menus, dialogs and toasts lie above the panel, pop-up and column alike', async ({ page, panel }) => {
      await panel.open(ticket);
      await expectOverlaysAbove(page, panel.dialog);
      await keepPicture(panel, `${generation}-menus-over-the-pop-up`);
      await panel.dock();
      await expectOverlaysAbove(page, panel.column);
      await expect
        .poll(() => page.evaluate(() => document.querySelector('#app')?.nextElementSibling?.localName))
        .toBe('deskside-panel');
    });

    test('docked: beside the page, as wide as dragged, remembered, and undone without a trace', async ({
      page,
      panel,
      world,
    }) => {
      const bare = await pictureWithout(page, panel, world.helpdesk.url);
      await panel.open(ticket);
      await panel.closeButton.click();
      await expectAsWithout(panel, bare, 'closed');

      await panel.launcher.click();
      await panel.dock();
      await expectBeside(page, panel, 380);
      await keepPicture(panel, `${generation}-docked-1440`);
      const edge = panel.column.getByRole('separator', { name: shell.width });
      await drag(page, edge, 1440 - 430);
      await expectBeside(page, panel, 430);
      // The page keeps its 980 pixels, however far the edge is dragged.
      await drag(page, edge, 300);
      await expectBeside(page, panel, 460);
      await edge.focus();
      for (const key of ['Home', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
      await expectBeside(page, panel, 352);

      // Without room for both it pops up; with room again it is back.
      for (const [width, picture] of [
        [1280, '1280'],
        [1024, '1024'],
        [420, '420'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await expect(panel.dialog).toBeVisible();
        await expect(panel.dialog.getByRole('button', { name: shell.dock })).toHaveCount(0);
        await expect.poll(() => panel.frameWidth()).toBe(width);
        await keepPicture(panel, `${generation}-docked-at-${picture}`);
      }
      await page.setViewportSize({ width: 1300, height: 900 });
      await expectBeside(page, panel, 320);
      await keepPicture(panel, `${generation}-docked-1300`);
      await page.setViewportSize({ width: 1440, height: 900 });
      await expectBeside(page, panel, 352);

      // A reload, the list, and the next ticket.
      await reloadSlowly(page, () => expect.poll(() => panel.roomForFrame()).toBe(1440 - 352));
      await panel.settled(panel.column);
      await expectBeside(page, panel, 352);
      expect(await page.evaluate(() => (window as unknown as { widths: number[] }).widths)).toEqual([1440 - 352]);
      await goInPage(page, '/helpdesk/tickets');
      await expect(panel.column).toBeHidden();
      await expect.poll(() => panel.frameWidth()).toBe(1440);
      await goInPage(page, `/helpdesk/tickets/${ticket}`);
      await panel.settled(panel.column);
      await expectBeside(page, panel, 352);

      await panel.column.getByRole('button', { name: shell.undock }).click();
      await expect(panel.dialog).toBeVisible();
      await expect.poll(() => panel.frameWidth()).toBe(1440);
      await panel.dialog.getByRole('button', { name: shell.dock }).click();
      await expectBeside(page, panel, 352);
      await panel.column.getByRole('button', { name: shell.close, exact: true }).click();
      await expect(panel.column).toBeHidden();
      await expectAsWithout(panel, bare, 'undocked');
      await page.reload();
      await panel.launcher.waitFor();
      await expectAsWithout(panel, bare, 'reloaded');
    });
  });
}

/** The column stands at the right edge, from top to bottom, and the page ends where it begins. */
async function expectBeside(page: Page, panel: PanelPage, width: number): Promise<void> {
  await expect(panel.column.getByRole('separator')).toHaveAttribute('aria-valuenow', String(width));
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  await expect.poll(() => panel.frameWidth()).toBe(window.width - width);
  const place = { x: window.width - width, y: 0, width, height: window.height };
  await expect.poll(() => panel.column.boundingBox()).toEqual(place);
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

async function drag(page: Page, edge: Locator, toX: number): Promise<void> {
  const box = await edge.boundingBox();
  if (!box) throw new Error('There is no edge.');
  await page.mouse.move(box.x + 3, 400);
  await page.mouse.down();
  await page.mouse.move((box.x + toX) / 2, 420);
  await page.mouse.move(toX, 430);
  await page.mouse.up();
}

/**
 * Loads the page again, whose own scripts run only once `before` has passed: the real ones take hundreds of milliseconds.
 * Notes every width that the page's frame has, from the first one on.
 */
async function reloadSlowly(page: Page, before: () => Promise<void>): Promise<void> {
  const release = await holdScript(page);
  await page.addInitScript(() => {
    const widths: number[] = [];
    (window as unknown as { widths: number[] }).widths = widths;
    const look = () => {
      const width = document.querySelector('#app > div')?.getBoundingClientRect().width;
      if (width !== undefined && width !== widths.at(-1)) widths.push(width);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.reload({ waitUntil: 'commit' });
  await before();
  release();
}

/** Goes to an address as the helpdesk's own router does: without a page load. */
async function goInPage(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
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

async function expectAsWithout(panel: PanelPage, bare: Bare, when: string): Promise<void> {
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
    const except = [before, after].flatMap((box) => (box ? [grown(box)] : []));
    return difference(page, bare.picture, picture, except);
  };
  await expect.poll(differs, when).toBeNull();
  const changed = async () => (await frameStyles(page)).filter((style, nth) => style !== bare.styles[nth]);
  await expect.poll(changed, when).toEqual([]);
}

const grown = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x: Math.floor(x) - 1,
  y: Math.floor(y) - 1,
  width: Math.ceil(width) + 2,
  height: Math.ceil(height) + 2,
});
