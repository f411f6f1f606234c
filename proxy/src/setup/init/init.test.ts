import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readVariables } from '#commands/settings.ts';
import { parseConfig } from '#config.ts';
import { Secret } from '#runtime/secret.ts';
import { adminKey, clinic, sendHome } from '#setup/testing/doctor-kit.ts';
import { finishInit } from './finish.ts';
import { runInit } from './init.ts';

describe('somebody at a terminal', () => {
  const options = { yes: true, start: false, ticket: false };

  /** Says these, one after the other, and then nothing. */
  function answering(answers: string[]) {
    const said: string[] = [];
    const print = (text: string) => void said.push(text);
    const ask = async (question: string) => {
      print(question);
      return answers.shift() ?? '';
    };
    return { said, io: { print, printError: print, ask, askSecret: ask } };
  }

  /** Customers with these domains, and no others with one. */
  function giveDomains(helpdesk: Awaited<ReturnType<typeof clinic>>['helpdesk'], domains: string[]) {
    for (const customer of helpdesk.documents('HD Customer'))
      helpdesk.put('HD Customer', { ...customer, custom_myplatform: null });
    for (const domain of domains) helpdesk.put('HD Customer', { name: domain, custom_myplatform: domain });
  }

  test('is told at once what is wrong with an answer, and asked again; what will do is kept as it comes', async () => {
    const { environment, crm, data } = await clinic();
    const file = path.join(data, 'deskside.env');
    const known = { ALLOW_INSECURE_UPSTREAMS: '1', RULES_FILE: environment.RULES_FILE };
    const { said, io } = answering([
      ...['help desk', '127.0.0.1:1', environment.HELPDESK_URL ?? ''],
      ...['half-a-key', 'nobody:knows-this', adminKey],
      ...['https://portal.example/nothing', crm.webhookUrl.replace(/[^/]+\/$/, 'not-the-secret/'), crm.webhookUrl],
    ]);
    await expect(runInit(options, { file, known }, io)).rejects.toThrow('PUBLIC_URL: missing; give --public-url');
    const out = said.join('\n');
    expect(out).toContain('HELPDESK_URL: found "https://help desk"; expected an address');
    expect(out).toMatch(/does not respond.*127\.0\.0\.1|does not respond/);
    expect(out).toContain('expected an API key and secret in the form key:secret');
    expect(out).toContain('does not recognise the key');
    expect(out).toContain('The CRM refuses the webhook in CRM_WEBHOOK_URL');
    expect(readVariables(file, { over: {} })).toMatchObject({
      HELPDESK_URL: environment.HELPDESK_URL,
      CRM_WEBHOOK_URL: crm.webhookUrl,
    });

    const again = answering([adminKey]);
    const kept = readVariables(file, { over: known });
    await expect(runInit(options, { file, known: kept }, again.io)).rejects.toThrow('PUBLIC_URL: missing');
    expect(again.said.filter((text) => text.endsWith(': '))).toEqual([
      expect.stringContaining("A System Manager's key"),
      expect.stringContaining('Address of Deskside itself'),
    ]);
  });

  test('is told before the helpdesk is changed that an address of Deskside will not do, and what is kept by then', async () => {
    const { environment, crm, data, helpdesk, atPublicUrl } = await clinic();
    const file = path.join(data, 'deskside.env');
    const others = { ...JSON.parse(atPublicUrl.body), data: { ...JSON.parse(atPublicUrl.body).data } };
    const known = {
      ...{ RULES_FILE: environment.RULES_FILE, HELPDESK_URL: helpdesk.url, CRM_WEBHOOK_URL: crm.webhookUrl },
      ALLOW_INSECURE_UPSTREAMS: '1',
    };
    others.data.helpdesk_url = 'https://another.example';
    atPublicUrl.body = JSON.stringify(others);
    const asked = { yes: false, start: false, ticket: false };
    const { said, io } = answering([adminKey, environment.PUBLIC_URL ?? '', 'http://127.0.0.1:1', '', 'n']);
    helpdesk.clearJournal();
    expect(await runInit(asked, { file, known }, io)).toBe(2);
    const out = said.join('\n');
    expect(out).toContain('is another one: it serves https://another.example.');
    expect(out).toContain(`The helpdesk was not changed. ${file} keeps what you have answered: PUBLIC_URL.`);
    expect(helpdesk.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(readVariables(file, { over: {} })).toMatchObject({ PUBLIC_URL: 'http://127.0.0.1:1' });
  });

  test.each([
    [
      'the platform’s hosts',
      ['myplatform', 'MyPlatform.example, shops.example'],
      ['myplatform.example', 'shops.example'],
    ],
    ['none', [''], []],
  ])('is asked for the platform’s hosts until the rules name %s, and no more', async (_, answers, hosts) => {
    const { environment, crm, data, helpdesk } = await clinic();
    const file = path.join(data, 'deskside.env');
    const known = { ...environment, HELPDESK_URL: helpdesk.url, CRM_WEBHOOK_URL: crm.webhookUrl };
    giveDomains(helpdesk, []);
    const off = 'Intake by a shop’s domain is off';
    const question = 'The platform’s host';
    const { said, io } = answering([adminKey, ...answers]);
    await runInit(options, { file, known }, io);
    const out = said.join('\n');
    expect(out).toContain(question);
    expect(out.includes('Expected host names')).toBe(answers.length > 1);
    expect(out.includes(off)).toBe(hosts.length === 0);
    expect(JSON.parse(readFileSync(environment.RULES_FILE ?? '', 'utf8'))).toMatchObject({ platform_hosts: hosts });

    const again = answering([adminKey]);
    await runInit(options, { file, known }, again.io);
    expect(again.said.join('\n')).not.toContain(question);
    expect(again.said.join('\n').includes(off)).toBe(hosts.length === 0);
  });

  const below = (host: string, count: number) => Array.from({ length: count }, (_, nth) => `shop${nth}.${host}`);

  test.each([
    ['three customers have their domain below one host', below('MyPlatform.example', 3), ['myplatform.example']],
    ['only two have it', below('myplatform.example', 2), []],
    ['as many have it elsewhere', [...below('x.example', 3), 'a.one.example', 'b.two.example', 'c.d.example'], []],
    ['everybody can have one below that host', below('com.vn', 4), []],
  ])('is asked for it unless the customers show it: %s', async (_, domains, hosts) => {
    const { environment, crm, data, helpdesk } = await clinic();
    giveDomains(helpdesk, [...domains, 'shop.other.example']);
    const known = { ...environment, HELPDESK_URL: helpdesk.url, CRM_WEBHOOK_URL: crm.webhookUrl };
    const { said, io } = answering([adminKey, '']);
    await runInit(options, { file: path.join(data, 'deskside.env'), known }, io);
    expect(said.join('\n').includes('The platform’s host')).toBe(hosts.length === 0);
    expect(JSON.parse(readFileSync(environment.RULES_FILE ?? '', 'utf8'))).toMatchObject({ platform_hosts: hosts });
  });

  test('sees the host that is taken from the customers: where nobody sits there, none is', async () => {
    const { environment, crm, data, helpdesk } = await clinic();
    giveDomains(helpdesk, below('myplatform.example', 3));
    const known = { ...environment, HELPDESK_URL: helpdesk.url, CRM_WEBHOOK_URL: crm.webhookUrl };
    const { io } = answering([]);
    const alone = { ...io, ask: null, askSecret: null };
    await runInit(
      options,
      { file: path.join(data, 'deskside.env'), known: { ...known, DESKSIDE_ADMIN_KEY: adminKey } },
      alone,
    );
    expect(JSON.parse(readFileSync(environment.RULES_FILE ?? '', 'utf8'))).not.toHaveProperty('platform_hosts');
  });

  test('is told at once that an http address of Deskside will not do', async () => {
    const { environment, crm, data, helpdesk } = await clinic();
    const { said, io } = answering([adminKey, 'http://deskside.example', '']);
    const known = {
      ...{ RULES_FILE: environment.RULES_FILE, HELPDESK_URL: helpdesk.url, CRM_WEBHOOK_URL: crm.webhookUrl },
      ALLOW_INSECURE_UPSTREAMS: '1',
    };
    const at = { file: path.join(data, 'deskside.env'), known };
    await expect(runInit(options, at, io)).rejects.toThrow('PUBLIC_URL: missing');
    expect(said.join('\n')).toContain('keys, tickets and CRM data would cross the network in the clear.');
  });

  test('names the members of a team in which nobody can be assigned, agents alone', async () => {
    const world = await clinic();
    sendHome(world, ['an', 'binh', 'chi']);
    const { said, io } = answering(['Administrator', 'dung@support.example', '']);
    const config = parseConfig(world.environment);
    const setUp = { file: '/deskside.env', adminKey: new Secret(adminKey), options, isChanged: false, io };
    const code = await finishInit(config, setUp);
    const out = said.join('\n');
    expect(out).toContain('Nobody in the team "Medium - Scale" can be assigned a ticket. The helpdesk\'s agents: ');
    expect(out).toContain('No active HD Agent: Administrator.');
    expect(world.helpdesk.document('HD Team', 'Medium - Scale')?.users).toMatchObject([
      { user: 'dung@support.example' },
    ]);
    expect(code, out).toBe(0);
  });
});
