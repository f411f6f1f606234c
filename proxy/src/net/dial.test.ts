import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { dial } from './dial.ts';
import { closers, listen } from './testing/servers.ts';

const signal = new AbortController().signal;

async function server(): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const listener = createServer();
  await listen(listener, sockets);
  return { port: (listener.address() as AddressInfo).port, sockets };
}

function call(options: { host?: string; addresses: string[]; port: number; signal?: AbortSignal }): Socket {
  const socket = dial({ host: 'shop.example', signal, ...options });
  closers.push(async () => socket.destroy());
  return socket;
}

describe('a connection', () => {
  it('goes to the given address, and the name is not looked up', async () => {
    const { port } = await server();
    const socket = call({ host: 'no-such-name.invalid', addresses: ['127.0.0.1'], port });
    await once(socket, 'connect');
    expect(socket.remoteAddress).toBe('127.0.0.1');
  });

  it.each([[['127.0.0.2', '127.0.0.1']], [['::ffff:127.0.0.2', '127.0.0.1']]])(
    'tries %j until one answers',
    async (addresses) => {
      const { port } = await server();
      const socket = call({ addresses, port });
      await once(socket, 'connect');
      expect(socket.remoteAddress).toBe('127.0.0.1');
    },
  );

  it('fails when none of them answers', async () => {
    const { port } = await server();
    const [error] = await once(call({ addresses: ['127.0.0.2', '127.0.0.3'], port }), 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends when the signal fires, also once it is open', async () => {
    const { port, sockets } = await server();
    const controller = new AbortController();
    const socket = call({ addresses: ['127.0.0.1'], port, signal: controller.signal });
    await once(socket, 'connect');
    const error = once(socket, 'error');
    controller.abort();
    expect((await error)[0]).toMatchObject({ name: 'AbortError' });
    await expect.poll(() => sockets.size).toBe(0);
  });
});
