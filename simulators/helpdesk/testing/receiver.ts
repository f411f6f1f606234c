import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came in, byte for byte. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

type Reply = 'hang' | { status: number; body?: string };

export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  url: string;
  received: ReceivedRequest[];
  /** How many requests were unanswered at once, at most. */
  readonly maxAtOnce: number;
  close(): Promise<void>;
}

/** A small server that notes what it gets and answers as told; what hangs is let go when it closes. */
export async function startReceiver(reply: (request: ReceivedRequest) => Reply | Promise<Reply>): Promise<Receiver> {
  let atOnce = 0;
  let maxAtOnce = 0;
  const received: ReceivedRequest[] = [];
  const server = http.createServer(async (incoming, outgoing) => {
    atOnce += 1;
    maxAtOnce = Math.max(maxAtOnce, atOnce);
    outgoing.once('close', () => {
      atOnce -= 1;
    });
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(parts).toString('utf8') };
    received.push(request);
    const answer = await reply(request);
    if (answer !== 'hang') outgoing.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get maxAtOnce() {
      return maxAtOnce;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
