import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Generation, HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { accounts, replaySeed, ticket } from '@deskside/simulators/helpdesk/replay-seed';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { sized } from '@deskside/testing/size';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
  /** A page for each who looks, loaded anew for each test: a new window costs more than the test itself. */
  const pages = new Map<keyof typeof accounts | null, Page>();

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
  });
  afterEach(async () => {
    simulator.latency = () => 0;
    for (const page of pages.values()) await page.unrouteAll();
  });
  afterAll(async () => {
    for (const page of pages.values()) await page.context().close();
    await simulator.close();
  });

  async function open(path: string, as: keyof typeof accounts | null = 'agent.a', width = 1200): Promise<Page> {
    const page = pages.get(as) ?? (await newPage(as));
    await page.setViewportSize({ width, height: 800 });
    await page.goto(simulator.url + path);
    return page;
  }

  async function newPage(as: keyof typeof accounts | null): Promise<Page> {
    const context = await browser.newContext();
    if (as !== null) {
      await context.addCookies([{ name: 'sid', value: simulator.sessionFor(accounts[as].name), url: simulator.url }]);
    }
    const page = await context.newPage();
    pages.set(as, page);
    return page;
  }

  it('menus and dialogs stand where the recordings have them: at the end of the body, and over everything but toasts', async () => {
    const recorded = recordedOverlays(generation);
    const page = await open('/helpdesk/tickets/72', 'agent.a', 1440);
    await page.waitForSelector(actions);
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
  });

  it('the header is gone at once when another ticket is chosen, and back when that one has loaded', async () => {
    const page = await open('/helpdesk/tickets/72');
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
    const page = await open('/helpdesk/tickets/72', 'agent.a', 420);
    await page.waitForSelector('header#app-header header > div:last-child', { state: 'attached' });
    expect(await page.title()).toBe('72');
  });

  it(generation === '1.28' ? 'the theme stands on the root and switches live' : 'there is no theme', async () => {
    const page = await open('/helpdesk/tickets');
    await page.waitForSelector(actions);
    const theme = () => page.getAttribute('html', 'data-theme');
    if (generation === '1.24') {
      expect(await theme()).toBeNull();
      expect(await page.locator('[aria-label="Toggle theme"]').count()).toBe(0);
      return;
    }
    expect(await theme()).toBe('light');
    await page.click('[aria-label="Toggle theme"]');
    await expect.poll(theme).toBe('dark');
  });

  // The rest is the page's in either generation alike.
  if (sized({ small: generation === '1.24', full: false })) return;

  it('going back and forth shows the ticket of the address, without loading the page again', async () => {
    const page = await open('/helpdesk/tickets');
    await page.click('a[href="/helpdesk/tickets/71"]');
    await page.waitForSelector(number);
    await page.evaluate(() => Object.assign(window, { samePage: true }));
    await page.goBack();
    await page.waitForSelector('#list-rows');
    expect(await page.locator(number).count()).toBe(0);
    await page.goForward();
    await page.waitForSelector(number);
    expect(await page.textContent(number)).toBe(' #71');
    expect(await page.evaluate('window.samePage')).toBe(true);
  });

  it('of two tickets chosen in a row only the last one is shown, whichever answers last', async () => {
    simulator.latency = ({ path }) => (path.includes('get_one') && simulator.journal.length % 2 === 0 ? 120 : 0);
    const page = await open('/helpdesk/tickets/73');
    await page.waitForSelector(actions);
    await page.evaluate(() => {
      history.pushState({}, '', '/helpdesk/tickets/72');
      dispatchEvent(new PopStateEvent('popstate'));
      history.pushState({}, '', '/helpdesk/tickets/71');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await expect.poll(() => page.textContent(number)).toBe(' #71');
  });

  it('nothing in a ticket is run or becomes markup', async () => {
    const page = await open('/helpdesk/tickets/73');
    await page.waitForSelector('.message-text');
    expect(await page.textContent('.message-text')).toBe('Hello');
    expect(await page.locator('.crumb span[title]').textContent()).toBe(`Third ${script}`);
    expect(await page.locator('#app img').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  it('single keys reach the page unless its own input is typed into; a closed shadow root does not hide them', async () => {
    const page = await open('/helpdesk/tickets/72');
    await page.waitForSelector('.details');
    await page.evaluate(() => {
      const host = document.createElement('div');
      const input = document.createElement('input');
      host.attachShadow({ mode: 'closed' }).append(input);
      document.body.append(host);
      input.focus();
    });
    await page.keyboard.press('r');
    expect(await page.evaluate('window.__shortcuts')).toEqual(['r']);
    expect(await page.evaluate(() => document.activeElement?.classList.contains('editor'))).toBe(true);
    await page.keyboard.type('rats');
    expect(await page.textContent('.editor')).toBe('rats');
    expect(await page.evaluate('window.__shortcuts')).toEqual(['r']);
  });

  it('what an agent does is stored: a reply, a comment, a status', async () => {
    const page = await open('/helpdesk/tickets/71');
    await page.waitForSelector('.details');
    for (const [key, text, button] of [
      ['r', 'An answer', 'Send'],
      ['c', 'A note', 'Comment'],
    ] as const) {
      await page.keyboard.press(key);
      await page.keyboard.type(text);
      await page.click(`.editor-actions >> text=${button}`);
      await page.waitForSelector(`.message-text:text("${text}")`);
    }
    await page.click('header [aria-label="Open"]');
    await page.click('[role=menuitem]:has-text("Replied")');
    await page.waitForSelector('header [aria-label="Replied"]');
    expect(simulator.document('HD Ticket', '71')).toMatchObject({ status: 'Replied', status_category: 'Paused' });
  });

  it('a signed-out user signs in with the form and gets to the requested page', async () => {
    const page = await open('/helpdesk/tickets/72', null);
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.fill('#login_email', accounts['agent.a'].name);
    await page.fill('#login_password', accounts['agent.a'].password);
    await page.click('.btn-login');
    await page.waitForSelector(number);
    expect(page.url()).toBe(`${simulator.url}/helpdesk/tickets/72`);
  });

  it('a portal customer gets the customer view, without number strip, team or notes', async () => {
    const page = await open('/helpdesk/tickets/71', 'portal');
    await page.waitForSelector('.portal-title');
    expect(page.url()).toBe(`${simulator.url}/helpdesk/my-tickets/71`);
    expect(await page.locator(actions).count()).toBe(1);
    expect(await page.locator(number).count()).toBe(0);
    expect(await page.textContent('#main')).not.toContain('A note');
  });

  it('foreign elements are hit by the page’s rules, its own are not', async () => {
    const page = await open('/helpdesk/tickets/72');
    await page.waitForSelector(actions);
    const [foreign, own] = await page.evaluate(() => {
      const button = document.body.appendChild(document.createElement('button'));
      const color = (element: Element | null) => element && getComputedStyle(element).backgroundColor;
      return [color(button), color(document.querySelector('header button'))];
    });
    expect(foreign).toBe('rgb(204, 0, 0)');
    expect(own).not.toBe(foreign);
  });
});

/** An element as the recordings have it. */
interface Recorded {
  tag: string;
  id?: string;
  class?: string;
  style?: string;
  position?: string;
  zIndex?: string;
  isolation?: string;
  children?: Recorded[];
}

/** Which elements stand in the body beside the app, in their order, and what holds the app's own layers together. */
function recordedOverlays(generation: Generation) {
  const file = import.meta.resolve(`@deskside/simulators/recordings/helpdesk-${generation}/overlays.json`);
  const { states } = JSON.parse(readFileSync(fileURLToPath(file), 'utf8')) as { states: Record<string, Recorded[]> };
  const rest = states.rest ?? [];
  const app = rest.find(({ id }) => id === 'app')?.children ?? [];
  const toasts = app.flatMap(({ children = [] }) => children).find(({ tag }) => tag === 'ol');
  const describe = (elements: Recorded[] = []) => ({
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
