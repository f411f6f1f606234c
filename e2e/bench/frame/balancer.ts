import { type AddressInfo, connect, createServer } from 'node:net';

/** Passes each connection on to the next port in turn, as bytes. */
export async function balance(ports: readonly number[]): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const open = new Set<{ destroy(): void }>();
  const server = createServer((from) => {
    const to = connect(ports[turn % ports.length] ?? 0, '127.0.0.1');
    turn += 1;
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy()).on('close', () => open.delete(one));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
