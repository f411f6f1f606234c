import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { selfSigned } from '@deskside/proxy/testing/self-signed';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { freePort } from '@deskside/testing/free-port';
import { needs } from '@deskside/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { world } from '../kit.ts';

/** The files in ops/, as operators copy them, in front of the real proxy: what each changes in them, and nothing else. */

const host = 'deskside.example.com';
const profile = `/api/method/platform_crm_customer_profile?ticket=${demo.tickets.matched}`;
const events = '/webhooks/helpdesk/ticket/after-insert';

interface Front {
  port: number;
  certificate: string;
}

interface UpstreamRequest {
  /** Address of this machine that the caller has. */
  from?: string;
  headers?: Record<string, string>;
  /** Bytes of the body; without them it is a GET. */
  bytes?: number;
}

async function ask(
  { port, certificate }: Front,
  at: string,
  { from = '127.0.0.2', headers = {}, bytes }: UpstreamRequest = {},
) {
  const outgoing = request({
    port,
    path: at,
    host: '127.0.0.1',
    localAddress: from,
    servername: host,
    ca: certificate,
    method: bytes === undefined ? 'GET' : 'POST',
    headers: { host, ...headers, ...(bytes !== undefined && { 'content-length': bytes }) },
  });
  // A server that refuses a body closes while it is still on its way.
  outgoing.on('error', () => {});
  outgoing.end(bytes === undefined ? undefined : Buffer.alloc(bytes, ' '));
  const [incoming] = await once(outgoing, 'response');
  const text = Buffer.concat(await incoming.toArray()).toString();
  return { status: incoming.statusCode as number, text };
}

/** Has a proxy of ours, and in front of it what `start` gives for its address. */
async function behind(
  start: (about: { folder: string; port: number; upstream: string }) => Promise<ChildProcess>,
): Promise<Front> {
  const { proxyUrl } = await world({
    pipeline: true,
    // This machine's other addresses are callers here.
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-front-'));
  const { cert, key } = selfSigned([host]);
  await writeFile(path.join(folder, 'cert.pem'), cert);
  await writeFile(path.join(folder, 'key.pem'), key, { mode: 0o600 });
  const port = await freePort();
  const child = await start({ folder, port, upstream: new URL(proxyUrl).host });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  // What it has printed says why, should it not come up.
  await expect.poll(async () => (await listens(port)) || output).toBe(true);
  return { port, certificate: cert };
}

async function listens(port: number): Promise<boolean> {
  const socket: Socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/** The file with each text replaced, which must be in it. */
async function adapted(name: string, replacements: Record<string, string>): Promise<string> {
  let text = await readFile(new URL(`../../../ops/${name}`, import.meta.url), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    expect(text, `ops/${name} has ${from}`).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function startNginx(
  program: string,
  { folder, port, upstream }: { folder: string; port: number; upstream: string },
) {
  const site = await adapted('nginx.conf', {
    'server 127.0.0.1:8787': `server ${upstream}`,
    'listen 443 ssl http2': `listen 127.0.0.1:${port} ssl http2`,
    'listen [::]:443 ssl http2;': '',
    '/etc/letsencrypt/live/deskside.example.com/fullchain.pem': path.join(folder, 'cert.pem'),
    '/etc/letsencrypt/live/deskside.example.com/privkey.pem': path.join(folder, 'key.pem'),
  });
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`);
  // Of one process: a killed master leaves its worker behind.
  const whole = `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {} http { access_log off; ${places.join(' ')} ${site} }`;
  await writeFile(path.join(folder, 'whole.conf'), whole);
  return spawn(program, ['-p', folder, '-e', 'stderr', '-c', path.join(folder, 'whole.conf')]);
}

async function startCaddy(
  program: string,
  { folder, port, upstream }: { folder: string; port: number; upstream: string },
) {
  const site = await adapted('Caddyfile', {
    'deskside.example.com {': `{\n  admin off\n  auto_https disable_redirects\n}\nhttps://deskside.example.com:${port} {\n  bind 127.0.0.1\n  tls ${folder}/cert.pem ${folder}/key.pem`,
    '127.0.0.1:8787': upstream,
  });
  await writeFile(path.join(folder, 'Caddyfile'), site);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(program, ['run', '--config', path.join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], { env });
}

for (const [name, start] of Object.entries({ nginx: startNginx, caddy: startCaddy }) as [
  'nginx' | 'caddy',
  typeof startNginx,
][]) {
  needs(name)(`behind ${name}`, (program) => {
    test('profiles over TLS; each caller counts for himself, whatever they claim; too large a body is refused in our words', async () => {
      const front = await behind((about) => start(program, about));
      const agent = { authorization: keyOf(demo.agent) };
      expect(await ask(front, profile, { headers: agent })).toMatchObject({ status: 200 });

      // docs/operate.md#the-reverse-proxy: a hundred refused credentials of one address.
      const guesses = Array.from({ length: 150 }, (_, i) => i);
      const guess = (i: number, from: string) =>
        ask(front, profile, {
          from,
          headers: { authorization: `Bearer guess-${from}-${i}`, 'x-forwarded-for': `198.51.100.${i}` },
        });
      const statuses = [];
      for (const i of guesses) statuses.push((await guess(i, '127.0.0.3')).status);
      expect(statuses[0]).toBe(401);
      expect(statuses).toContain(429);
      expect((await guess(0, '127.0.0.4')).status).toBe(401);

      const post = (bytes: number) => ask(front, events, { bytes, headers: { 'content-type': 'application/json' } });
      const largest = 16 * 1024;
      expect(await post(largest)).toMatchObject({ status: 403 });
      const refused = await post(largest + 1);
      expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('body_too_large')]);

      expect((await post(3 * 1024 * 1024)).status).toBe(413);
    });
  });
}
