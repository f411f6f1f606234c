import path from 'node:path';
import { contract } from '@deskside/shared/contract';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { patience } from '@deskside/testing/patience';
import type { BrowserContext, Page } from 'playwright';
import { buildExtension } from '../browser/build-extension.ts';
import { findChromium, howToGetChromium } from '../browser/find-chromium.ts';
import { launchWithExtension } from '../browser/launch.ts';
import { type DemoWorld, startWorld } from '../demo/world.ts';
import { PanelPage } from '../tests/setup/panel-page.ts';
import { backgroundStopper, extensionOrigin } from '../tests/setup/shared-browser.ts';
import type { BenchCase, BenchRow } from './measure.ts';

/** Another company's: on the way to it the agent is signed in, and nothing is learnt about the first one. */
const ticket = demo.tickets.responsibleSet;
const other = demo.tickets.matched;

/** What was measured, in milliseconds by its name. */
type Times = Map<string, number[]>;

interface Scene {
  world: DemoWorld;
  context: BrowserContext;
  /** A page of the extension's own. */
  home: Page;
  stopBackground(): Promise<void>;
  times: Times;
}

const painted = 'an empty element until it is painted';
const fetched = 'a bare request for the same JSON';

/**
 * How long an agent waits from the click on the launcher to the panel's first content and to all of it. Beside it, in the same run, what the panel cannot be faster than: an empty
 * element on the same page until it is painted, and a bare request for the same JSON.
 */
export const panel: BenchCase = {
  name: 'panel',
  isSlow: true,
  async measure({ rounds, isSmall, folder }) {
    const executablePath = findChromium();
    if (!executablePath) throw new Error(howToGetChromium);
    const times: Times = new Map();
    let world = await startWorld({ data: path.join(folder, 'data') });
    const ports = [world.helpdesk.url, world.proxyUrl].map((url) => Number(new URL(url).port));
    const [helpdeskPort = 0, proxyPort = 0] = ports;
    const addresses = { helpdeskOrigin: world.helpdesk.url, proxyOrigin: world.proxyUrl };
    const extension = await buildExtension({ out: folder, ...addresses, mode: 'e2e' });
    const { context, close } = await launchWithExtension({ executablePath, extension, headless: true });
    try {
      context.setDefaultTimeout(patience.testTimeout);
      const home = await context.newPage();
      await home.goto(`${extensionOrigin}/manifest.json`);
      await untilRegistered(home);
      const stopBackground = await backgroundStopper(await context.newCDPSession(home));
      const repetitions = isSmall ? 1 : 3 * rounds;
      for (let nth = 0; nth < repetitions; nth += 1) {
        await repeat({ world, context, home, stopBackground, times });
        await world.close();
        // The next one has a proxy that has not been asked for anything yet.
        world = await startWorld({ data: path.join(folder, `data-${nth}`), helpdeskPort, proxyPort });
      }
      return rowsOf(times);
    } finally {
      await close();
      await world.close();
    }
  },
};

function rowsOf(times: Times): BenchRow[] {
  const measured = [...times].filter(([what]) => what !== painted && what !== fetched);
  return measured.map(([what, ours]) => {
    // Content that was not kept has to come from the proxy; the rest only has to be painted.
    const name = /cold|proxy/.test(what) ? fetched : painted;
    return { measure: what, unit: 'ms', ours, baseline: { name, figures: times.get(name) ?? [] } };
  });
}

async function repeat(scene: Scene): Promise<void> {
  const { world, context } = scene;
  await forget(scene, ['token', 'lastProfiles']);
  await context.clearCookies();
  const value = world.helpdesk.sessionFor(demo.agent.name);
  await context.addCookies([{ name: 'sid', value, url: world.helpdesk.url }]);
  const page = await context.newPage();
  const panel = new PanelPage(page, world, 'en');
  await openAndClose(scene, panel, other, null);
  await openAndClose(scene, panel, ticket, 'cold');
  await forget(scene, ['lastProfiles']);
  await openAndClose(scene, panel, ticket, 'kept by the proxy');
  await openAndClose(scene, panel, ticket, 'remembered by the extension');
  await baseline(scene, page);
  await page.close();
}

interface ExtensionPage {
  chrome: {
    scripting: { getRegisteredContentScripts(): Promise<unknown[]> };
    storage: {
      session: { remove(keys: string[]): Promise<void> };
      local: { get(key: 'panelLayouts'): Promise<{ panelLayouts?: Record<string, { open: boolean }> }> };
    };
  };
}

/** Waits for the background's first start: a background that is ended before Chromium knows its events is never started again. */
async function untilRegistered(home: Page): Promise<void> {
  await home.waitForFunction(async () => {
    const { scripting } = (globalThis as unknown as ExtensionPage).chrome;
    return (await scripting.getRegisteredContentScripts()).length > 0;
  });
}

/** Waits until it is kept that the agent has closed the panel: the page after this one opens it anew otherwise. */
async function untilClosed(home: Page): Promise<void> {
  await home.waitForFunction(async () => {
    const { storage } = (globalThis as unknown as ExtensionPage).chrome;
    const { panelLayouts = {} } = await storage.local.get('panelLayouts');
    return Object.values(panelLayouts).every(({ open }) => !open);
  });
}

/** Has the extension forget these, in its storage and in memory. */
async function forget({ home, stopBackground }: Scene, keys: string[]): Promise<void> {
  await home.evaluate(async (forgotten) => {
    const { storage } = (globalThis as unknown as ExtensionPage).chrome;
    await storage.session.remove(forgotten);
  }, keys);
  await stopBackground();
}

/** Loads the ticket's page, clicks as soon as the launcher is there, and closes the panel again. */
async function openAndClose(
  { home, times }: Scene,
  panel: PanelPage,
  name: string,
  state: string | null,
): Promise<void> {
  const { page } = panel;
  await panel.goto(name);
  const waited = page.evaluate(watchClick, patience.testTimeout);
  await panel.launcher.click();
  const { first, all } = await waited;
  if (state !== null) {
    note(times, `click to first content, ${state}`, first);
    note(times, `click to all content, ${state}`, all);
  }
  await panel.closeButton.click();
  await untilClosed(home);
}

/**
 * Milliseconds from the next click to the first frame with the company's name, and to the first with nothing under way.
 * Rejects with what is shown instead.
 */
function watchClick(timeout: number): Promise<{ first: number; all: number }> {
  return new Promise((resolve, reject) => {
    const shown = () => document.querySelector('deskside-panel')?.shadowRoot;
    setTimeout(() => reject(new Error(`The panel shows: ${shown()?.querySelector('.panel')?.textContent}`)), timeout);
    addEventListener(
      'click',
      ({ timeStamp }) => {
        let first: number | undefined;
        const look = () => {
          const root = shown();
          const isShown = root?.querySelector('.panel:not([hidden]) h3[title]');
          if (isShown) first ??= performance.now() - timeStamp;
          if (first !== undefined && !root?.querySelector('[aria-busy="true"]')) {
            resolve({ first, all: performance.now() - timeStamp });
          } else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
}

async function baseline({ world, home, times }: Scene, page: Page): Promise<void> {
  const untilPainted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        const element = document.createElement('div');
        element.attachShadow({ mode: 'open' }).innerHTML =
          '<div style="position:fixed;inset:56px 16px auto auto;width:400px;height:600px;background:#fff"></div>';
        document.querySelector('#app')?.after(element);
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            element.remove();
            resolve(performance.now() - from);
          }),
        );
      }),
  );
  note(times, painted, untilPainted);
  const url = new URL(contract.customerProfile.path, world.proxyUrl);
  url.searchParams.set('ticket', ticket);
  // From a page of the extension's: the proxy answers no other page.
  const untilFetched = await home.evaluate(
    async ([address, authorization]) => {
      const from = performance.now();
      const answer = await fetch(address, { headers: { authorization }, cache: 'no-store', credentials: 'omit' });
      await answer.json();
      if (!answer.ok) throw new Error(`The proxy answered ${answer.status}.`);
      return performance.now() - from;
    },
    [url.href, keyOf(demo.agent)] as const,
  );
  note(times, fetched, untilFetched);
}

function note(times: Times, what: string, milliseconds: number): void {
  times.set(what, [...(times.get(what) ?? []), milliseconds]);
}
