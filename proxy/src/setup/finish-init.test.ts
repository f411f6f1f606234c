import { createServer } from 'node:http';
import { freePort } from '@deskside/testing/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '#config.ts';
import { Secret } from '#runtime/secret.ts';
import { version } from '#version.ts';
import { finishInit } from './finish-init.ts';
import { adminKey, clinic } from './testing/doctor-kit.ts';

test('who sits at the terminal is waited for until they have started the service, and need not say anything again', async () => {
  const { environment } = await clinic();
  const port = await freePort();
  const config = parseConfig({ ...environment, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const data = { name: 'deskside', version, helpdesk_url: config.HELPDESK_URL, oauth_client_ids: {} };
  const service = createServer((_, response) => void response.end(JSON.stringify({ success: true, data })));
  onTestFinished(() => void service.close());
  const said: string[] = [];
  const print = (text: string) => {
    said.push(text);
    if (text.includes('waits for the service')) service.listen(port, '127.0.0.1');
  };
  const io = { print, printError: print, ask: async () => '', askSecret: async () => '' };
  const options = { start: true, ticket: false };
  await finishInit(config, { file: '/deskside.env', adminKey: new Secret(adminKey), options, isChanged: true, io });
  expect(said.join('\n')).toMatch(/nobody listens at .*serve --env-file \/deskside\.env.*\d faults?, \d warning/s);
});

test('a script is not waited for: it is told how to go on', async () => {
  const { environment } = await clinic();
  const config = parseConfig({ ...environment, PUBLIC_URL: `http://127.0.0.1:${await freePort()}` });
  const said: string[] = [];
  const print = (text: string) => void said.push(text);
  const io = { print, printError: print, ask: null, askSecret: null };
  const options = { start: true, ticket: true };
  expect(
    await finishInit(config, { file: '/deskside.env', adminKey: new Secret(adminKey), options, isChanged: true, io }),
  ).toBe(0);
  expect(said.join('\n')).toContain('deskside init --env-file /deskside.env');
  expect(said.join('\n')).not.toContain('waits');
});
