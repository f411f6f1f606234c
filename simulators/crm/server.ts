import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sendSpoilt } from '#crm/calls/faults.ts';
import { makeCrm } from './make-crm.ts';
import type { CrmOptions, CrmSimulator } from './simulator.ts';

export type * from './simulator.ts';

/** Starts a stand-in for a Bitrix24 portal on 127.0.0.1: its REST over incoming webhooks (docs/crm.md). */
export async function startCrm({ port = 0, ...options }: CrmOptions): Promise<CrmSimulator> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { simulator, portal, answer } = makeCrm(options, url);
  simulator.close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return simulator;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://portal');
    const answered = await answer({
      path: pathname,
      query: search.slice(1),
      contentType: request.headers['content-type'] ?? '',
      body: await text(request),
      from: request.socket.remoteAddress ?? '',
    });
    if (answered === null) return servePage(pathname, response);
    const { status, json, fault, entry } = answered;
    const spoilt = sendSpoilt(fault, response, json);
    if (spoilt === null) response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(json);
    else Object.assign(entry, { status: spoilt, error: null });
  }

  function servePage(path: string, response: ServerResponse): void {
    const company = portal.companies.get(/^\/crm\/company\/details\/(\d+)\/$/.exec(path)?.[1] ?? '');
    response
      .writeHead(company ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(company, null, 2));
  }
}
