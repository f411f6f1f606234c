import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { closers } from '#net/testing/servers.ts';
import { resolveHost } from './guarded-fetch.ts';

const signal = new AbortController().signal;
const types = { 1: 'A', 28: 'AAAA' } as const;

interface Answer {
  code?: number;
  /** Addresses as bytes. */
  records?: number[][];
}

/** How a record begins: with the name that was asked for, and for how long it holds. */
const [record, ttl] = [
  [0xc0, 12],
  [0, 0, 0, 60],
];

/** A name server that says what `answer` says; undefined is silence. */
async function nameServer(answer: (type: 'A' | 'AAAA') => Answer | undefined) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query);
    const type = types[query.readUInt16BE(end) as keyof typeof types];
    asked.push(`${type} ${name}`);
    const says = answer(type);
    if (says === undefined) return;
    const records = says.records ?? [];
    const flags = [0x81, 0x80 | (says.code ?? 0)];
    const head = [...query.subarray(0, 2), ...flags, 0, 1, 0, records.length, 0, 0, 0, 0];
    const body = records.flatMap((bytes) => [
      ...record,
      ...query.subarray(end, end + 4),
      ...ttl,
      0,
      bytes.length,
      ...bytes,
    ]);
    socket.send(Buffer.from([...head, ...query.subarray(12, end + 4), ...body]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closers.push(async () => void socket.close());
  const server = `127.0.0.1:${socket.address().port}`;
  const resolve = (host: string, until: AbortSignal) => {
    const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
    resolver.setServers([server]);
    return resolveHost(host, until, resolver);
  };
  return { resolve, asked };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let end = 12;
  for (let size = query[end] ?? 0; size > 0; size = query[end] ?? 0) {
    labels.push(query.toString('latin1', end + 1, end + 1 + size));
    end += 1 + size;
  }
  return { name: labels.join('.'), end: end + 1 };
}

const v4 = [93, 184, 215, 14];
const v6 = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];
const refused = 5;
const noSuchName = 3;
const serverFailed = 2;

describe('the addresses of a name', () => {
  it.each<[string, Record<'A' | 'AAAA', Answer>, string[]]>([
    ['of both families', { A: { records: [v4] }, AAAA: { records: [v6] } }, ['93.184.215.14', '2606:4700::1111']],
    ['several', { A: { records: [v4, [127, 0, 0, 1]] }, AAAA: {} }, ['93.184.215.14', '127.0.0.1']],
    ['of IPv6 only', { A: {}, AAAA: { records: [v6] } }, ['2606:4700::1111']],
    ['where one family fails', { A: { records: [v4] }, AAAA: { code: serverFailed } }, ['93.184.215.14']],
    ['that does not exist', { A: { code: noSuchName }, AAAA: { code: noSuchName } }, []],
    ['that has none', { A: {}, AAAA: {} }, []],
  ])('%s', async (_, answers, expected) => {
    const { resolve, asked } = await nameServer((type) => answers[type]);
    expect((await resolve('shop.example', signal)).toSorted()).toEqual(expected.toSorted());
    // With no ending added: neither a search domain nor the hosts file has a say.
    expect(new Set(asked)).toEqual(new Set(['A shop.example', 'AAAA shop.example']));
  });

  it.each([
    ['fails', { A: { code: serverFailed }, AAAA: { code: serverFailed } }, 'ESERVFAIL'],
    ['refuses', { A: { code: refused }, AAAA: { code: refused } }, 'EREFUSED'],
    ['fails for one family and has nothing for the other', { A: { code: serverFailed }, AAAA: {} }, 'ESERVFAIL'],
  ])('are unknown when the name server %s', async (_, answers, code) => {
    const { resolve } = await nameServer((type) => answers[type as 'A' | 'AAAA']);
    await expect(resolve('shop.example', signal)).rejects.toMatchObject({ code });
  });

  it('of localhost come from no file', async () => {
    const { resolve } = await nameServer(() => ({ code: noSuchName }));
    expect(await resolve('localhost', signal)).toEqual([]);
  });

  it('are waited for no longer than the signal allows', async () => {
    const controller = new AbortController();
    const reason = new Error('the service stops');
    const { resolve } = await nameServer(() => void controller.abort(reason));
    await expect(resolve('shop.example', controller.signal)).rejects.toBe(reason);
  });

  it('of what cannot be a name are none', async () => {
    const { resolve } = await nameServer(() => ({ code: noSuchName }));
    expect(await resolve(`${'a'.repeat(64)}.example`, signal)).toEqual([]);
  });
});
