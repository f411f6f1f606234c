import { build, zip } from 'wxt';

/**
 * `node build.ts build|zip MODE BROWSER…`: builds one after the other in one process, for which the tools are loaded, and their
 * code compiled, once. What is built in stands in the environment (wxt.config.ts).
 */
const [command, mode = 'production', ...browsers] = process.argv.slice(2);
for (const browser of browsers) await (command === 'zip' ? zip : build)({ mode, browser });
