import { fileURLToPath } from 'node:url';
import { chromeKey } from '@deskside/extension/chrome-key';
import { patience } from '@deskside/testing/patience';
import type { BrowserContext, CDPSession, Page } from 'playwright';
import { expect } from 'playwright/test';
import { findChromium, howToGetChromium } from '../../browser/find-chromium.ts';
import { launchWithExtension, media, viewport } from '../../browser/launch.ts';
import { extensionIdOf } from '../../demo/world.ts';

/** Origin of the extension's own pages. */
export const extensionOrigin = `chrome-extension://${extensionIdOf(chromeKey)}`;

/** A file of Chromium's page of all extensions: it may do what that page may, which takes over a second to load. */
export const ofAllExtensions = 'chrome://extensions/strings.m.js';

interface Storage {
  get(): Promise<object>;
  clear(): Promise<void>;
  set(values: object): Promise<void>;
}
type Chrome = { chrome: { storage: Record<'local' | 'session' | 'sync', Storage> } };

/**
 * A Chromium with the extension that serves one test after another: starting one takes longer than most tests. Between
 * two tests it forgets everything that a new one would not know.
 */
export interface SharedBrowser {
  context: BrowserContext;
  /** A tab like a new one, which costs a process and all that it has to learn again. */
  tab(): Promise<Page>;
  /** Has the extension's storage hold values, as after an earlier visit, in this session or for good. */
  remember(area: 'session' | 'local', values: object): Promise<void>;
  /** Ends the background, as the browser may at any time: the next message starts it again. */
  endBackground(): Promise<void>;
  /** Makes it as new, for a test with the helpdesk at this origin. */
  renew(helpdesk: string): Promise<void>;
  close(): Promise<void>;
}

export async function startSharedBrowser(extension: string): Promise<SharedBrowser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(howToGetChromium);
  const { context, close } = await launchWithExtension({
    executablePath,
    extension,
    headless: true,
    env: { FONTCONFIG_FILE: fileURLToPath(new URL('./fonts.conf', import.meta.url)) },
  });
  // A page of the extension's own that runs none of its code: it can reach the extension's storage, and it keeps the
  // browser open when a test closes the rest.
  const home = context.pages()[0] ?? (await context.newPage());
  await home.goto(`${extensionOrigin}/manifest.json`);
  const devtools = await context.newCDPSession(home);
  const stopBackground = await backgroundStopper(devtools);

  let tab: Page | undefined;

  return {
    context,
    async tab() {
      if (!tab || tab.isClosed()) tab = await context.newPage();
      await tab.bringToFront();
      await tab.setViewportSize(viewport);
      await tab.emulateMedia(media);
      // Outside of it, where the pointer rests on nothing.
      await tab.mouse.move(-1, -1);
      return tab;
    },
    async endBackground() {
      await devtools.send('ServiceWorker.stopAllWorkers');
    },
    async remember(area, values) {
      await home.evaluate(([area, kept]) => (globalThis as unknown as Chrome).chrome.storage[area].set(kept), [
        area,
        values,
      ] as const);
    },
    async renew(helpdesk) {
      const others = context.pages().filter((page) => page !== home && page !== tab);
      await Promise.all(others.map((page) => page.close()));
      await context.setOffline(false);
      // Where nothing of the extension is. Elsewhere than at the helpdesk, its next page would cost a new process.
      if (!tab?.isClosed()) await tab?.goto(`${helpdesk}/nothing`);
      await context.clearCookies();
      await context.clearPermissions();
      await devtools.send('Storage.clearDataForOrigin', { origin: helpdesk, storageTypes: 'all' });
      // As long as there was something: until it has ended the background may write again. Told while it still runs, it is not
      // started anew by being told.
      let wasKept = true;
      while (wasKept) {
        wasKept = await forget(home);
        await stopBackground();
      }
    },
    close,
  };
}

/** Empties the extension's storage; gives whether anything was in it. */
function forget(home: Page): Promise<boolean> {
  return home.evaluate(async () => {
    const { local, session, sync } = (globalThis as unknown as Chrome).chrome.storage;
    const areas = [local, session, sync];
    const kept = await Promise.all(areas.map((area) => area.get()));
    await Promise.all(areas.map((area) => area.clear()));
    return kept.some((values) => Object.keys(values).length > 0);
  });
}

/** Gives what stops the background: what it holds in memory goes with it, and the next message starts it again. */
export async function backgroundStopper(devtools: CDPSession): Promise<() => Promise<void>> {
  const running = new Set<string>();
  devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { versionId, runningStatus } of versions) {
      if (runningStatus === 'stopped') running.delete(versionId);
      else running.add(versionId);
    }
  });
  await devtools.send('ServiceWorker.enable');
  // Again where an event that was on its way has started it anew.
  const stop = async () => {
    await devtools.send('ServiceWorker.stopAllWorkers');
    return running.size;
  };
  return () => expect.poll(stop, { timeout: patience.expect.poll.timeout }).toBe(0);
}
