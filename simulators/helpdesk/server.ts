import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { HelpdeskOptions, HelpdeskSimulator } from './api.ts';
import { servePages } from './routes/pages.ts';
import { makeHelpdesk } from './simulator.ts';

export type { Generation, HelpdeskOptions, HelpdeskSimulator } from './api.ts';

/** Starts a stand-in for Frappe Helpdesk on 127.0.0.1, which also serves a page with the real page's anchors. */
export async function startHelpdesk(options: HelpdeskOptions): Promise<HelpdeskSimulator> {
  const { simulator, site, answer } = makeHelpdesk(options);
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all('/api/*', async ({ req: { raw }, env: { outgoing } }) => {
    const { method, headers } = raw;
    const answered = await answer({ method, headers, url: new URL(raw.url), text: () => raw.text() }, outgoing);
    return new Response(answered.body, answered);
  });
  servePages(app, site);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  simulator.url = site.url;
  const stop = simulator.close;
  simulator.close = async () => {
    await stop();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return simulator;
}
