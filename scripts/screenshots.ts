import { ensureChromium } from '../e2e/browser/ensure-chromium.ts';
import { run } from './steps.ts';

/** `npm run screenshots`: a picture of every state of the panel, in `screenshots/`. */
process.env.PICTURES = '1';
const ready = await ensureChromium();
process.exit(
  ready
    ? await run('playwright', [
        'test',
        '--config',
        'e2e/playwright.config.ts',
        'situations',
        'states',
        'sync',
        'why-team',
        // Pictures take their time.
        '--timeout=900000',
        '--reporter=line',
      ])
    : 1,
);
