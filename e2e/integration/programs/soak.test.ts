import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sized } from '@deskside/testing/size';
import { expect, onTestFinished, test } from 'vitest';
import { startRelay } from '../../soak/relay.ts';
import { runSoak } from '../../soak/run-soak.ts';

test('the soak’s network passes on, holds and cuts', async () => {
  const echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const relay = await startRelay([(echo.address() as AddressInfo).port]);
  onTestFinished(async () => {
    await relay.close();
    echo.close();
  });
  const client = connect(relay.port, '127.0.0.1').on('error', () => {});
  const received: string[] = [];
  client.on('data', (bytes) => received.push(String(bytes)));
  client.write('a');
  await expect.poll(() => received.join('')).toBe('a');
  const release = relay.hold();
  client.write('b');
  await new Promise((resolve) => setImmediate(resolve));
  expect(received.join('')).toBe('a');
  release();
  await expect.poll(() => received.join('')).toBe('ab');
  const closed = new Promise((resolve) => client.on('close', resolve));
  relay.cut();
  await closed;
});

// Minutes of real time, because processes are killed; `npm run soak` takes as long as it is told.
if (sized({ small: false, full: true })) {
  test.each([
    { isPostgres: false, replicas: 2 },
    { isPostgres: true, replicas: 3 },
  ])(
    'with faults and kills no ticket is lost or assigned twice, and turns are exact: $replicas processes',
    async (on) => {
      const rates = { ticketsPerSecond: 1, profilesPerSecond: 4, killEverySeconds: 20 };
      const { findings, kills } = await runSoak({ ...on, ...rates, seconds: 60, seed: 1 });
      expect(findings).toEqual([]);
      expect(kills).toBeGreaterThan(0);
    },
    900_000,
  );
}
