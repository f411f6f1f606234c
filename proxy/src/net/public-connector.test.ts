import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { createEgress } from './egress.ts';
import { closers, failureOf, get, listen } from './testing/servers.ts';
import { certificate, otherAddress, shopAddress } from './testing/shops.ts';

const origin = 'https://crm.shop.example';

/** An egress whose DNS answers as told, and where every address leads to one server, which counts its connections. */
async function world(answers: string[][]) {
  const server = createServer({ ...certificate }, (_, response) =>
    response.setHeader('connection', 'close').end('crm'),
  );
  await listen(server);
  const dialled: (readonly string[])[] = [];
  const egress = createEgress({
    allowInsecure: false,
    tls: { ca: certificate.cert },
    resolve: async () => answers.shift() ?? [],
    dial: ({ addresses, signal }) => {
      dialled.push(addresses);
      return connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, signal });
    },
  });
  closers.push(() => egress.close());
  return { upstream: egress.upstream(origin, { publicOnly: true }), dialled };
}

it('asks a host that comes to lead into the network no more, and again once it is public', async () => {
  const w = await world([[shopAddress], ['10.0.0.8'], [shopAddress, '192.168.1.1'], [], [otherAddress]]);
  expect((await get(w.upstream)).text).toBe('crm');
  for (const _ of ['private', 'in part', 'nowhere'])
    expect(await failureOf(get(w.upstream))).toMatchObject({
      code: 'unreachable',
      message: 'The host name leads to no public address.',
    });
  expect((await get(w.upstream)).text).toBe('crm');
  expect(w.dialled).toEqual([[shopAddress], [otherAddress]]);
});
