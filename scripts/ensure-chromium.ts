import { existsSync } from 'node:fs';
import { findChromium, howToGetChromium } from '../e2e/browser/find-chromium.ts';
import { run } from './steps.ts';

/** Sees to it that there is a Chromium: installs Debian's where this account may. Says what to do where it can't. */
export async function ensureChromium(): Promise<boolean> {
  if (findChromium()) return true;
  if (process.env.CHROMIUM_PATH) {
    console.error(`CHROMIUM_PATH names ${process.env.CHROMIUM_PATH}, which is no program.`);
    return false;
  }
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.error('Installing Chromium from the distribution (about a minute)…');
    const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], quiet);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet);
    if (findChromium()) return true;
  }
  console.error(howToGetChromium);
  return false;
}
