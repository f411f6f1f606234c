import { fileURLToPath } from 'node:url';

/**
 * The proxy's command, for tests that run it in a process of its own: as it is built for operators where the run of tests
 * has built it, which also starts sooner, and from its sources otherwise.
 */
export const proxyCli = process.env.DESKSIDE_CLI ?? fileURLToPath(new URL('../proxy/src/main.ts', import.meta.url));
