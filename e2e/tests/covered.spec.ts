import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Locator, Page } from 'playwright';
import type { DemoWorld } from '../demo/world.ts';
import { axeViolations } from './setup/axe.ts';
import { expect, ownTab, test } from './setup/fixtures.ts';
import { openAgain } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

// What a page can lay over a button that writes, without taking its clicks (docs/security.md#a-click-that-is-covered).

interface Tabs {
  query(of: object): Promise<{ id?: number }[]>;
  setZoomSettings(tab: number, settings: { scope: 'per-tab' }): Promise<void>;
  setZoom(tab: number, factor: number): Promise<void>;
}

const ticket = demo.tickets.claimed;
const { shell, steps } = textsFor('en');
const gomSu = 'Gốm Sứ Làng Mơ - 200000376001';
const customerIn = (world: DemoWorld) => () => world.helpdesk.document('HD Ticket', ticket)?.customer ?? null;

/** Covers that the browser's own hit test does not see. Each gives the page's code that takes it away again. */
const covers: Record<string, () => void> = {
  'a picture over the whole page that takes no clicks': () => {
    const picture = document.createElement('div');
    picture.id = 'cover';
    picture.style.cssText = 'position:fixed;inset:0;z-index:2147483647;background:#fff;pointer-events:none';
    document.body.append(picture);
  },
  'a wrapper that makes the panel transparent': () => {
    const wrapper = document.createElement('div');
    wrapper.id = 'cover';
    wrapper.style.opacity = '0';
    document.body.append(wrapper);
    wrapper.append(document.querySelector('deskside-panel') as HTMLElement);
  },
  'a popover in the top layer that takes no clicks': () => {
    const popover = document.createElement('div');
    popover.id = 'cover';
    popover.popover = 'manual';
    popover.style.cssText =
      'position:fixed;inset:0;width:100vw;height:100vh;border:0;margin:0;background:#fff;pointer-events:none';
    document.body.append(popover);
    popover.showPopover();
  },
};

const uncover = () => {
  const cover = document.querySelector('#cover');
  cover?.replaceWith(...cover.childNodes);
};

/** Presses a button where it is, as a person's hand does, whatever lies over it. */
async function pressWhereItIs(page: Page, button: Locator): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
  expect(width).toBeGreaterThan(0);
  await page.mouse.click(x + width / 2, y + height / 2);
}

/** Until the browser has drawn what the page shows now. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

test('under a cover no click writes until it is gone, and the panel says so; nor does one that comes at the last moment lead a click, or one that goes as the button is pressed', async ({
  page,
  panel,
  world,
}) => {
  const customer = customerIn(world);
  const alert = panel.rail.getByRole('alert').first();
  /** What an agent asks for now is answered after whatever a press has set off. */
  const startAnew = async () => {
    await panel.startSync();
    await expect(panel.confirmButton).toBeEnabled();
    expect(customer()).toBeNull();
  };
  await panel.open(ticket);
  for (const [name, cover] of Object.entries(covers)) {
    await test.step(`${name}: no click writes until it is gone, and the panel says so`, async () => {
      await page.evaluate(cover);
      await startAnew();
      await pressWhereItIs(page, panel.confirmButton);
      await expect(alert).toHaveText(shell.hidden);
      await page.evaluate(uncover);
      await expect(alert).toHaveText(shell.covered);
      await panel.button(shell.cancel).press('Enter');
    });
    // What moves the panel within the page between press and release ends the click.
    for (const goes of name.includes('wrapper') ? [false] : [false, true])
      await test.step(`${name}, at the last moment${goes ? ', gone with the press' : ''}`, async () => {
        await startAnew();
        await expect(panel.rail.getByRole('alert')).toHaveCount(0);
        const { x = 0, y = 0, width = 0, height = 0 } = (await panel.confirmButton.boundingBox()) ?? {};
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.evaluate(cover);
        await drawn(page);
        await page.mouse.down();
        if (goes) await page.evaluate(uncover);
        await page.mouse.up();
        await expect(alert).toHaveText(new RegExp(`${shell.covered}|${shell.hidden}`));
        await page.evaluate(uncover);
        await panel.button(shell.cancel).press('Enter');
      });
  }
  await startAnew();
  await panel.confirmButton.click();
  await expect.poll(customer).toBe(gomSu);
});

/** As an agent does it: the first click that the button takes, and no other. */
async function linkAndUndo(panel: PanelPage): Promise<void> {
  const customer = customerIn(panel.world);
  await panel.startSync();
  await expect(panel.confirmButton).toBeEnabled();
  await panel.confirmButton.click();
  await expect.poll(customer).toBe(gomSu);
  await expect(panel.button(shell.undo)).toBeEnabled();
  await panel.button(shell.undo).click();
  await expect.poll(customer).toBeNull();
  await expect(panel.rail.getByRole('alert')).toHaveCount(0);
  await panel.settled();
}

test.describe('in a tab of its own, which is zoomed', () => {
  test.use(ownTab);

  test('one click writes, and one takes it back: at any zoom, with forced colours, in the dark, with the sheet’s movement and without, beside a message of the page', async ({
    context,
    page,
    panel,
  }) => {
    await panel.open(ticket);
    // The other tests do it at 100 %, in light, with the sheet's own movement.
    for (const [look, factor, media] of [
      ['in the dark, without movement, beside a message', 0.8, { colorScheme: 'dark', reducedMotion: 'reduce' }],
      ['with forced colours', 1.25, { forcedColors: 'active', reducedMotion: 'no-preference' }],
      ['in the dark, with the sheet’s own movement', 1.5, { forcedColors: 'none', colorScheme: 'dark' }],
    ] as const)
      await test.step(`${factor * 100} %, ${look}`, async () => {
        await page.emulateMedia(media);
        await context.serviceWorkers()[0]?.evaluate(async (to) => {
          const { tabs } = (globalThis as unknown as { chrome: { tabs: Tabs } }).chrome;
          const [tab] = await tabs.query({ active: true, currentWindow: true });
          // In this tab alone, until it goes.
          await tabs.setZoomSettings(tab?.id ?? 0, { scope: 'per-tab' });
          await tabs.setZoom(tab?.id ?? 0, to);
        }, factor);
        await expect.poll(() => page.evaluate(() => devicePixelRatio)).toBeCloseTo(factor);
        await openAgain(panel);
        await panel.rests();
        const message = look.endsWith('message') ? await page.evaluateHandle(showMessage) : null;
        await linkAndUndo(panel);
        await message?.evaluate((toast) => toast.remove());
      });
  });
});

/** A message of the page, beside the button. */
function showMessage(): HTMLElement {
  const toast = document.createElement('div');
  toast.style.cssText = 'position:fixed;right:16px;bottom:16px;width:300px;height:60px;z-index:100;background:#fff';
  document.body.append(toast);
  return toast;
}

test('behind a filter over the whole page no click counts: Enter does, and so does a click on the page of the extension’s own', async ({
  context,
  page,
  panel,
  world,
}) => {
  const customer = customerIn(world);
  await panel.open(ticket);
  await page.evaluate(() => {
    document.documentElement.style.filter = 'invert(1) hue-rotate(180deg)';
  });
  await panel.startSync();
  await expect(panel.rail.getByRole('alert')).toHaveText(shell.hidden);
  await pressWhereItIs(page, panel.confirmButton);

  await test.step('a click on the page of its own', async () => {
    const [own] = await Promise.all([context.waitForEvent('page'), panel.button(shell.openOwn).click()]);
    await own.getByRole('button', { name: steps.itsThem, exact: true }).click();
    const confirm = own.locator('.sheet [data-deliberate]');
    await expect(confirm).toBeEnabled();
    expect(customer()).toBeNull();
    expect(await axeViolations(own)).toEqual([]);
    await confirm.click();
    await expect.poll(customer).toBe(gomSu);
    const undo = own.getByRole('button', { name: shell.undo, exact: true });
    await expect(undo).toBeEnabled();
    await undo.click();
    await expect.poll(customer).toBeNull();
    // Nothing is left of it, and the panel of the helpdesk's page stays as it was.
    await Promise.all([own.waitForEvent('close'), own.getByRole('button', { name: shell.close, exact: true }).click()]);
  });

  await test.step('Enter', async () => {
    await panel.confirmButton.press('Enter');
    await expect.poll(customer).toBe(gomSu);
  });
});
