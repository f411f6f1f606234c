import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { certificateEnd } from '#setup/meet-deskside.ts';
import { selfSigned } from './testing/self-signed.ts';

test('until when a certificate is valid, whoever made it', async () => {
  const server = createServer(selfSigned(['localhost'], ['20', '31']));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = `https://localhost:${(server.address() as AddressInfo).port}`;
  const ends = await certificateEnd(address, new AbortController().signal);
  expect(new Date(ends ?? 0).getUTCFullYear()).toBe(2031);
});

test('nobody there is a failure', async () => {
  await expect(certificateEnd('https://127.0.0.1:1', new AbortController().signal)).rejects.toThrow(/ECONNREFUSED/);
});
