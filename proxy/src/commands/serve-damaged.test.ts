import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { clinic } from '#setup/testing/doctor-kit.ts';
import { openStore } from '#store/database.ts';

test('a damaged store ends the service, which then starts no more until the file is replaced', async () => {
  const { environment, data } = await clinic();
  await (await openStore(`file:${data}`)).close();
  const path = join(data, 'state.db');
  const database = new Sqlite(path);
  const root = Number(database.prepare("select rootpage from sqlite_master where name = 'syncs'").pluck().get());
  const size = Number(database.pragma('page_size', { simple: true }));
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, (root - 1) * size, root * size);
  writeFileSync(path, bytes);

  const serve = async () => {
    const env = childEnvironment({ ...environment, DATABASE_URL: `file:${data}`, PORT: '0', LOG_LEVEL: 'warn' });
    const child = spawn(process.execPath, [proxyCli, 'serve'], { cwd: data, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const [code] = await once(child, 'close');
    return { code, output };
  };
  const remedy = `${path} is damaged; restore its last backup`;
  const first = await serve();
  expect(first).toMatchObject({ code: 1, output: expect.stringMatching(/^http:/m) });
  expect(first.output).toContain('"msg":"The store is damaged"');
  expect(first.output).toContain(remedy);
  const second = await serve();
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining(remedy) });
  expect(second.output).not.toMatch(/^http:/m);
});
