import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A loopback port that is free, and below those the system gives to outgoing connections (32,768 and above on Linux,
 * 49,152 elsewhere): none of them takes it before it is used.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  return (await isFree(port)) ? port : freePort();
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
