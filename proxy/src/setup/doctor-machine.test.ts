import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '#config.ts';
import { createEgress, type EgressResponse } from '#net/egress.ts';
import { selfSigned } from '#net/testing/self-signed.ts';
import { openStore } from '#store/database.ts';
import * as notes from '#store/notes.ts';
import { version } from '#version.ts';
import { backup, clocks, files, withClock } from './doctor-machine.ts';
import { meetDeskside } from './meet-deskside.ts';

import { type Examined, run } from './report.ts';

const helpdesk = 'https://help.example';
const now = Date.UTC(2026, 10, 20, 12);
const dayMs = 86_400_000;

/** What the checks of this machine go by. */
function at(databaseUrl: string, file: string | null = null): Examined {
  const service = { HELPDESK_API_KEY: 'key', HELPDESK_API_SECRET: 'secret' };
  const config = parseConfig({ HELPDESK_URL: helpdesk, DATABASE_URL: databaseUrl, ...service });
  return { config, file, clock: () => now } as Examined;
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'deskside-here-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

describe('what answers at PUBLIC_URL', () => {
  async function met(PUBLIC_URL: string | undefined, allowInsecure = true) {
    const egress = createEgress({ allowInsecure });
    onTestFinished(() => egress.close());
    const config = { HELPDESK_URL: helpdesk, ...(PUBLIC_URL !== undefined && { PUBLIC_URL }) };
    const { who, said } = await meetDeskside(config, egress, 5_000);
    return [who, said.text];
  }

  /** A web server that answers so; gives its address. */
  async function serving(status: number, body: unknown, secure?: { key: string; cert: string }): Promise<string> {
    const answer: RequestListener = (_, response) =>
      void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    const server = secure ? createHttps(secure, answer) : createHttp(answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `${secure ? 'https' : 'http'}://localhost:${(server.address() as AddressInfo).port}`;
  }

  const discovery = (changes = {}) => ({
    success: true,
    message: 'Deskside.',
    data: { name: 'deskside', version, helpdesk_url: helpdesk, oauth_client_ids: {}, ...changes },
  });

  test.each([
    ['this proxy', 200, discovery(), 'us', 'The proxy answers at'],
    ['another helpdesk’s', 200, discovery({ helpdesk_url: 'https://x.example' }), 'other', 'serves https://x.example'],
    ['an older proxy', 200, discovery({ version: '0.0.1' }), 'other version', 'is version 0.0.1, this is'],
    ['a page', 200, '<html>Welcome to nginx!</html>', 'other', 'is not Deskside: another page'],
    ['a web server that knows nothing of it', 404, '', 'other', 'is not Deskside: HTTP 404'],
    ['a web server without its proxy', 502, 'Bad Gateway', 'absent', 'but not the proxy behind it (HTTP 502)'],
  ])('%s', async (_, status, body, who, text) => {
    expect(await met(await serving(status, body))).toEqual([who, expect.stringContaining(text)]);
  });

  test('nobody there, and no such name, are told apart', async () => {
    const { port } = new URL(await serving(200, ''));
    expect(await met(`http://127.0.0.2:${port}`)).toEqual(['absent', expect.stringContaining('nobody listens at')]);
    expect(await met('https://nobody.invalid')).toEqual(['other', expect.stringContaining('no such name as nobody')]);
  });

  test('a certificate that nobody vouches for; http, which is not asked; and none', async () => {
    const address = await serving(200, discovery(), selfSigned(['localhost']));
    expect(await met(address)).toEqual(['other', expect.stringContaining('is not from an authority')]);
    expect(await met('http://deskside.example', false)).toEqual(['other', expect.stringContaining('in the clear')]);
    expect(await met(undefined)).toEqual(['other', expect.stringContaining('PUBLIC_URL is not set')]);
  });
});

describe('the clocks', () => {
  const minutes = 60_000;
  const off = async (helpdesk: number | null, crm: number | null) => {
    const { said } = await run('Clocks', clocks({ helpdesk, crm }));
    return said.flatMap(({ level, text }) => (level === 'fault' ? [text] : []));
  };

  test.each<[number | null, number | null, string[]]>([
    [500, -180 * minutes, ["The CRM's clock is 3 h slow compared with ours."]],
    [300 * minutes, 420 * minutes, [expect.stringContaining('helpdesk'), expect.stringContaining('CRM')]],
  ])('helpdesk %s ms ahead, CRM %s', async (helpdesk, crm, expected) => {
    expect(await off(helpdesk, crm)).toEqual(expected);
  });

  test('within a minute nothing is found, beyond it something is', async () => {
    const ahead = fc.option(fc.integer({ min: -600_000, max: 600_000 }));
    await fc.assert(
      fc.asyncProperty(ahead, ahead, async (helpdesk, crm) => {
        const isOff = [helpdesk, crm].some((value) => value !== null && Math.abs(value) > minutes);
        expect((await off(helpdesk, crm)).length > 0).toBe(isOff);
      }),
    );
  });

  test('the answer that took the shortest time counts; one without a time does not', async () => {
    let time = Date.UTC(2026, 0, 1);
    const answers = [
      { took: 4_000, date: new Date(time + 60_000).toUTCString() },
      { took: 100, date: undefined },
      { took: 100, date: 'once upon a time' },
      { took: 1_000, date: new Date(time + 300_000).toUTCString() },
      { took: 2_000, date: new Date(time).toUTCString() },
    ];
    const server = {
      origin: 'https://host.example',
      async request({ path }: { path: string }): Promise<EgressResponse> {
        const { took, date } = answers[Number(path)] ?? { took: 0, date: undefined };
        time += took;
        return { status: 200, headers: date === undefined ? {} : { date }, text: '' };
      },
    };
    const { upstream, ahead } = withClock(server, () => time);
    expect(ahead()).toBeNull();
    const { signal } = new AbortController();
    for (const index of answers.keys()) await upstream.request({ method: 'GET', path: `${index}`, signal });
    // Asked 4.2 s after the start, answered a second later: told at 4.7 s.
    expect(ahead()).toBe(300_000 - 4_700);
  });
});

describe('the data folder', () => {
  const said = async (databaseUrl: string, file: string | null = null) =>
    (await run('Files', files(at(databaseUrl, file)))).said.map(({ level, text }) => `${level}: ${text}`);

  test('of ours, with and without a file that others can read', async () => {
    const path = await folder();
    expect(await said(`file:${path}`)).toEqual([`ok: ${path} can be written to, and there is enough space.`]);
    await writeFile(join(path, 'state.db'), '', { mode: 0o600 });
    await writeFile(join(path, 'state.db-wal'), '', { mode: 0o600 });
    await chmod(join(path, 'state.db-wal'), 0o640);
    expect(await said(`file:${path}`)).toEqual([
      `warning: Other users of this machine can read ${path}/state.db-wal, which holds customer data.`,
    ]);
  });

  test('that is not there yet is judged by the nearest one above; a file and a database elsewhere are said', async () => {
    const path = await folder();
    expect(await said(`file:${path}/a/b`)).toEqual([expect.stringContaining('can be written to')]);
    await writeFile(join(path, 'file'), '');
    expect(await said(`file:${path}/file`)).toEqual([expect.stringMatching(/^fault: .* is not a folder/)]);
    expect(await said('postgres://user:secret@db/deskside')).toEqual([expect.stringContaining('in PostgreSQL')]);
  });

  test('and the settings that everybody can read', async () => {
    const path = await folder();
    const file = join(path, 'deskside.env');
    await writeFile(file, '', { mode: 0o640 });
    expect(await said(`file:${path}`, file)).toEqual([expect.stringMatching(/^ok/)]);
    await chmod(file, 0o644);
    expect(await said(`file:${path}`, file)).toEqual([
      `warning: Other users of this machine can read ${file}, which holds secrets.`,
    ]);
  });

  test.runIf(process.getuid?.() === 0)('root is told what the folder’s owner cannot write', async () => {
    const path = await folder();
    await chown(path, 4_711, 4_711);
    await writeFile(join(path, 'state.db'), '', { mode: 0o600 });
    expect(await said(`file:${path}`)).toEqual([`fault: The account of the service cannot write to ${path}/state.db.`]);
    await chown(join(path, 'state.db'), 4_711, 4_711);
    expect(await said(`file:${path}`)).toEqual([expect.stringMatching(/^ok/)]);
    await chmod(path, 0o500);
    expect(await said(`file:${path}`)).toEqual([expect.stringContaining('cannot be written to by the account')]);
  });
});

describe('the backup', () => {
  async function said(last: number | null): Promise<string> {
    const url = `file:${await folder()}`;
    const store = await openStore(url);
    if (last !== null) await notes.noteBackup(store.db, last);
    await store.close();
    const { level, text } = await backup(at(url));
    return `${level}: ${text}`;
  }

  test.each([
    ['none at all', null, 'warning: The store has never been backed up.'],
    ['one of two days ago', now - 2 * dayMs, 'ok: The last backup is of 2026-11-18.'],
    ['one of two days and a moment ago', now - 2 * dayMs - 1, 'warning: The last backup is 2 days old.'],
    ['one of last month', now - 31.5 * dayMs, 'warning: The last backup is 31 days old.'],
  ])('%s', async (_, last, expected) => {
    expect(await said(last)).toBe(expected);
  });

  test('none is well as long as the store is new', async () => {
    const url = `file:${await folder()}`;
    const store = await openStore(url);
    await notes.noteInstalled(store.db, '2026-11-18 10:00:00', now - 2 * dayMs);
    await store.close();
    expect(await backup(at(url))).toMatchObject({ level: 'ok' });
    expect(await backup({ ...at(url), clock: () => now + 1 })).toMatchObject({ level: 'warning' });
  });

  test('a place without a store is well, and PostgreSQL is backed up otherwise', async () => {
    expect(await backup(at(`file:${await folder()}`))).toMatchObject({ level: 'ok' });
    expect(await backup(at('postgres://db.example/deskside'))).toMatchObject({ level: 'unchecked' });
  });
});
