import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';

/** Places where a Chromium is found besides PATH. Branded Chrome and Edge are none: they load no extension from the command line. */
const elsewhere = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/snap/bin/chromium',
  path.join(process.env.LOCALAPPDATA ?? '', 'Chromium', 'Application', 'chrome.exe'),
];

/** Path of a Chromium that can load an unpacked extension, or null. `CHROMIUM_PATH` is taken before anything else. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return isExecutable(CHROMIUM_PATH) ? CHROMIUM_PATH : null;
  const onPath = PATH.split(path.delimiter).flatMap((dir) => [
    path.join(dir, 'chromium'),
    path.join(dir, 'chromium-browser'),
  ]);
  return [...onPath, ...elsewhere, chromium.executablePath()].find(isExecutable) ?? null;
}

/** What a person does where there is none. */
export const howToGetChromium =
  'No Chromium was found. Install one (Debian, Ubuntu: apt-get install chromium; elsewhere: npx playwright install chromium), or set CHROMIUM_PATH to one.';

function isExecutable(file: string): boolean {
  if (!file || !existsSync(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
