import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operatorTexts } from '@deskside/operator/texts';
import { demo, type Seed } from '@deskside/simulators/seed/index';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { test as base, expect } from 'playwright/test';
import { findChromium, howToGetChromium } from '../../browser/find-chromium.ts';
import { startWorld, type World, type WorldOptions } from '../../demo/world.ts';
import { axeViolations } from '../setup/axe.ts';
import { keepPicture } from '../setup/looks.ts';

interface Fixtures {
  /** What the world starts from, instead of the usual one. */
  seed: Seed | undefined;
  /** Changes to the proxy's environment; undefined removes a variable. */
  environment: NonNullable<WorldOptions['environment']>;
  world: World;
  browser: Browser;
}

/** A test of the operator page: simulators, the real proxy, and a Chromium without the extension. */
export const test = base.extend<Fixtures>({
  seed: [undefined, { option: true }],
  environment: [{}, { option: true }],

  world: async ({ seed, environment }, use) => {
    const data = await mkdtemp(path.join(tmpdir(), 'deskside-operator-'));
    const world = await startWorld({ data, operator: true, pipeline: true, environment, ...(seed && { seed }) });
    await use(world);
    await world.close();
    await rm(data, { recursive: true, force: true });
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  browser: async ({}, use) => {
    const executablePath = findChromium();
    if (!executablePath) throw new Error(howToGetChromium);
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await chromium.launch({ executablePath, args });
    await use(browser);
    await browser.close();
  },
});

export { expect };

/** Somebody with a browser of their own who is not signed in anywhere. */
export async function newPage(
  browser: Browser,
  options: { language?: 'en' | 'vi'; theme?: 'light' | 'dark'; phone?: boolean } = {},
): Promise<Page> {
  const { language = 'en', theme = 'light', phone = false } = options;
  const context = await browser.newContext({
    locale: language === 'vi' ? 'vi-VN' : 'en-US',
    colorScheme: theme,
    viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    // An animation that has only begun is paler than what it leads to.
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

/** Signs in as somebody does who is signed in to the helpdesk already: one click. */
export async function signIn(page: Page, world: World, user: string = demo.manager.name): Promise<void> {
  await signInToHelpdesk(page.context(), world, user);
  await page.goto(world.operatorUrl);
  await page.getByRole('link', { name: signInName }).click();
}

const signInName = new RegExp((['en', 'vi'] as const).map((code) => operatorTexts(code).frame.signIn).join('|'));

async function signInToHelpdesk(context: BrowserContext, world: World, user: string): Promise<void> {
  await context.addCookies([{ name: 'sid', value: world.helpdesk.sessionFor(user), url: world.helpdesk.url }]);
}

/** What is on screen: axe finds nothing in it, and it is no wider than the screen. */
export async function expectSound(page: Page, name: string): Promise<void> {
  // Charts take their new size only after the screen has taken its own.
  const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(tooWide, `${name} is as wide as the screen`).toBeLessThanOrEqual(0);
  expect(await axeViolations(page), name).toEqual([]);
  await keepPicture({ page }, `operator-${name}`, { fullPage: true });
}

/** Tickets as a day brings them; gives the name of the first. */
export async function fillDay({ helpdesk, pipeline, idle }: World): Promise<string> {
  const subject = 'Đơn hàng không đồng bộ';
  const first = await helpdesk.insertTicket(demo.portal.name, { subject }, { portal: true });
  await helpdesk.insertTicket(demo.portal.name, { subject }, { portal: true });
  // By mail, from people whom nobody knows.
  for (const [nth, orgId] of ['1000391001', '1000391001', '999999999', undefined].entries()) {
    const sender = { raised_by: `khach.la.${nth}@hopthu.example` };
    await helpdesk.insertTicket(demo.service.name, { subject, ...sender, ...(orgId && { custom_orgid: orgId }) });
  }
  await helpdesk.webhooks.idle();
  await pipeline.processInbox();
  await idle();
  return first;
}
