import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** A process of its own: `node hono.ts FILE` answers with the bytes of the file, by what the proxy is made with and nothing of the proxy. */
const text = readFileSync(process.argv[2] ?? '', 'utf8');
const app = new Hono();
// The age is for the nginx in front of it.
const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=3600' };
app.get('*', (context) => context.body(text, 200, headers));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
