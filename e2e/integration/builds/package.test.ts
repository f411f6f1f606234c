import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { optionsTextsIn } from '@deskside/extension/options-texts';
import { textsFor } from '@deskside/extension/texts';
import { builtExtensionIds, redirectUriOf } from '@deskside/proxy/sign-in';
import { demo } from '@deskside/simulators/seed/index';
import { needs } from '@deskside/testing/needs';
import { sized } from '@deskside/testing/size';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { packageExtension } from '../../browser/build-extension.ts';
import { launchFirefox } from '../../browser/firefox.ts';
import { startWorld } from '../../demo/world.ts';
import { FirefoxPage } from '../firefox-page.ts';

const run = promisify(execFile);
/** How the protocol writes the Enter key. */
const enter = '\uE007';
let folder: string;
let firefox: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deskside-package-'));
  firefox = await packageExtension({ out: path.join(folder, 'a'), browser: 'firefox' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// A build takes seconds.
if (sized({ small: false, full: true })) {
  test('the same sources give the same bytes, wherever and whenever they are packed', async () => {
    const again = await packageExtension({ out: path.join(folder, 'another', 'place'), browser: 'firefox' });
    expect((await readFile(again)).equals(await readFile(firefox))).toBe(true);
  });
}

const inPackage = (file: string) => readFile(path.join(folder, 'a', 'firefox-mv3', file), 'utf8');

test('the Firefox package is MV3 with the permissions that Chrome’s has, and upgrades no address', async () => {
  const manifest = JSON.parse(await inPackage('manifest.json'));
  expect(manifest).toMatchObject({
    manifest_version: 3,
    version: JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')).version,
    permissions: ['storage', 'scripting', 'identity'],
    optional_host_permissions: ['https://*/*', 'http://127.0.0.1/*', 'http://localhost/*'],
    content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" },
    browser_specific_settings: {
      gecko: { id: expect.any(String), data_collection_permissions: { required: expect.any(Array) } },
    },
  });
  for (const absent of ['key', 'storage', 'host_permissions', 'content_scripts', 'web_accessible_resources']) {
    expect(manifest).not.toHaveProperty(absent);
  }
});

test('the licence of every package in it is passed on', async () => {
  const licenses = await inPackage('LICENSES.txt');
  // In the panel's bundle, and in the background's.
  for (const name of ['react', 'oauth4webapi'])
    expect(licenses).toMatch(new RegExp(`^${name} \\S+ \\(MIT\\)\n\n`, 'm'));
  // A zip names its files in the clear.
  expect((await readFile(firefox)).includes('LICENSES.txt')).toBe(true);
});

needs('addons-linter')("Mozilla's linter", (linter) => {
  test('finds no fault with the package for Firefox', async () => {
    const { stdout } = await run(process.execPath, [linter, '--output', 'json', firefox]);
    const { errors, warnings, notices } = JSON.parse(stdout);
    const said = [...errors, ...warnings, ...notices].map(({ code, file }) => `${code} ${file}`);
    expect(said).toEqual([]);
  });
});

needs('firefox')('Firefox with its package', (executablePath) => {
  test('goes from the installation to a refreshed profile, and nothing of it is left when it is removed', async () => {
    const world = await startWorld({
      data: path.join(folder, 'data'),
      environment: { OAUTH_CLIENT_IDS: JSON.stringify({ firefox: 'deskside-firefox' }) },
    });
    onTestFinished(world.close);
    const { helpdesk, crm, proxyUrl } = world;
    const redirectUri = redirectUriOf('firefox', builtExtensionIds.firefox);
    helpdesk.registerOAuthClient({ clientId: 'deskside-firefox', redirectUri, allowedRoles: ['Agent'] });
    const browser = await launchFirefox(executablePath);
    onTestFinished(browser.close);
    const value = { type: 'string', value: helpdesk.sessionFor(demo.agent.name) };
    await browser.send('storage.setCookie', { cookie: { name: 'sid', value, domain: new URL(helpdesk.url).hostname } });

    const { extension } = await browser.send<{ extension: string }>('webExtension.install', {
      extensionData: { type: 'archivePath', path: firefox },
    });
    const page = await FirefoxPage.at(browser, 'moz-extension:');
    const { address, access, ready } = optionsTextsIn('en');
    await expect.poll(() => page.text()).toContain(address.label);
    await page.type(`${proxyUrl}${enter}`);
    await page.press('button', access.allow);
    await expect.poll(() => page.text()).toContain(ready.heading(demo.agent.fullName));
    await page.press('link', ready.tickets);
    await FirefoxPage.at(browser, `${helpdesk.url}/helpdesk/tickets`);

    await page.goto(`${helpdesk.url}/helpdesk/tickets/${demo.tickets.matched}`);
    await page.press('button', null, 'deskside-launcher');
    await expect.poll(() => page.text('deskside-panel')).toContain('Gốm Sứ Làng Mơ');
    const asked = crm.journal.length;
    const { shell } = textsFor('en');
    await page.press('button', shell.refresh, 'deskside-panel');
    await expect.poll(() => crm.journal.length).toBe(asked + 1);
    await expect.poll(() => page.text('deskside-panel')).toContain(shell.refreshed);

    // Into the editor of the page, in the language of the message that is in a frame of it, however often it is pressed.
    const { steps } = textsFor('vi');
    const { fromAddress } = steps.question;
    await page.goto(`${helpdesk.url}/helpdesk/tickets/${demo.tickets.claimed}`);
    for (let presses = 0; presses < 2; presses += 1) {
      await page.press('button', textsFor('en').steps.insertQuestion, 'deskside-panel');
      await expect.poll(async () => (await page.text()).split(fromAddress)).toHaveLength(2);
      await expect.poll(() => page.text('deskside-panel')).toContain(shell.inserted(fromAddress));
    }

    // Firefox ends the scripts of an extension that goes, and leaves on the page what they have put there.
    const shown = () => Promise.all(['deskside-launcher', 'deskside-panel'].map((host) => page.isShown(host)));
    expect(await shown()).toEqual([true, true]);
    await browser.send('webExtension.uninstall', { extension });
    await expect.poll(shown).toEqual([false, false]);
  });
});
