import { installPackages, mayInstallPackages } from '@deskside/testing/debian';
import { findChromium, howToGetChromium } from './find-chromium.ts';

/** Sees to it that there is a Chromium: installs Debian's where this account may. Says what to do where it can't. */
export async function ensureChromium(): Promise<boolean> {
  if (findChromium()) return true;
  if (process.env.CHROMIUM_PATH) {
    console.error(`CHROMIUM_PATH names ${process.env.CHROMIUM_PATH}, which is no program.`);
    return false;
  }
  if (mayInstallPackages()) {
    console.error('Installing Chromium from the distribution (about a minute)…');
    if ((await installPackages('chromium')) && findChromium()) return true;
  }
  console.error(howToGetChromium);
  return false;
}
