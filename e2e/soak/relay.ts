import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network that can fail: connections to it are passed on, unless it is told otherwise. */
export interface Relay {
  port: number;
  /** Ports of this machine that connections go to, in turn. May change at any time. */
  targets: number[];
  /** Breaks off what is under way, in the middle of whatever is said. */
  cut(): void;
  /** From now on nothing gets through and nothing is refused, until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

export async function startRelay(targets: number[] = []): Promise<Relay> {
  const open = new Set<Socket>();
  let held = 0;
  let turn = 0;
  const server = createServer((client) => {
    turn += 1;
    const target = relay.targets[turn % relay.targets.length];
    if (target === undefined) return void client.destroy();
    const upstream = connect({ host: '127.0.0.1', port: target });
    pass(client, upstream);
    pass(upstream, client);
  });

  function pass(from: Socket, to: Socket): void {
    open.add(from);
    if (held > 0) from.pause();
    from.on('data', (bytes) => {
      if (!to.write(bytes)) from.pause();
    });
    to.on('drain', () => held === 0 && from.resume());
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    targets,
    cut() {
      for (const socket of open) socket.resetAndDestroy();
    },
    hold() {
      held += 1;
      for (const socket of open) socket.pause();
      return () => {
        held -= 1;
        if (held === 0) for (const socket of open) socket.resume();
      };
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
  return relay;
}
