import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** Likewise `node hono.ts FILE`: the framework that the proxy is made with, and nothing of the proxy. */
const text = readFileSync(process.argv[2] ?? '', 'utf8');
const app = new Hono();
app.get('*', (context) => context.body(text, 200, { 'content-type': 'application/json' }));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
