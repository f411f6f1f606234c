import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { browsers, buildExtension, type TargetBrowser } from '../e2e/browser/build-extension.ts';

const usage = `Usage: npm run build:extension -- [--browser chrome|edge|firefox] [--insecure-http helpdesk.test]…
HELPDESK_ORIGIN and PROXY_ORIGIN, where they are set, are built in.
--insecure-http  lets a name that leads to this machine be http: for trying things out, never for a package.`;

/** `npm run build:extension`: the unpacked extension, for everybody or for one company. */
const { HELPDESK_ORIGIN: helpdeskOrigin = '', PROXY_ORIGIN: proxyOrigin = '' } = process.env;
try {
  const { values } = parseArgs({
    options: {
      browser: { type: 'string', default: 'chrome' },
      'insecure-http': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  const { browser, 'insecure-http': insecureHosts, help } = values;
  if (help || !isBrowser(browser)) throw new Error(usage);
  const out = fileURLToPath(new URL('../extension/.output', import.meta.url));
  console.log(await buildExtension({ out, browser, helpdeskOrigin, proxyOrigin, insecureHosts }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function isBrowser(name: string): name is TargetBrowser {
  return (browsers as readonly string[]).includes(name);
}
