import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Generation, HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { accounts, replaySeed, ticket } from '@deskside/simulators/helpdesk/replay-seed';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, howToGetChromium } from '../browser/find-chromium.ts';

const actions = '#app-header header > div:last-child';
const number = '#app-header p.cursor-copy';
const script = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

let browser: Browser;

beforeAll(async () => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(howToGetChromium);
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
afterAll(() => browser.close());

describe.each<Generation>(['1.24', '1.28'])('the pages of %s in a browser', (generation) => {
  let simulator: HelpdeskSimulator;
  /** Loaded anew for each test: a new window costs more than the test itself. */
  let page: Page;

  beforeAll(async () => {
    simulator = await startHelpdesk({ seed: replaySeed(generation), generation });
    for (const [name, subject] of [
      ['71', 'First'],
      ['72', 'Second'],
      ['73', `Third ${script}`],
    ] as const) {
      const values = {
        subject,
        description: `<p>${script}Hello</p>`,
        contact: null,
        customer: null,
        creation: `2026-11-22 00:00:${name}`,
      };
      simulator.put('HD Ticket', ticket(name, values));
    }
    const context = await browser.newContext();
    const value = simulator.sessionFor(accounts['agent.a'].name);
    await context.addCookies([{ name: 'sid', value, url: simulator.url }]);
    page = await context.newPage();
  });
  afterAll(async () => {
    await page.context().close();
    await simulator.close();
  });

  async function open(path: string, width = 1200): Promise<void> {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(simulator.url + path);
    await page.waitForSelector(actions, { state: 'attached' });
  }

  it('menus and dialogs stand where the recordings have them: at the end of the body, and over everything but toasts; foreign elements are hit by the page’s rules, its own are not', async () => {
    const recorded = recordedOverlays(generation);
    await open('/helpdesk/tickets/72', 1440);
    const outline = () => page.evaluate(outlineOfBody);
    expect(await outline()).toEqual({ ...recorded.rest, locked: false });
    const header = page.locator(actions);
    for (const [state, reveal] of [
      ['status_menu', () => header.getByRole('button', { name: 'Open' }).click()],
      ['more_menu', () => header.getByRole('button', { name: 'More' }).click()],
      ['search_palette', () => page.keyboard.press('Control+k')],
    ] as const) {
      await reveal();
      expect(await outline(), state).toEqual({ ...recorded[state], locked: true });
      await page.keyboard.press('Escape');
      expect(await outline(), `${state}, closed`).toEqual({ ...recorded.rest, locked: false });
    }

    const [foreign, own] = await page.evaluate(() => {
      const button = document.body.appendChild(document.createElement('button'));
      const color = (element: Element | null) => element && getComputedStyle(element).backgroundColor;
      return [color(button), color(document.querySelector('header button'))];
    });
    expect(foreign).toBe('rgb(204, 0, 0)');
    expect(own).not.toBe(foreign);
  });

  it('the header is gone at once when another ticket is chosen, and back when that one has loaded', async () => {
    await open('/helpdesk/tickets/72');
    // The arrows come after the rest of the header.
    await page.waitForSelector('[aria-label="Next ticket"]');
    expect(await page.textContent(number)).toBe(' #72');
    expect(await page.title()).toBe('72 - Second');
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/*get_one*', async (route) => {
      await promise;
      await route.continue();
    });
    const [gone, title] = await page.evaluate((selector) => {
      document.querySelector<HTMLElement>('[aria-label="Next ticket"]')?.click();
      return [document.querySelector(selector) === null, document.title] as const;
    }, actions);
    expect([gone, title]).toEqual([true, '71']);
    expect(page.url()).toBe(`${simulator.url}/helpdesk/tickets/71`);
    answer();
    await page.waitForSelector(actions);
    expect(await page.textContent(number)).toBe(' #71');
    expect(await page.title()).toBe('71 - First');
  });

  it('under 640 px the header element itself is the slot, and the title is the number', async () => {
    await open('/helpdesk/tickets/72', 420);
    await page.waitForSelector('header#app-header header > div:last-child', { state: 'attached' });
    expect(await page.title()).toBe('72');
  });

  it('nothing in a ticket is run or becomes markup', async () => {
    await open('/helpdesk/tickets/73');
    await page.waitForSelector('.message-text');
    expect(await page.frameLocator('.message-text').locator('body').textContent()).toBe('Hello');
    expect(await page.locator('.crumb span[title]').textContent()).toBe(`Third ${script}`);
    expect(await page.locator('#app img').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });
});

/** An element as the recordings have it. */
interface PageRecording {
  tag: string;
  id?: string;
  class?: string;
  style?: string;
  position?: string;
  zIndex?: string;
  isolation?: string;
  children?: PageRecording[];
}

/** Which elements stand in the body beside the app, in their order, and what holds the app's own layers together. */
function recordedOverlays(generation: Generation) {
  const file = import.meta.resolve(`@deskside/simulators/recordings/helpdesk-${generation}/overlays.json`);
  const { states } = JSON.parse(readFileSync(fileURLToPath(file), 'utf8')) as {
    states: Record<string, PageRecording[]>;
  };
  const rest = states.rest ?? [];
  const app = rest.find(({ id }) => id === 'app')?.children ?? [];
  const toasts = app.flatMap(({ children = [] }) => children).find(({ tag }) => tag === 'ol');
  const describe = (elements: PageRecording[] = []) => ({
    app: [app[0]?.isolation, app.slice(1).map(({ tag }) => tag), toasts?.position, toasts?.zIndex],
    body: elements
      .filter(({ id }) => id !== 'app')
      .map((element) =>
        [
          element.tag,
          element.id ?? '',
          element.class?.includes('dialog-overlay') ? 'dialog-overlay' : '',
          element.style?.includes('--reka-popper') ? 'popper' : '',
          element.position ?? 'static',
          element.zIndex ?? 'auto',
        ].join(' '),
      ),
  });
  return {
    rest: describe(rest),
    status_menu: describe(states.status_menu),
    more_menu: describe(states.more_menu),
    search_palette: describe(states.search_palette),
  };
}

/** The same of the page at hand. `locked`: the page takes no clicks, as seen on running systems while an overlay is open. */
function outlineOfBody() {
  const style = (element: Element | null) => element && getComputedStyle(element);
  const [frame, ...others] = document.querySelectorAll('#app > *');
  const toasts = style(document.querySelector('#toasts'));
  return {
    app: [style(frame ?? null)?.isolation, others.map((e) => e.localName), toasts?.position, toasts?.zIndex],
    body: [...document.body.children]
      .filter(({ id, localName }) => id !== 'app' && localName !== 'script')
      .map((element) =>
        [
          element.localName,
          element.id,
          element.classList.contains('dialog-overlay') ? 'dialog-overlay' : '',
          element.hasAttribute('data-reka-popper-content-wrapper') ? 'popper' : '',
          style(element)?.position,
          style(element)?.zIndex,
        ].join(' '),
      ),
    locked: style(document.body)?.pointerEvents === 'none',
  };
}
