import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { buildConnector } from 'undici';
import { describe, expect, it } from 'vitest';
import { certificate, json, otherAddress, shopAddress, shops } from '#intake/testing/shops.ts';
import { type SelfSigned, selfSigned } from '#net/testing/self-signed.ts';
import { listen } from '#net/testing/servers.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

const signal = new AbortController().signal;
const address = 'https://shop.example/meta.json';
const failed = (why: string) => ({ kind: 'failed', why });

/** A TLS server that sends the given bytes as soon as a request arrives, and then does what `then` says. */
function rawShop(bytes: string, then: (socket: Socket) => void = () => {}) {
  return createTlsServer({ ...certificate }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(bytes, () => then(socket)));
  });
}

describe('redirects', () => {
  const chain = (length: number) =>
    shops({
      listener: (request, response) => {
        const step = Number(request.url?.slice(1));
        if (step === length) json(response, `"${request.headers.host}"`);
        else response.writeHead(302, { location: `https://s${step + 1}.shop.example/${step + 1}` }).end();
      },
    });

  it('are followed three times, each with a lookup and a connection of its own, and then given up', async () => {
    for (const length of [0, 1, 2, 3, 4]) {
      const { fetch, seen } = await chain(length);
      const answer = await fetch('https://s0.shop.example/0', signal);
      const followed = { kind: 'answered', text: `"s${length}.shop.example"` };
      expect(answer).toMatchObject(length > 3 ? failed('redirected') : followed);
      expect(seen.asked).toEqual([0, 1, 2, 3].slice(0, length + 1).map((step) => `s${step}.shop.example`));
      expect(seen.dialled.map(({ host }) => host)).toEqual(seen.asked);
    }
  });

  it('lose fragment and standard port, and keep path and query', async () => {
    const { fetch } = await shops({
      listener: (request, response) => {
        if (request.url === '/meta.json')
          response.writeHead(308, { location: 'https://SHOP.example.:443/a/../b?c=%2F#d' });
        response.end(request.url);
      },
    });
    const answer = await fetch(address, signal);
    expect(answer).toMatchObject({ address: 'https://shop.example/b', text: '/b?c=%2F' });
  });

  it('of 100 MB are followed without reading them', async () => {
    const { fetch } = await shops({
      listener: (request, response) => {
        if (request.url !== '/meta.json') return response.end('{}');
        response.writeHead(302, { location: '/next', 'content-length': 100_000_000 });
        response.write(Buffer.alloc(100_000));
        return undefined;
      },
    });
    expect(await fetch(address, signal)).toMatchObject({ kind: 'answered', text: '{}' });
  });
});

describe('TLS', () => {
  const other = selfSigned(['other.example']);
  const expired = selfSigned(['shop.example'], ['20', '21']);
  it.each<[string, SelfSigned, string | undefined]>([
    ['of a stranger', selfSigned(['shop.example']), certificate.cert],
    ['for another host', other, other.cert],
    ['that has expired', expired, expired.cert],
    ['of our own, where no other authorities are given', certificate, undefined],
  ])('refuses a certificate %s, whatever the environment says', async (_, own, ca) => {
    let requests = 0;
    const server = createHttpsServer({ ...own }, (_, response) => {
      requests += 1;
      response.end('{}');
    });
    const { fetch, seen } = await shops({ server, ca });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await fetch(address, signal)).toEqual(failed('unreachable'));
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    expect(seen.dialled).toHaveLength(1);
    expect(requests).toBe(0);
  });

  it('is never left out: a server that speaks HTTP on the port is asked nothing', async () => {
    let requests = 0;
    const server = createHttpServer((_, response) => {
      requests += 1;
      response.end('{}');
    });
    const { fetch } = await shops({ server });
    expect(await fetch(address, signal)).toEqual(failed('unreachable'));
    expect(requests).toBe(0);
  });
});

describe('time', () => {
  const hints = (socket: Socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n');
  const slow = {
    'accepts and says nothing': createServer((socket) => socket.resume()),
    'never answers': rawShop(''),
    'stops inside the head': rawShop('HTTP/1.1 200 OK\r\n'),
    'stops inside the body': rawShop('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'),
    'sends a byte of the head now and then': rawShop('HTTP/1.1 200 OK\r\nx: ', drip),
    'sends a byte of the body now and then': rawShop('HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n', drip),
    'sends one interim answer after another': rawShop('', hints),
  };
  it('is up for whatever server does not come to an end, and its connection ends', async () => {
    const asked = Object.entries(slow).map(async ([what, server]) => {
      const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'));
      const { fetch } = await shops({ server, timeoutMs: 400 });
      expect(await fetch(address, signal), what).toEqual(failed('timeout'));
      await closed;
    });
    await Promise.all(asked);
  });

  it('is up for a server that redirects slowly, in sum', async () => {
    const { fetch, seen } = await shops({
      timeoutMs: 500,
      listener: (_, response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 200),
    });
    expect(await fetch(address, signal)).toEqual(failed('timeout'));
    expect(seen.dialled.length).toBeLessThanOrEqual(3);
  });

  it('is up for a name server that does not answer, and for one that answers late', async () => {
    let answer: (addresses: string[]) => void = () => {};
    const { fetch, seen } = await shops({
      timeoutMs: 100,
      dns: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    expect(await fetch(address, signal)).toEqual(failed('timeout'));
    answer([shopAddress]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.dialled).toEqual([]);
  });
});

describe('size', () => {
  it('ends a body of 100 MB at the limit, a few buffers later at most', async () => {
    let sent = 0;
    const { fetch } = await shops({
      listener: (_, response) => {
        const chunk = Buffer.alloc(64 * 1024, ' ');
        const pump = () => {
          while (!response.destroyed && sent < 100_000_000) {
            sent += chunk.length;
            if (!response.write(chunk)) return;
          }
          response.end();
        };
        response.on('drain', pump);
        pump();
      },
    });
    expect(await fetch(address, signal)).toEqual(failed('too_large'));
    expect(sent).toBeLessThan(32 * 2 ** 20);
  });

  const largest = 'x'.repeat(256 * 1024);
  it.each<[string, string | Buffer, string, object]>([
    ['at the limit', largest, 'identity', { kind: 'answered', text: largest }],
    ['above it', `${largest}x`, 'identity', failed('too_large')],
    ['at the limit once unpacked', gzipSync(largest), 'gzip', { kind: 'answered', text: largest }],
    ['above it once unpacked', gzipSync(`${largest}x`), 'gzip', failed('too_large')],
    ['above it only as sent', Buffer.concat(Array(16_000).fill(gzipSync(''))), 'gzip', failed('too_large')],
  ])('of a body %s', async (_, bytes, encoding, expected) => {
    const { fetch } = await shops({
      listener: (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    });
    expect(await fetch(address, signal)).toEqual(expect.objectContaining(expected));
  });
});

describe('a failure', () => {
  it('is unreachable when nobody listens, or hangs up before it speaks TLS, or the DNS gives no answer', async () => {
    expect(await fetchFrom(1, ['127.0.0.1'])(address, signal)).toEqual(failed('unreachable'));
    // Another address than the shop's leads to the canary.
    const other = await shops({ dns: () => [otherAddress] });
    expect(await other.fetch(address, signal)).toEqual(failed('unreachable'));
    expect(other.seen.dialled).toMatchObject([{ addresses: [otherAddress], port: 443 }]);
    const unknown = await shops({ dns: () => Promise.reject(new Error('ESERVFAIL')) });
    expect(await unknown.fetch(address, signal)).toEqual(failed('unreachable'));
    expect(unknown.seen.dialled).toEqual([]);
  });

  it.each([
    ['ends before the head', rawShop('HTTP/1.1 200', (socket) => socket.end())],
    ['ends inside the body', rawShop('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{', (socket) => socket.end())],
    ['is reset', rawShop('', (socket) => socket.destroy())],
    ['does not speak HTTP', rawShop('SSH-2.0-OpenSSH\r\n\r\n')],
    ['sends two lengths', rawShop('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x')],
  ])('is named cut when the connection %s', async (_, server) => {
    const { fetch } = await shops({ server });
    expect(await fetch(address, signal)).toEqual(failed('cut'));
  });
});

describe('the signal of the caller', () => {
  it('rejects with its own reason before, while waiting and under way', async () => {
    const reason = new Error('the service stops');
    const controller = new AbortController();
    const { fetch, seen } = await shops({ maxAtOnce: 1, server: rawShop('', () => controller.abort(reason)) });
    const under = fetch(address, controller.signal);
    const waiting = fetch(address, controller.signal);
    const rejected = { status: 'rejected', reason };
    expect(await Promise.allSettled([under, waiting])).toEqual([rejected, rejected]);
    await expect(fetch(address, controller.signal)).rejects.toBe(reason);
    expect(seen.dialled).toHaveLength(1);
  });
});

describe('at most eight', () => {
  it('are under way at once, and all are made in the end', async () => {
    const held: (() => void)[] = [];
    let most = 0;
    const { fetch, seen } = await shops({
      timeoutMs: 60_000,
      listener: (_, response) => {
        held.push(() => response.end('{}'));
        most = Math.max(most, held.length);
      },
    });
    const answers = Array.from({ length: 20 }, () => fetch(address, signal));
    await expect.poll(() => held.length).toBe(8);
    expect(seen.asked).toHaveLength(8);
    let answered = 0;
    const letGo = () => {
      for (const answer of held.splice(0)) {
        answer();
        answered += 1;
      }
      return answered;
    };
    await expect.poll(letGo).toBe(20);
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ kind: 'answered' });
    expect(most).toBeLessThanOrEqual(8);
  });
});

describe('a connection', () => {
  it.each([[['127.0.0.1']], [['127.0.0.2', '127.0.0.1']], [['::ffff:127.0.0.2', '127.0.0.1']]])(
    'goes to the addresses %j until one answers, and the name is not looked up again',
    async (addresses) => {
      const server = createHttpsServer({ ...certificate }, (_, response) => response.end('{}'));
      await listen(server, new Set());
      const { port } = server.address() as AddressInfo;
      expect(await fetchFrom(port, addresses)(address, signal)).toMatchObject({ kind: 'answered', text: '{}' });
    },
  );
});

/** The library's own connections, to another port. */
function toPort(port: number): typeof buildConnector {
  return (how) => {
    const connect = buildConnector(how);
    return (target, callback) => connect({ ...target, port: String(port) }, callback);
  };
}

function fetchFrom(port: number, addresses: string[]) {
  const ca = certificate.cert;
  return createGuardedFetch({
    ca,
    timeoutMs: 15_000,
    isPublic: () => true,
    resolve: async () => addresses,
    connectorOf: toPort(port),
  });
}

function drip(socket: Socket, bytes = 'x') {
  const timer = setInterval(() => socket.write(bytes), 20);
  socket.on('close', () => clearInterval(timer));
}
