import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Locator, Page } from 'playwright';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';

// As an agent's first minute: signed in to the helpdesk alone.
test.use({ hasToken: false });

const t = textsFor('en');
const parts = ['deskside-panel', 'deskside-launcher'];

/** Where the keyboard is, as far as somebody who uses only the keyboard needs to know. */
interface Stop {
  /** Where it stands: the launcher, the panel, or the page. */
  in: string;
  tag: string;
  text: string;
  /** It can be seen: nothing pinned lies over it, and it has a ring. */
  seen: boolean;
  /** It comes after the stop before it, as screen readers read. */
  inOrder: boolean;
}

/** Presses a key and tells where the focus is then. */
async function press(page: Page, key: string): Promise<Stop> {
  await page.keyboard.press(key);
  return page.evaluate(() => {
    const world = window as unknown as { before?: Element };
    const host = document.activeElement;
    const focused = host?.shadowRoot?.activeElement ?? host ?? document.body;
    // The first line of a link that goes over two.
    const { x = 0, y = 0, width = 0, height = 0 } = focused.getClientRects()[0] ?? {};
    const root = focused.getRootNode() as ShadowRoot | Document;
    const hit = root.elementFromPoint(x + Math.min(width / 2, 20), y + height / 2);
    const ring = getComputedStyle(focused);
    const before = world.before;
    world.before = focused;
    const isSame = before?.getRootNode() === root;
    return {
      in: host?.localName.startsWith('deskside-') ? host.localName : 'page',
      tag: focused.localName,
      text: focused.getAttribute('aria-label') ?? focused.textContent?.replace(/\s+/g, ' ').trim() ?? '',
      seen: (hit === focused || focused.contains(hit)) && ring.outlineStyle !== 'none' && ring.outlineWidth !== '0px',
      inOrder: !isSame || Boolean((before?.compareDocumentPosition(focused) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING),
    };
  });
}

/** The stops of Tab in the panel, from where the focus is to the last one. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  await page.evaluate(() => {
    const host = document.activeElement;
    Object.assign(window, { before: host?.shadowRoot?.activeElement ?? host });
  });
  for (let left = 120; left > 0; left -= 1) {
    const stop = await press(page, 'Tab');
    if (stop.in !== 'deskside-panel') return stops;
    stops.push(stop);
  }
  throw new Error('Tab never leaves the panel.');
}

test('the keyboard alone reaches, sees and works everything, from the launcher to the last section and back', async ({
  page,
  panel,
}) => {
  await panel.goto(demo.tickets.matched);
  await panel.launcher.focus();
  await page.keyboard.press('Enter');
  await panel.settled();
  const heading = panel.rail.getByRole('heading', { level: 2 });
  await expect(heading).toBeFocused();
  // What comes after the profile has come: nothing moves under the walk.
  for (const last of [t.people.moreAccounts(1), t.around.title]) await expect(panel.rail.getByText(last)).toBeVisible();

  const folded = await walk(page);
  expect(folded.filter(({ text, seen, inOrder }) => text === '' || !seen || !inOrder)).toEqual([]);
  const said = folded.map(({ text }) => text);
  // What an agent does most is near: facts, then people.
  expect(said[0]).toContain(t.fields.sendMessage);
  expect(said.findIndex((text) => text.startsWith(t.shell.call('').trim()))).toBeLessThan(4);
  for (const words of [t.fields.more, t.routing.title, t.shell.refresh])
    expect(
      said.filter((text) => text === words),
      words,
    ).toHaveLength(1);
  // Behind the heading come the buttons of the head.
  await heading.focus();
  const back: string[] = [];
  for (const _ of [1, 2, 3, 4]) back.push((await press(page, 'Shift+Tab')).text);
  expect(back.slice(0, 2)).toEqual([t.shell.close, t.shell.more]);
  expect(back[2]).toContain(t.shell.openInCrm);

  // Everything that opens opens with the keyboard; what it shows is next.
  const accounts = panel.rail.locator('summary', { hasText: t.people.moreAccounts(1) });
  await accounts.focus();
  await page.keyboard.press('Enter');
  expect((await press(page, 'Tab')).text).toContain('@');
  await panel.rail.locator('summary', { hasText: t.routing.title }).focus();
  await page.keyboard.press('Enter');
  await panel.settled();
  await panel.button(t.shell.more).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(panel.confirmButton).toBeFocused();

  await heading.focus();
  const open = await walk(page);
  expect(open.filter(({ text, seen, inOrder }) => text === '' || !seen || !inOrder)).toEqual([]);

  await page.keyboard.press('Escape');
  await panel.closeButton.focus();
  await page.keyboard.press('Enter');
  await expect(panel.rail).toBeHidden();
  await expect(panel.launcher).toBeFocused();
});

test('a screen reader hears a name for everything, headings in order, and axe finds nothing: also at 200 % and 400 % zoom; with reduced motion nothing moves', async ({
  page,
  panel,
  gateway,
}) => {
  await test.step('with reduced motion nothing moves, neither while it loads nor after', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    gateway.delay = (path) => (path.includes('customer_profile') ? held : 0);
    await panel.goto(demo.tickets.forgedLink);
    await panel.launcher.click();
    await expect(panel.rail).toContainText(t.shell.loading);
    expect(await moving(page)).toEqual([]);
    goOn();
    await panel.settled();
    await panel.rail.locator('summary', { hasText: t.routing.title }).click();
    expect(await moving(page)).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await panel.settled();
  });

  for (const line of [
    `complementary "${t.shell.title}`,
    `heading "${t.people.title}`,
    `region "${t.steps.title}"`,
    'listitem',
    'term:',
    'definition:',
  ])
    await expect.poll(() => panel.rail.ariaSnapshot()).toContain(line);
  const tree = (await panel.rail.ariaSnapshot()).split('\n');
  const nameless = /^\s*- '?(button|link|textbox|combobox|checkbox|radio|tab|switch|img|region|listbox)(:|$| \[)/;
  expect(tree.filter((line) => nameless.test(line))).toEqual([]);
  const levels = tree.flatMap((line) =>
    [...line.matchAll(/- '?heading .*\[level=(\d)\]/g)].map((found) => Number(found[1])),
  );
  expect(levels[0]).toBe(2);
  for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 2), tree.join('\n')).toBeLessThan(2);
  expect(await axeViolations(page, parts)).toEqual([]);

  for (const size of [
    { width: 720, height: 450 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size);
    await panel.launcher.click();
    const cut = () =>
      panel.floating.evaluate((dialog) => {
        const box = dialog.getBoundingClientRect();
        const outside = [...dialog.querySelectorAll('button, a')].filter((element) => {
          const { left, right, width } = element.getBoundingClientRect();
          return width > 0 && (left < box.left || right > box.right);
        });
        return {
          scrolls: dialog.scrollWidth - dialog.clientWidth,
          outside: outside.map((element) => element.textContent),
        };
      });
    await expect.poll(cut, `${size.width} px`).toEqual({ scrolls: 0, outside: [] });
    const start = panel.floating.getByRole('button', { name: t.steps.itsThem, exact: true });
    await start.scrollIntoViewIfNeeded();
    await expect(start).toBeInViewport();
    await expect
      .poll(() => isOnTop(panel.floating.getByRole('button', { name: t.shell.close, exact: true })))
      .toBe(true);
    await start.click();
    // What the preview is for can be seen with it: nothing pinned lies over it.
    const now = panel.floating.getByRole('button', { name: t.sync.itsThem, exact: true });
    await now.scrollIntoViewIfNeeded();
    await expect.poll(() => isOnTop(now)).toBe(true);
    await panel.floating.getByRole('button', { name: t.shell.cancel }).click();
    await expect(now).toBeHidden();
    expect(await axeViolations(page, parts)).toEqual([]);
    await panel.floating.getByRole('button', { name: t.shell.close, exact: true }).click();
  }
});

/** Whether the middle of an element is what a click there would meet. */
function isOnTop(element: Locator): Promise<boolean> {
  return element.evaluate((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    const hit = (button.getRootNode() as ShadowRoot).elementFromPoint(left + width / 2, top + height / 2);
    return button.contains(hit);
  });
}

/** What moves in launcher and panel. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    ['deskside-panel', 'deskside-launcher'].flatMap((name) =>
      (document.querySelector(name)?.shadowRoot?.getAnimations() ?? []).map(
        (animation) => (animation as CSSAnimation).animationName ?? (animation as CSSTransition).transitionProperty,
      ),
    ),
  );
}
