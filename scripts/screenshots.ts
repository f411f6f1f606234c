import { ensureChromium } from './ensure-chromium.ts';
import { run } from './steps.ts';

/** `npm run screenshots`: a picture of every state of the panel, in `screenshots/`. */
const ready = ensureChromium();
process.exit(
  ready
    ? await run('playwright', ['test', '--config', 'e2e/playwright.config.ts', 'states.spec', '--reporter=line'])
    : 1,
);
