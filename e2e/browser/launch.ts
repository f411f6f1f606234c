import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium } from 'playwright';

export interface LaunchOptions {
  executablePath: string;
  /** Folder of the unpacked extension. */
  extension: string;
  headless: boolean;
  viewport?: { width: number; height: number } | null;
  /** Environment variables of the browser, above those of this process. */
  env?: Record<string, string>;
}

/** What a tab is like at first. */
export const viewport = { width: 1440, height: 900 };
export const media = { colorScheme: 'light', reducedMotion: 'no-preference' } as const;

/** A Chromium with the extension in a profile of its own; closing it removes the profile. */
export async function launchWithExtension(
  options: LaunchOptions,
): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = await mkdtemp(path.join(tmpdir(), 'deskside-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: options.executablePath,
    headless: false,
    args: [
      ...(options.headless ? ['--headless=new'] : []),
      // A container's root cannot use Chromium's sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--no-first-run',
      `--disable-extensions-except=${options.extension}`,
      `--load-extension=${options.extension}`,
    ],
    ignoreDefaultArgs: ['--disable-extensions'],
    env: { ...process.env, ...options.env },
    locale: 'en-US',
    ...media,
    viewport: options.viewport === undefined ? viewport : options.viewport,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return {
    context,
    async close() {
      await context.close().catch(() => {});
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
