import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demo } from '@deskside/simulators/seed/index';
import { expect, onTestFinished, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { profileOf, world } from '../kit.ts';

const token = 'canary-event-token-0001';

/** Sends an event as the portal does. */
async function send({ proxyUrl }: World, event: string, id: string, given = token): Promise<number> {
  const body = new URLSearchParams({ event, 'data[FIELDS][ID]': id, 'auth[application_token]': given });
  return (await fetch(`${proxyUrl}/webhooks/crm/company`, { method: 'POST', body })).status;
}

const company = { org: '200000376001', id: '63002' };

function rename(w: World, name: string) {
  w.crm.putCompany({ ...w.crm.company(company.id), ID: company.id, UF_CRM_STORENAME: name });
}

const nameIn = async (w: World) => (await profileOf(w, demo.tickets.matched)).bitrix.company?.company_name;

test('a company that changed in the CRM is asked for again at the next open, inside its lifetime', async () => {
  const w = await world({ environment: { CRM_EVENT_TOKEN: token } });
  const before = await nameIn(w);
  rename(w, 'Gốm Mới');
  expect(await nameIn(w)).toBe(before);
  for (const _ of [1, 2]) expect(await send(w, 'ONCRMCOMPANYUPDATE', company.id)).toBe(200);
  expect(await nameIn(w)).toBe('Gốm Mới');
  expect(await nameIn(w)).toBe('Gốm Mới');
  expect(w.crm.journal).toHaveLength(2);
});

test.each(['ONCRMCOMPANYADD', 'ONCRMCOMPANYUPDATE'])('%s of a new company ends "not found" at once', async (event) => {
  const w = await world({ environment: { CRM_EVENT_TOKEN: token } });
  const { bitrix } = await profileOf(w, demo.tickets.notFound);
  expect(bitrix.status).toBe('not_found');
  w.crm.putCompany({ ID: '70001', TITLE: 'Vừa mở', UF_CRM_COMPANY_ID: bitrix.lookup_value });
  expect((await profileOf(w, demo.tickets.notFound)).bitrix).toMatchObject({ status: 'cached', outcome: 'not_found' });
  expect(await send(w, event, '70001')).toBe(200);
  expect((await profileOf(w, demo.tickets.notFound)).bitrix).toMatchObject({ status: 'matched' });
});

test('a deleted company is not shown as fresh any more, and a CRM that fails meanwhile leaves it marked old', async () => {
  const w = await world({ environment: { CRM_EVENT_TOKEN: token } });
  await nameIn(w);
  w.crm.removeCompany(company.id);
  await send(w, 'ONCRMCOMPANYDELETE', company.id);
  w.crm.fault = 'server_error';
  expect((await profileOf(w, demo.tickets.matched)).bitrix).toMatchObject({
    status: 'error',
    outcome: 'matched',
    stale: true,
  });
  w.crm.fault = null;
  expect((await profileOf(w, demo.tickets.matched)).bitrix).toMatchObject({ status: 'not_found', company: null });
});

test('a wrong token is 403 and changes nothing, another method 405, and without a configured token there is nothing', async () => {
  const w = await world({ environment: { CRM_EVENT_TOKEN: token } });
  const before = await nameIn(w);
  rename(w, 'Gốm Mới');
  for (const wrong of ['', 'wrong', `${token}x`])
    expect(await send(w, 'ONCRMCOMPANYUPDATE', company.id, wrong)).toBe(403);
  expect(await nameIn(w)).toBe(before);
  expect((await fetch(`${w.proxyUrl}/webhooks/crm/company`)).status).toBe(405);
  const without = await world();
  expect(await send(without, 'ONCRMCOMPANYUPDATE', company.id)).toBe(404);
});

test('both the current and the previous token count while one is being changed', async () => {
  const w = await world({ environment: { CRM_EVENT_TOKEN: `${token}-new,${token}` } });
  for (const given of [`${token}-new`, token]) expect(await send(w, 'ONCRMCOMPANYADD', '1', given)).toBe(200);
});

test("a segment code that the rules do not name gets the portal's own name, without anybody waiting for it", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-rules-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const rules = path.join(folder, 'rules.json');
  await writeFile(rules, JSON.stringify({ crm_fields: { segments: {} } }));
  const named = await world({ environment: { RULES_FILE: rules } });
  const segmentIn = async () => (await profileOf(named, demo.tickets.matched)).bitrix.company?.customer_segment;
  expect(await segmentIn()).toBe('15092');
  expect(named.crm.journal).toHaveLength(1);
  await expect.poll(segmentIn).toBe('Medium');
  expect(named.crm.journal.map(({ method }) => method)).toEqual(['batch', 'crm.company.userfield.list']);
});
