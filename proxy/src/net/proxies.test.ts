import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createEgress, type UpstreamOptions } from './egress.ts';
import { closers, failureOf, get, listen } from './testing/servers.ts';

/** A proxy that tunnels, or answers with a status of its own, and the targets that it was asked for. */
async function proxy(status = 200) {
  const targets: string[] = [];
  const server = createServer();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    targets.push(request.url ?? '');
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const [host = '', port] = (request.url ?? '').split(':');
    const to = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      to.pipe(socket).pipe(to);
    });
    to.on('error', () => socket.destroy());
    socket.on('error', () => to.destroy());
  });
  return { url: await listen(server), targets };
}

async function site() {
  const origin = await listen(createServer((_, response) => response.end('ok')));
  return { origin, host: new URL(origin).host };
}

function upstreamWith(env: Record<string, string>, origin: string, options?: UpstreamOptions) {
  const egress = createEgress({ allowInsecure: true, env });
  closers.push(() => egress.close());
  return egress.upstream(origin, options);
}

describe('a proxy of the environment', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('in %s is used', async (name) => {
    const [{ url, targets }, { origin, host }] = [await proxy(), await site()];
    expect((await get(upstreamWith({ [name]: url }, origin))).text).toBe('ok');
    expect(targets).toEqual([host]);
  });

  it.each<[string, Record<string, string>, UpstreamOptions?]>([
    ['by http where it is for https', {}],
    ...['127.0.0.1', '*', 'helpdesk.example, 127.0.0.1'].map((NO_PROXY): [string, Record<string, string>] => [
      `for NO_PROXY=${NO_PROXY}`,
      { HTTP_PROXY: 'it', NO_PROXY },
    ]),
    ['to our own service', { HTTP_PROXY: 'it' }, { direct: true }],
  ])('is passed by %s', async (_, { HTTP_PROXY, ...env }, options) => {
    const [{ url, targets }, { origin }] = [await proxy(), await site()];
    const proxies: Record<string, string> = HTTP_PROXY ? { HTTP_PROXY: url } : { HTTPS_PROXY: url };
    expect((await get(upstreamWith({ ...proxies, ...env }, origin, options))).text).toBe('ok');
    expect(targets).toEqual([]);
  });

  it('that lets nothing through, or is not there, is a server that cannot be reached', async () => {
    const { origin } = await site();
    const { url } = await proxy(407);
    const refused = await failureOf(get(upstreamWith({ HTTP_PROXY: url }, origin)));
    expect(refused).toMatchObject({ code: 'unreachable', reason: '407' });
    const gone = await failureOf(get(upstreamWith({ HTTP_PROXY: 'http://127.0.0.1:9' }, origin)));
    expect(gone).toMatchObject({ code: 'unreachable', reason: 'ECONNREFUSED' });
  });
});
