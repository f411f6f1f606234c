import { fileURLToPath } from 'node:url';
import { buildExtension } from '../e2e/browser/build-extension.ts';

/** `npm run build:extension`: the unpacked extension, for everybody or, with HELPDESK_ORIGIN and PROXY_ORIGIN, for one company. */
const { HELPDESK_ORIGIN: helpdeskOrigin = '', PROXY_ORIGIN: proxyOrigin = '' } = process.env;
try {
  const out = fileURLToPath(new URL('../extension/.output', import.meta.url));
  console.log(await buildExtension({ out, helpdeskOrigin, proxyOrigin }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
