import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operatorTexts } from '@deskside/operator/texts';
import { demo, type Seed } from '@deskside/simulators/seed/index';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { test as base, expect } from 'playwright/test';
import { findChromium, howToGetChromium } from '../../browser/find-chromium.ts';
import { startWorld, type World } from '../../demo/world.ts';

interface Fixtures {
  /** What the world starts from, instead of the usual one. */
  seed: Seed | undefined;
  world: World;
  browser: Browser;
}

/** A test of the operator page: simulators, the real proxy, and a Chromium without the extension. */
export const test = base.extend<Fixtures>({
  seed: [undefined, { option: true }],

  world: async ({ seed }, use) => {
    const data = await mkdtemp(path.join(tmpdir(), 'deskside-operator-'));
    const world = await startWorld({ data, operator: true, pipeline: true, ...(seed && { seed }) });
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
