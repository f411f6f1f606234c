import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** A process of its own: `node hono.ts FILE` answers each of the file's addresses with its JSON, by what the proxy is made with and nothing of the proxy. */
const bodies: Record<string, object> = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const app = new Hono();
app.get('*', (c) => c.json(bodies[c.req.url.slice(c.req.url.indexOf('/', 8))] ?? {}));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
