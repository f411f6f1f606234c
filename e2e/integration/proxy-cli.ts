import { fileURLToPath } from 'node:url';

/** The proxy's command, for tests that run it in a process of its own. */
export const proxyCli = fileURLToPath(import.meta.resolve('@deskside/proxy/cli'));
