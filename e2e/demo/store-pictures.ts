import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromeKey } from '@deskside/extension/chrome-key';
import { optionsTextsIn } from '@deskside/extension/options-texts';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import { ensureChromium } from '../../scripts/ensure-chromium.ts';
import { buildExtension } from '../browser/build-extension.ts';
import { findChromium } from '../browser/find-chromium.ts';
import { launchWithExtension } from '../browser/launch.ts';
import { extensionIdOf, startWorld, type World } from './world.ts';

/** `npm run store-pictures`: the pictures for the browsers' stores, in `extension/store`, taken of the demo. */
const languages = ['en', 'vi'] as const;
type Language = (typeof languages)[number];

/** What Chrome's and Edge's stores want; Mozilla's takes any size. */
const size = { width: 1280, height: 800 };
const pictures = fileURLToPath(new URL('../../extension/store/', import.meta.url));
const pages = `chrome-extension://${extensionIdOf(chromeKey)}`;

const executablePath = (await ensureChromium()) ? findChromium() : null;
if (!executablePath) process.exit(1);
const folder = await mkdtemp(path.join(tmpdir(), 'deskside-store-'));
const world = await startWorld({ data: path.join(folder, 'data') });
try {
  await mkdir(pictures, { recursive: true });
  // With open shadow roots, which look the same.
  const forEverybody = await buildExtension({ out: path.join(folder, 'everybody'), mode: 'e2e' });
  const forDemo = await buildExtension({
    out: path.join(folder, 'demo'),
    helpdeskOrigin: world.helpdesk.url,
    proxyOrigin: world.proxyUrl,
    mode: 'e2e',
  });
  for (const language of languages) {
    await withBrowser(forEverybody, language, (page) => welcome(page, language));
    await withBrowser(forDemo, language, (page) => ticket(page, language, world));
  }
} finally {
  await world.close();
  await rm(folder, { recursive: true, force: true });
}

async function withBrowser(extension: string, language: Language, take: (page: Page) => Promise<void>): Promise<void> {
  const browser = await launchWithExtension({
    executablePath: executablePath ?? '',
    extension,
    headless: true,
    viewport: size,
  });
  try {
    const page = await browser.context.newPage();
    // The language as the person has set it, wherever else it would come from.
    await page.goto(`${pages}/options.html`);
    await page.getByRole('combobox').selectOption(language);
    await take(page);
  } finally {
    await browser.close();
  }
}

async function welcome(page: Page, language: Language): Promise<void> {
  const texts = optionsTextsIn(language).address;
  await page.getByLabel(texts.label).fill(texts.example);
  await keep(page, language, 'welcome');
}

async function ticket(page: Page, language: Language, { helpdesk }: World): Promise<void> {
  const { around, steps, sync } = textsFor(language);
  const value = helpdesk.sessionFor(demo.agent.name);
  await page.context().addCookies([{ name: 'sid', value, url: helpdesk.url }]);
  await page.goto(`${helpdesk.url}/helpdesk/tickets/${demo.tickets.matched}`);
  await page.locator('deskside-launcher').getByRole('button').first().click();
  const panel = page.locator('deskside-panel');
  await panel.getByRole('region', { name: around.title }).waitFor();
  await keep(page, language, 'panel');
  await page.goto(`${helpdesk.url}/helpdesk/tickets/${demo.tickets.claimed}`);
  await panel.getByRole('button', { name: steps.insertQuestion }).waitFor();
  await keep(page, language, 'stranger');
  await panel.getByRole('button', { name: steps.itsThem }).click();
  await panel.getByRole('heading', { name: sync.itsThem }).waitFor();
  await keep(page, language, 'its-them');
}

async function keep(page: Page, language: Language, name: string): Promise<void> {
  const file = path.join(pictures, `${name}-${language}.jpg`);
  await page.screenshot({ path: file, type: 'jpeg', quality: 82, animations: 'disabled' });
  console.log(path.relative('.', file));
}
