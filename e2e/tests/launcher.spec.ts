import { demo } from '@deskside/simulators/seed/index';
import type { Locator } from 'playwright';
import { expect, test } from './setup/fixtures.ts';

test('the launcher: its menu and the panel by keyboard alone, its status in full while there is room, and where there is no header it floats', async ({
  page,
  panel,
}) => {
  const { launcher, more, refreshItem, rail } = panel;
  await panel.goto(demo.tickets.responsibleSet);

  await test.step('the menu: arrows move, Escape closes and gives the focus back, Tab goes on', async () => {
    await more.focus();
    await page.keyboard.press('Enter');
    await expect(refreshItem).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(refreshItem).not.toBeFocused();
    await page.keyboard.press('Home');
    await expect(refreshItem).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(refreshItem).toBeHidden();
    await expect(more).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(refreshItem).toBeVisible();
    await expect(refreshItem).not.toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(refreshItem).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(refreshItem).toBeHidden();
    await expect(page.getByRole('button', { name: 'Previous ticket' })).toBeFocused();
  });

  await test.step('open, focus on the heading, Escape back to the button', async () => {
    await launcher.focus();
    await page.keyboard.press('Enter');
    await panel.settled();
    await expect(rail.getByRole('heading', { level: 2 })).toBeFocused();
    await launcher.focus();
    await page.keyboard.press('Escape');
    await expect(rail).toBeHidden();
    await expect(launcher).toBeFocused();
    await expect(launcher).toHaveAttribute('aria-expanded', 'false');
  });

  await test.step("it says its status in full, and shrinks before it takes room from the ticket's subject", async () => {
    const status = launcher.locator('b');
    await expect(status).not.toBeEmpty();
    const words = launcher.getByText('Customer Profile');
    const isDrawn = async (part: Locator) => (await part.boundingBox())?.width !== 1;
    const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1;
    const subject = page.locator('.breadcrumbs');
    for (const [width, hasWords, hasStatus] of [
      [1440, true, true],
      [1000, false, true],
      [860, false, false],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const look = async () => ({
        words: await isDrawn(words),
        status: await isDrawn(status),
        cut: [hasStatus && (await status.evaluate(isCut)), await subject.evaluate(isCut)],
      });
      const expected = { words: hasWords, status: hasStatus, cut: [false, false] };
      await expect.poll(look, { message: `${width}` }).toEqual(expected);
      await expect(launcher).toHaveAccessibleName(/^Customer Profile .+ days left$/);
      await expect(launcher).toHaveAttribute('title', /^Customer Profile · .+ days left · Alt\+Shift\+K$/);
    }
    // Measured in one task, before the launcher can put itself back.
    const [width = 0, withoutLauncher = 0] = await subject.evaluate((element) => {
      const { width } = element.getBoundingClientRect();
      document.querySelector('deskside-launcher')?.remove();
      return [width, element.getBoundingClientRect().width];
    });
    expect(width).toBeGreaterThan(0);
    expect(withoutLauncher).toBeCloseTo(width, 0);
  });

  await test.step('where the page has no header, it floats, and gives way to the panel, which it would lie over', async () => {
    await page.setViewportSize({ width: 1440, height: 860 });
    await panel.open('999999');
    await expect(page.locator('deskside-launcher[floating]')).toBeAttached();
    for (const width of [1440, 600, 420]) {
      await page.setViewportSize({ width, height: 860 });
      await expect(launcher, `${width}`).toBeHidden();
    }
    await page.keyboard.press('Escape');
    await expect(rail).toBeHidden();
    await expect(launcher).toBeVisible();
    await expect(launcher).toBeFocused();
  });
});
