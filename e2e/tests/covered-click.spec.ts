import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { ElementHandle, Locator, Page } from 'playwright';
import type { World } from '../demo/world.ts';
import { expect, test } from './setup/fixtures.ts';
import { expectAccessible, looksOfPanel } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const ticket = demo.tickets.claimed;
const en = textsFor('en');
const customerOf = (world: World) => world.helpdesk.document('HD Ticket', ticket)?.customer ?? null;
const question = (panel: PanelPage) => panel.page.getByRole('alertdialog');
const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true });

/** What a page can do so that a person does not see what they click, while the click goes through. */
const tricks = {
  'a cover that lets clicks through':
    'html::after{content:"";position:fixed;inset:0;z-index:2147483647;background:#fff;pointer-events:none}',
  'a page that is all but transparent': 'html{opacity:.02}',
  'a filter that hides the page': 'html{filter:opacity(0)}',
};

async function openPreview(panel: PanelPage, t = en): Promise<Locator> {
  await panel.show(ticket);
  await button(panel.dialog, t.shell.sync).click();
  const now = button(panel.dialog, t.sync.now);
  await expect(now).toBeEnabled();
  return now;
}

/** Clicks where the element is, as a person does who sees something else there. */
async function clickAt(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('It is not on the page.');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/**
 * Waits until the browser has looked again at what covers what: it does so while drawing a frame, for each observer once
 * 100 ms have passed since the last time, and tells after that frame.
 */
async function looked(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const end = performance.now() + 250;
    while (performance.now() < end) await frame();
    for (let more = 0; more < 3; more += 1) await frame();
  });
}

/** Takes the cover off and undoes the Sync, so that the ticket can be synced again. */
async function putBack(panel: PanelPage, world: World, cover: ElementHandle<Node>): Promise<void> {
  await cover.evaluate((style) => (style as Element).remove());
  const undo = button(panel.dialog, en.sync.undo);
  await expect(undo).toBeEnabled();
  await undo.press('Enter');
  await expect(panel.dialog.getByRole('heading', { name: en.sync.undone, exact: true })).toBeFocused();
  expect(customerOf(world)).toBeNull();
}

test('a click on what the page hides asks first', async ({ page, world, panel }) => {
  for (const [name, content] of Object.entries(tricks)) {
    await test.step(`${name}: Cancel and Escape leave everything as it is, and the keyboard needs no question`, async () => {
      const now = await openPreview(panel);
      const cover = await page.addStyleTag({ content });
      await looked(page);
      await clickAt(page, now);
      await expect(question(panel)).toContainText(en.sync.covered.title(en.sync.now));
      expect(customerOf(world)).toBeNull();
      await button(question(panel), en.sync.cancel).focus();
      await page.keyboard.press('Enter');
      await expect(question(panel)).toBeHidden();
      await expect(now).toBeFocused();
      expect(customerOf(world)).toBeNull();

      await clickAt(page, now);
      await expect(question(panel)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(question(panel)).toBeHidden();
      // Escape has closed the question, not the panel.
      await expect(now).toBeVisible();
      expect(customerOf(world)).toBeNull();

      await now.focus();
      await page.keyboard.press('Space');
      await expect.poll(() => customerOf(world)).not.toBeNull();
      await expect(question(panel)).toBeHidden();
      await putBack(panel, world, cover);
    });
  }
});

test('the question lies above the cover, and a page that covers it too is told on', async ({ page, world, panel }) => {
  const content = tricks['a cover that lets clicks through'];
  const yes = button(question(panel), en.sync.now);

  await test.step('the question lies above the cover, so that a click on it counts', async () => {
    const now = await openPreview(panel);
    const cover = await page.addStyleTag({ content });
    await looked(page);
    await clickAt(page, now);
    await expect(yes).toBeEnabled();
    await looked(page);
    await clickAt(page, yes);
    await expect.poll(() => customerOf(world)).not.toBeNull();
    await putBack(panel, world, cover);
  });

  await test.step('a page that covers the question too is told on, and Enter goes on', async () => {
    const now = await openPreview(panel);
    await page.addStyleTag({ content });
    await looked(page);
    await clickAt(page, now);
    await expect(yes).toBeEnabled();
    await page.evaluate(() => {
      const popover = document.createElement('div');
      popover.popover = 'manual';
      popover.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;pointer-events:none;background:#fff';
      document.body.append(popover);
      popover.showPopover();
    });
    await looked(page);
    await clickAt(page, yes);
    await expect(question(panel)).toContainText(en.sync.covered.still);
    expect(customerOf(world)).toBeNull();
    await expect(yes).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => customerOf(world)).not.toBeNull();
  });
});

for (const look of looksOfPanel) {
  const { generation, language } = look;
  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language });

    test('covered: axe finds nothing', async ({ page, panel }) => {
      const t = textsFor(language);
      const now = await openPreview(panel, t);
      const cover = await page.addStyleTag({ content: tricks['a cover that lets clicks through'] });
      await looked(page);
      await clickAt(page, now);
      await expect(button(question(panel), t.sync.now)).toBeEnabled();
      await cover.evaluate((style) => (style as Element).remove());
      await expectAccessible(panel, look, 'covered_click');
    });
  });
}
