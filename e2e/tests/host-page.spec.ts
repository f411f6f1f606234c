import { contract } from '@deskside/shared/contract';
import { demo } from '@deskside/simulators/seed/index';
import type { Locator, Page } from 'playwright';
import { expect, test } from './setup/fixtures.ts';
import { steadyPicture } from './setup/pictures.ts';

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
        await page.locator('.details').waitFor();
        await page.mouse.move(5, 5);
        const { withLauncher, without } = await boxesWithAndWithout(page);
        expect(withLauncher).toEqual(without);
        expect(Object.keys(without).length).toBeGreaterThan(20);

        await panel.open(ticket);
        await expect.poll(() => boxes(page)).toEqual(without);
        await panel.closeButton.click();
        await expect.poll(() => boxes(page)).toEqual(without);
      });

      await test.step('with the panel open, the rest of the page is the same to the pixel', async () => {
        const clip = { x: 0, y: 60, width: 900, height: 800 };
        await page.mouse.move(5, 5);
        const before = await steadyPicture(page, clip);
        await page.keyboard.press('Tab');
        await panel.launcher.click();
        await panel.settled();
        await page.mouse.move(5, 5);
        await expect.poll(async () => (await steadyPicture(page, clip)).equals(before)).toBe(true);
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
        await panel.closeButton.click();
        await page.locator('body').click({ position: { x: 5, y: 500 } });
        await page.keyboard.press('r');
        await expect.poll(fired).toBe(before + 4);
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
    const look = async () => ({
      words: await isDrawn(words),
      status: await isDrawn(status),
      cut: [hasStatus && (await status.evaluate(isCut)), await subject.evaluate(isCut)],
    });
    await expect
      .poll(look, { message: `${width}` })
      .toEqual({ words: hasWords, status: hasStatus, cut: [false, false] });
    await expect(panel.launcher).toHaveAccessibleName(/^Customer Profile .+ days left$/);
    await expect(panel.launcher).toHaveAttribute('title', /^Customer Profile · .+ days left · Alt\+Shift\+K$/);
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
  await expect(panel.rail).toBeHidden();
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
  await expect(panel.rail.getByRole('heading', { level: 2 })).toBeFocused();
  await panel.closeButton.focus();
  await page.keyboard.press('Enter');
  await expect(panel.rail).toBeHidden();
  await expect(panel.launcher).toBeFocused();
  await expect(panel.launcher).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Enter');
  await panel.settled();
  await panel.launcher.focus();
  await page.keyboard.press('Escape');
  await expect(panel.rail).toBeHidden();
  await expect(panel.launcher).toBeFocused();
});

test('a page script can neither open the panel nor make the extension ask, and there is no secret for it to find', async ({
  context,
  page,
  panel,
  gateway,
  world,
}) => {
  const asked: string[] = [];
  gateway.answer = (path) => {
    asked.push(new URL(path, world.proxyUrl).pathname);
    return null;
  };
  await panel.goto(ticket);
  await expect(panel.launcher.locator('b')).not.toBeEmpty();
  // A click opens the panel and the next one closes it: had these counted, a person's click after them would close it.
  await page.evaluate(() => {
    const button = document.querySelector('deskside-launcher')?.shadowRoot?.querySelector('button');
    button?.click();
    button?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
    button?.dispatchEvent(new PointerEvent('click', { bubbles: true, composed: true, detail: 1 }));
  });
  await panel.launcher.click();
  await panel.settled();
  // Only an open panel asks for this, and once.
  await expect.poll(() => asked.filter((path) => path === contract.aroundTicket.path)).toHaveLength(1);
  expect(
    await page.evaluate(() => 'chrome' in window && 'runtime' in (window as unknown as { chrome: object }).chrome),
  ).toBe(false);

  // Neither in the page nor in the panel, nor in what the extension keeps.
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

/** Where every element of the helpdesk's own stands, by its path in the document. */
type Boxes = Record<string, string>;

async function boxes(page: Page): Promise<Boxes> {
  return (await measure(page, [false]))[0] ?? {};
}

/** Both measured in one task, before the launcher can put itself back. */
async function boxesWithAndWithout(page: Page): Promise<{ withLauncher: Boxes; without: Boxes }> {
  const [withLauncher = {}, without = {}] = await measure(page, [false, true]);
  return { withLauncher, without };
}

/** Once for each entry; `true` takes the launcher away before. */
function measure(page: Page, without: boolean[]): Promise<Boxes[]> {
  return page.evaluate((times) => {
    let found: Record<string, string> = {};
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
    return times.map((removes) => {
      if (removes) document.querySelector('deskside-launcher')?.remove();
      found = {};
      walk(document.body, 'body');
      return found;
    });
  }, without);
}
