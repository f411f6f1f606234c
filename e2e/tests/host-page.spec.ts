import { demo } from '@deskside/simulators/seed/index';
import type { Locator, Page } from 'playwright';
import { expect, test } from './setup/fixtures.ts';

// Its owner stands on it already, so opening the panel changes nothing on the ticket.
const ticket = demo.tickets.responsibleSet;

for (const generation of ['1.28', '1.24'] as const) {
  test.describe(`Helpdesk ${generation}`, () => {
    test.use({ generation });

    test('page, launcher and panel leave each other alone: places, pixels, shortcuts and styles', async ({
      page,
      panel,
    }) => {
      await test.step('nothing of the page moves: not by the launcher, not by the panel', async () => {
        await panel.goto(ticket);
        await page.getByLabel('Ticket details').waitFor();
        await page.mouse.move(5, 5);
        const withLauncher = await boxes(page);
        const without = await boxes(page, true);
        expect(withLauncher).toEqual(without);
        expect(Object.keys(without).length).toBeGreaterThan(20);

        await panel.open(ticket);
        expect(await boxes(page)).toEqual(without);
        await panel.closeButton.click();
        expect(await boxes(page)).toEqual(without);
      });

      await test.step('with the panel open, the rest of the page is the same to the pixel', async () => {
        const clip = { x: 0, y: 60, width: 900, height: 800 };
        await page.mouse.move(5, 5);
        const before = await page.screenshot({ clip, animations: 'disabled' });
        await page.keyboard.press('Tab');
        await panel.launcher.click();
        await panel.settled();
        await page.mouse.move(5, 5);
        const after = await page.screenshot({ clip, animations: 'disabled' });
        expect(after.equals(before)).toBe(true);
      });

      await test.step('launcher and panel keep their own look under hostile styles', async () => {
        const style = (selector: string, property: string) =>
          panel.dialog
            .locator(selector)
            .first()
            .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
        expect(await style('h3[title]', 'font-size')).toBe('17px');
        expect(await style('h3[title]', 'letter-spacing')).toBe('normal');
        const height = await panel.refreshButton.evaluate((element) => element.getBoundingClientRect().height);
        expect(height).toBeGreaterThanOrEqual(24);
        expect(height).toBeLessThan(48);
      });

      await test.step("the helpdesk's single-key shortcuts are dead in launcher and panel, and alive elsewhere", async () => {
        const fired = () => page.evaluate(() => (window as unknown as { __shortcuts: unknown[] }).__shortcuts.length);
        const before = await fired();
        for (const target of [panel.refreshButton, panel.closeButton, panel.launcher]) {
          await target.focus();
          for (const key of [
            's',
            'a',
            't',
            'p',
            'r',
            'c',
            '/',
            'Shift+T',
            'Shift+<',
            'Shift+>',
            'Control+k',
            'h',
            ',',
            '.',
          ])
            await page.keyboard.press(key);
        }
        expect(await fired()).toBe(before);
        await panel.closeButton.click();
        await page.locator('body').click({ position: { x: 5, y: 500 } });
        await page.keyboard.press('r');
        expect(await fired()).toBe(before + 1);
      });
    });
  });
}

test("the launcher says its status in full, and shrinks before it takes room from the ticket's subject", async ({
  page,
  panel,
}) => {
  await panel.goto(ticket);
  const status = panel.launcher.locator('b');
  await expect(status).not.toBeEmpty();
  const words = panel.launcher.getByText('Customer Profile');
  const isDrawn = async (part: Locator) => (await part.boundingBox())?.width !== 1;
  const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1;
  const subject = page.locator('.breadcrumbs');
  for (const [width, hasWords, hasStatus] of [
    [1440, true, true],
    [1000, false, true],
    [860, false, false],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(async () => [await isDrawn(words), await isDrawn(status)], { message: `${width}` })
      .toEqual([hasWords, hasStatus]);
    if (hasStatus) expect(await status.evaluate(isCut), `${width}`).toBe(false);
    expect(await subject.evaluate(isCut), `${width}`).toBe(false);
    await expect(panel.launcher).toHaveAccessibleName(/^Customer Profile .+ days left$/);
    await expect(panel.launcher).toHaveAttribute('title', /^Customer Profile · .+ days left · Alt\+Shift\+K$/);
  }
  const { width = 0 } = (await subject.boundingBox()) ?? {};
  await page.evaluate(() => document.querySelector('deskside-launcher')?.remove());
  expect((await subject.boundingBox())?.width).toBeCloseTo(width, 0);
});

test('where the page has no header, the launcher floats, and gives way to the panel, which it would lie over', async ({
  page,
  panel,
}) => {
  await panel.open('999999');
  await expect(page.locator('deskside-launcher[floating]')).toBeAttached();
  for (const width of [1440, 600, 420]) {
    await page.setViewportSize({ width, height: 860 });
    await expect(panel.launcher, `${width}`).toBeHidden();
  }
  await page.keyboard.press('Escape');
  await expect(panel.dialog).toBeHidden();
  await expect(panel.launcher).toBeVisible();
  await expect(panel.launcher).toBeFocused();
});

test('the keyboard alone: the menu, then open, focus on the heading, Escape back to the button', async ({
  page,
  panel,
}) => {
  await panel.goto(ticket);
  await test.step('the menu: arrows move, Escape closes and gives the focus back, Tab goes on', async () => {
    await panel.more.focus();
    await page.keyboard.press('Enter');
    await expect(panel.refreshItem).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(panel.refreshItem).not.toBeFocused();
    await page.keyboard.press('Home');
    await expect(panel.refreshItem).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(panel.refreshItem).toBeHidden();
    await expect(panel.more).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(panel.refreshItem).toBeVisible();
    await expect(panel.refreshItem).not.toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(panel.refreshItem).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(panel.refreshItem).toBeHidden();
    await expect(page.getByRole('button', { name: 'Previous ticket' })).toBeFocused();
  });

  await panel.launcher.focus();
  await page.keyboard.press('Enter');
  await panel.settled();
  await expect(panel.dialog.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel.dialog).toBeHidden();
  await expect(panel.launcher).toBeFocused();
  await expect(panel.launcher).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Enter');
  await panel.settled();
  await panel.launcher.focus();
  await page.keyboard.press('Escape');
  await expect(panel.dialog).toBeHidden();
  await expect(panel.launcher).toBeFocused();
});

test('a page script can neither open the panel nor make the extension ask, and there is no secret for it to find', async ({
  context,
  page,
  panel,
  gateway,
  world,
}) => {
  await panel.goto(ticket);
  // The launcher's own look-up, and its asking again while parts are pending, have to be over.
  await quiet(() => gateway.total);
  const asked = gateway.total;
  await page.evaluate(() => {
    const button = document.querySelector('deskside-launcher')?.shadowRoot?.querySelector('button');
    button?.click();
    button?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
  });
  await page.waitForTimeout(300);
  await expect(panel.dialog).toBeHidden();
  expect(gateway.total).toBe(asked);
  expect(
    await page.evaluate(() => 'chrome' in window && 'runtime' in (window as unknown as { chrome: object }).chrome),
  ).toBe(false);

  // Neither in the page nor in the panel, nor in what the extension keeps.
  await panel.open(ticket);
  const [worker] = context.serviceWorkers();
  const kept = await worker?.evaluate(async () => {
    const { storage } = (
      globalThis as unknown as { chrome: { storage: Record<'local' | 'session' | 'sync', { get(): Promise<object> }> } }
    ).chrome;
    return JSON.stringify(await Promise.all([storage.local.get(), storage.session.get()]));
  });
  const shown = await page.evaluate(
    () =>
      document.documentElement.outerHTML +
      [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.innerHTML ?? '').join(''),
  );
  expect(shown).toContain('Cà Phê Sương Núi');
  for (const secret of [...world.crm.secrets, demo.service.apiSecret, demo.agent.apiSecret]) {
    expect(shown).not.toContain(secret);
    expect(kept).not.toContain(secret);
  }
  expect(shown).not.toContain('/rest/');
});

/** Waits until a count has stood still for a second. */
async function quiet(count: () => number): Promise<void> {
  let last = -1;
  await expect
    .poll(
      () => {
        const still = count() === last;
        last = count();
        return still;
      },
      { intervals: [1_000] },
    )
    .toBe(true);
}

/** Where every element of the helpdesk's own stands, by its path in the document; with or without the launcher. */
function boxes(page: Page, withoutLauncher = false): Promise<Record<string, string>> {
  return page.evaluate((without) => {
    // Measured in the same task, before the launcher can put itself back.
    if (without) document.querySelector('deskside-launcher')?.remove();
    const found: Record<string, string> = {};
    const walk = (element: Element, path: string) => {
      if (element.localName.startsWith('deskside-')) return;
      const { x, y, width, height } = element.getBoundingClientRect();
      // The two halves of the header give the launcher its room; what stands in them must not move.
      if (element.parentElement?.localName === 'header') {
        const own = [...element.children].filter(({ localName }) => !localName.startsWith('deskside-'));
        for (const [i, child] of own.entries()) walk(child, `${path}/${child.localName}${i}`);
        return;
      }
      found[path] = [x, y, width, height].map((n) => n.toFixed(2)).join(' ');
      let i = 0;
      for (const child of element.children)
        if (!child.localName.startsWith('deskside-')) walk(child, `${path}/${child.localName}${i++}`);
    };
    walk(document.body, 'body');
    return found;
  }, withoutLauncher);
}
