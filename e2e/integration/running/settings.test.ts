import { createHmac, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseConfig } from '@deskside/proxy/config';
import { listSettings } from '@deskside/proxy/settings/list-settings';
import { startProxy } from '@deskside/proxy/start';
import { callProxy } from '@deskside/shared/client';
import { demo } from '@deskside/simulators/seed/index';
import { slicesOf } from '@deskside/testing/slices-of';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf } from '../key-of.ts';
import { masterKey, twoReplicas } from '../settings-kit.ts';

const agent = keyOf(demo.manager);
const fields = {
  haravan_userid: 'platform_userid',
  haravan_orgid: 'platform_orgid',
  haravan_orgname: 'platform_orgname',
};
const accountLink = { doctype: 'Platform Account Link', fields };

async function profileAt(baseUrl: string, ticket = demo.tickets.matched) {
  const answer = await callProxy('customerProfile', { ticket }, { baseUrl, authorization: agent });
  return answer.ok ? answer.data.bitrix.status : answer.error.code;
}

test('what is changed at one replica is in force at the other, and back again', async () => {
  const w = await twoReplicas();
  expect(await profileAt(w.other.url)).toBe('missing_config');
  await w.change('CRM_WEBHOOK_URL', w.crm.webhookUrl);
  expect(await profileAt(w.other.url)).toBe('matched');
  await w.change('CRM_ENABLED', '0');
  expect(await profileAt(w.other.url)).toBe('disabled');
  await w.change('CRM_ENABLED', null);
  await w.change('CRM_TIMEOUT_SECONDS', '20');
  expect(await profileAt(w.other.url)).toBe('cached');
  const { settings } = await listSettings(w.other);
  const of = (name: string) => settings.find((setting) => setting.name === name);
  expect(of('CRM_WEBHOOK_URL')).toMatchObject({ source: 'store', value: '••••', stored: { by: 'lan@desk.example' } });
  expect(of('CRM_ENABLED')).toMatchObject({ source: 'default', value: '1', stored: null });
  expect(of('CRM_TIMEOUT_SECONDS')).toMatchObject({ source: 'store', value: '20', default: '15' });
});

test('a ticket is routed by the rules of the moment at which it is taken up; there are webhooks once they have a secret', async () => {
  const w = await twoReplicas();
  const secret = 'the-secret-of-the-webhook';
  await w.change('CRM_WEBHOOK_URL', w.crm.webhookUrl);
  expect(await tellOfTicket(w.other.url, secret)).toMatch(/^404 /);
  await w.change('HELPDESK_WEBHOOK_SECRET', secret);
  expect(await tellOfTicket(w.other.url, secret)).toBeNull();
  await w.other.pipeline.sweep();
  /** Whichever replica takes the ticket up. */
  const teamOfNew = async () => {
    const values = { subject: 'x', custom_orgid: '200000376001' };
    const name = await w.helpdesk.insertTicket(demo.portal.name, values, { portal: true });
    await w.other.pipeline.sweep();
    await w.other.pipeline.processInbox();
    const team = () => w.helpdesk.document('HD Ticket', name)?.agent_group;
    await expect.poll(team).toEqual(expect.any(String));
    return team();
  };
  const before = await teamOfNew();
  const [team] = ['CS 60p', 'Medium - Grow', 'Medium - Scale'].filter((name) => name !== before);
  await w.change('teams', JSON.stringify({ medium_scale: team, medium_grow: team, sme: team }));
  expect(await teamOfNew()).toBe(team);
});

describe('before it is kept', () => {
  let w: Awaited<ReturnType<typeof twoReplicas>>;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    w = await twoReplicas({}, (end) => ends.push(end));
    await w.change('CRM_WEBHOOK_URL', w.crm.webhookUrl);
  });
  afterAll(() => Promise.all(ends.map((end) => end())));

  test.each([
    ['CRM_WEBHOOK_URL', 'wrong secret', 'The CRM refuses the webhook'],
    ['CRM_WEBHOOK_URL', 'owners only', 'lacks the scope crm'],
    ['CRM_WEBHOOK_URL', 'nobody there', 'The CRM in CRM_WEBHOOK_URL does not respond (127.0.0.1:1, ECONNREFUSED)'],
    ['CRM_RESPONSIBLE_WEBHOOK_URL', 'companies only', 'lacks the scope user_basic'],
    ['teams', '{"sme":"No such team"}', 'teams: There is no team "No such team"'],
    ['crm_fields', '{"company_id":"UF_CRM_NONE","extra":[]}', 'crm_fields: companies have no field UF_CRM_NONE.'],
    ['account_link', '{"doctype":"Nothing"}', 'account_link.doctype: the helpdesk has no DocType "Nothing".'],
    ['account_link', '{"doctype":"HD Ticket"}', 'account_link: HD Ticket has no field hd_customer'],
  ] as const)('%s: %s is refused, with a sentence', async (name, value, sentence) => {
    const addresses: Record<string, string> = {
      'wrong secret': `${w.crm.url}/rest/57001/c4n4ryofawrongsecret/`,
      'owners only': w.crm.responsibleWebhookUrl,
      'nobody there': 'http://127.0.0.1:1/rest/57001/c4n4ryofawrongsecret/',
      'companies only': w.crm.crmOnlyWebhookUrl,
    };
    const before = await w.one.settings.store.changes({ limit: 1 });
    const error: unknown = await w.change(name, addresses[value] ?? value).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'SettingRefused', setting: name, message: expect.stringContaining(sentence) });
    expect(String(error)).not.toContain('c4n4ry');
    expect(await w.one.settings.store.changes({ limit: 1 })).toEqual(before);
  });

  test.each([
    ['CRM_RESPONSIBLE_WEBHOOK_URL', 'owners only'],
    ['teams', '{"sme":"Medium - Grow"}'],
    ['crm_fields', '{"company_name":"TITLE"}'],
    ['account_link', JSON.stringify(accountLink)],
  ] as const)('%s: %s is fine', async (name, value) => {
    const { notes } = await w.change(name, value === 'owners only' ? w.crm.responsibleWebhookUrl : value);
    expect(notes).toEqual([]);
    await w.change(name, null);
  });

  test('an address inside the network is for the environment alone', async () => {
    const secure = await twoReplicas({ HELPDESK_URL: 'https://help.example', ALLOW_INSECURE_UPSTREAMS: '0' });
    const inside = 'https://127.0.0.1/rest/57001/c4n4ryofawrongsecret/';
    await expect(secure.change('CRM_WEBHOOK_URL', inside)).rejects.toThrow(
      'CRM_WEBHOOK_URL: leads to no public address',
    );
    await expect(secure.change('CRM_WEBHOOK_URL', secure.crm.webhookUrl)).rejects.toThrow('expected https');
  });
});

test('a secret stands in the files only as it is sealed, and a restart with another master key says so', async () => {
  const w = await twoReplicas();
  const canary = 'c4n4ry-0f-4-st0red-s3cr3t';
  for (const name of ['HELPDESK_WEBHOOK_SECRET', 'HELPDESK_SCRIPT_SECRET', 'CRM_EVENT_TOKEN'] as const) {
    await w.change(name, `${canary}-${name}`);
    await w.change(name, `${canary}-${name}-next`, 'next');
  }
  await w.promote('CRM_EVENT_TOKEN');
  await w.change('CRM_WEBHOOK_URL', w.crm.webhookUrl);
  await w.sealSecretsAgain();
  const needles = slicesOf([canary, ...w.crm.secrets, masterKey]);
  const shown = JSON.stringify([await listSettings(w.one), await w.one.settings.store.changes({ limit: 99 })]);
  const files = await Promise.all((await readdir(w.data)).map((file) => readFile(path.join(w.data, file), 'latin1')));
  expect(files.join().length).toBeGreaterThan(10_000);
  expect(needles.filter((needle) => shown.includes(needle) || files.some((file) => file.includes(needle)))).toEqual([]);
  const other = { ...w.variables, MASTER_KEY: Buffer.alloc(32, 8).toString('base64') };
  const refused = await startProxy(parseConfig(other)).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'ConfigError', message: expect.stringContaining('does not open under this') });
  // What the environment sets itself need not open.
  const names = ['HELPDESK_WEBHOOK_SECRET', 'HELPDESK_SCRIPT_SECRET', 'CRM_EVENT_TOKEN', 'CRM_WEBHOOK_URL'];
  const values = names.map((name) => [name, name === 'CRM_WEBHOOK_URL' ? w.crm.webhookUrl : 'a-secret-of-its-own']);
  const started = await startProxy(parseConfig({ ...other, ...Object.fromEntries(values) }));
  await started.close();
});

/** What went wrong when a proxy was told of a ticket; null if nothing did. */
async function tellOfTicket(url: string, secret: string): Promise<string | null> {
  const body = JSON.stringify({ event: 'after_insert', name: demo.tickets.matched, modified: randomUUID() });
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const headers = { 'x-frappe-webhook-signature': signature };
  const response = await fetch(`${url}/webhooks/helpdesk/ticket/after-insert`, { method: 'POST', body, headers });
  const text = await response.text();
  return response.status === 202 ? null : `${response.status} ${text}`;
}
