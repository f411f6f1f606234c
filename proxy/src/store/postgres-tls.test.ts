import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authoritySigned } from '#net/testing/self-signed.ts';
import { openStore } from './database.ts';
import { probe } from './notes.ts';
import { type PostgresServer, startPostgres } from './testing/postgres-server.ts';

const ours = authoritySigned(['localhost']);
const password = 'canary-3c7d';
let server: PostgresServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskside-tls-'));
  writeFileSync(join(folder, 'ours.pem'), ours.authority);
  writeFileSync(join(folder, 'other.pem'), authoritySigned(['localhost']).authority);
  server = await startPostgres(password, { tls: ours });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (parameters: string, host = 'localhost') =>
  `postgres://postgres:${password}@${host}:${server.port}/postgres${parameters}`;

test('a server whose certificate an own authority vouches for, for the name in the address', async () => {
  const store = await openStore(urlOf(`?sslmode=verify-full&sslrootcert=${join(folder, 'ours.pem')}`));
  await probe(store.db);
  await store.close();
});

test.each([
  [
    'an authority that does not vouch for it',
    'verify-full&sslrootcert=other.pem',
    'localhost',
    /CERT_SIGNATURE_FAILURE/,
  ],
  ['no authority but the well-known ones', 'verify-full', 'localhost', /SELF_SIGNED|VERIFY|ISSUER/],
  ['another name', 'verify-full&sslrootcert=ours.pem', '127.0.0.1', /ERR_TLS_CERT_ALTNAME_INVALID/],
  ['a file of authorities that is not there', 'verify-full&sslrootcert=none.pem', 'localhost', /ENOENT/],
  ['a connection without TLS, which this server refuses', 'disable', 'localhost', /28000/],
])('a start is refused with one sentence: %s', async (_, mode, host, code) => {
  const url = urlOf(`?sslmode=${mode.replace('sslrootcert=', `sslrootcert=${folder}/`)}`, host);
  await expect(openStore(url)).rejects.toThrow(code);
  await expect(openStore(url)).rejects.toThrow(/^PostgreSQL database postgres at \S+ cannot be used \(\w+\)\.$/);
  await expect(openStore(url)).rejects.not.toThrow(password);
});
