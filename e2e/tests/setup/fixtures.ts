import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Generation } from '@deskside/simulators/helpdesk/server';
import { demo } from '@deskside/simulators/seed/index';
import { freePort } from '@deskside/testing/free-port';
import type { BrowserContext, Page } from 'playwright';
import { test as base } from 'playwright/test';
import { chromeClientId, type DemoWorld, startWorld, type WorldOptions } from '../../demo/world.ts';
import { copyExtension } from './built-extension.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { PanelPage } from './panel-page.ts';
import { type SharedBrowser, startSharedBrowser } from './shared-browser.ts';

// Node runs the sources as they are: Playwright would look in source maps for the place of each of its calls.
Reflect.deleteProperty(Error, 'prepareStackTrace');

interface Options {
  generation: Generation;
  /** The page that the helpdesk serves. */
  helpdeskPage: 'own' | 'next' | 'next-rtl';
  environment: NonNullable<WorldOptions['environment']>;
  /** The helpdesk tells the proxy of new tickets. */
  pipeline: boolean;
  /** The language of the helpdesk, as the extension knows it from an earlier day. */
  language: 'en' | 'vi';
  /** Who is signed in to the helpdesk in the browser; null: nobody. */
  signedInAs: string | null;
  /** The extension has a token of theirs from earlier in this browser session; otherwise it signs in when it needs one. */
  hasToken: boolean;
}

interface Fixtures {
  world: DemoWorld;
  /** What the extension takes for the proxy. */
  gateway: Gateway;
  context: BrowserContext;
  page: Page;
  panel: PanelPage;
}

interface WorkerFixtures {
  /** The extension, built for addresses of this worker's own. */
  built: { extension: string; helpdeskPort: number; proxyPort: number };
  sharedBrowser: SharedBrowser;
}

/** A test with the whole product: simulators, the real proxy, a real Chromium with the real extension. */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  generation: ['1.28', { option: true }],
  helpdeskPage: ['own', { option: true }],
  environment: [{}, { option: true }],
  pipeline: [false, { option: true }],
  language: ['en', { option: true }],
  signedInAs: [demo.agent.name, { option: true }],
  hasToken: [true, { option: true }],

  built: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const extension = await mkdtemp(path.join(tmpdir(), 'deskside-extension-'));
      const [helpdeskPort, proxyPort] = [await freePort(), await freePort()];
      await copyExtension(extension, {
        helpdesk: `http://127.0.0.1:${helpdeskPort}`,
        proxy: `http://127.0.0.1:${proxyPort}`,
      });
      await use({ extension, helpdeskPort, proxyPort });
      await rm(extension, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],

  sharedBrowser: [
    async ({ built }, use) => {
      const browser = await startSharedBrowser(built.extension);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],

  world: async ({ built, generation, environment, pipeline }, use) => {
    const data = await mkdtemp(path.join(tmpdir(), 'deskside-data-'));
    const world = await startWorld({
      generation,
      data,
      environment,
      pipeline,
      helpdeskPort: built.helpdeskPort,
    });
    await use(world);
    await world.close();
    await rm(data, { recursive: true, force: true });
  },

  gateway: async ({ built, world }, use) => {
    const gateway = await startGateway(built.proxyPort, world.proxyUrl);
    await use(gateway);
    await gateway.close();
  },

  context: async (
    { sharedBrowser, built, world, gateway: _gateway, helpdeskPage, language, signedInAs, hasToken },
    use,
  ) => {
    world.helpdesk.settings.page = helpdeskPage;
    world.helpdesk.settings.language = language;
    if (signedInAs) {
      await signIn(sharedBrowser.context, world, signedInAs);
      await sharedBrowser.remember('local', { person: { user: signedInAs, language, isLead: false } });
      if (hasToken) await sharedBrowser.remember('session', { token: tokenOf(signedInAs, world, built) });
    }
    await use(sharedBrowser.context);
    await sharedBrowser.renew(world.helpdesk.url);
  },

  // After the context, which signs in.
  page: async ({ context: _context, sharedBrowser }, use) => {
    await use(await sharedBrowser.tab());
  },

  panel: async ({ page, world, language }, use) => {
    await use(new PanelPage(page, world, language));
  },
});

/** For `test.use`: a tab that no other test gets, where scripts of the test start with each of its pages. */
export const ownTab = {
  page: async ({ context }: Pick<Fixtures, 'context'>, use: (page: Page) => Promise<void>) => {
    await use(await context.newPage());
  },
};

export { expect } from 'playwright/test';

/** Signs the browser in to the helpdesk, as its login page would. */
async function signIn(context: BrowserContext, world: DemoWorld, user: string): Promise<void> {
  await context.addCookies([{ name: 'sid', value: world.helpdesk.sessionFor(user), url: world.helpdesk.url }]);
}

/** What the extension keeps after a sign-in. */
function tokenOf(user: string, world: DemoWorld, built: WorkerFixtures['built']) {
  return {
    value: world.helpdesk.accessTokenFor(user),
    expiresAt: Date.now() + 3_600_000,
    user,
    helpdesk: world.helpdesk.url,
    proxy: `http://127.0.0.1:${built.proxyPort}`,
    clientId: chromeClientId,
  };
}
