import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
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

test('a wrong token is 403 and changes nothing, and without a configured one there is nothing', async () => {
  const w = await world({ environment: { CRM_EVENT_TOKEN: token } });
  const before = await nameIn(w);
  rename(w, 'Gốm Mới');
  expect(await send(w, 'ONCRMCOMPANYUPDATE', company.id, `${token}x`)).toBe(403);
  expect(await nameIn(w)).toBe(before);
  expect(await send(await world(), 'ONCRMCOMPANYUPDATE', company.id)).toBe(404);
});
