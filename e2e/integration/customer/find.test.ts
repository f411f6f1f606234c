import { callProxy } from '@deskside/shared/client';
import type { FindData } from '@deskside/shared/find';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call } from '../enrichment-kit.ts';
import { keyOf, profileOf, type world as startWorld, world } from '../kit.ts';

const { missingOrgId } = demo.tickets;
type World = Awaited<ReturnType<typeof startWorld>>;

async function find({ proxyUrl }: World, query: string, ticket = missingOrgId): Promise<FindData> {
  const authorization = keyOf(demo.agent);
  const result = await callProxy('findCompanies', { ticket, query }, { baseUrl: proxyUrl, authorization });
  if (!result.ok) throw new Error(`${result.error.status} ${result.error.code}`);
  return result.data;
}

describe.each(['1.24', '1.28'] as const)('Find company, Helpdesk %s', (generation) => {
  test('finds a company in CRM and helpdesk as one, says why, and links the ticket to it by Sync', async () => {
    const clock = Object.assign(() => now, {});
    let now = Date.now();
    const w = await world({ generation, clock });
    const gom = {
      org_id: '200000376001',
      bitrix_id: '63002',
      customer: 'Gốm Sứ Làng Mơ - 200000376001',
      same_org_id: 0,
    };
    for (const [query, kinds, by] of [
      ['200000376001', ['org_id'], 'org_id'],
      ['gốm sứ', ['name'], 'name'],
      ['https://gomlangmo.example/x', ['shop_address'], 'shop_address'],
      ['gomlangmo.myplatform.example', ['shop_address'], 'shop_address'],
      ['owner@gomlangmo.example', ['email'], 'email'],
      ['0900 000 002', ['phone', 'org_id'], 'phone'],
    ] as const) {
      const found = await find(w, query);
      expect(found, query).toMatchObject({
        read_as: kinds,
        crm: { status: 'searched' },
        helpdesk: { status: 'searched' },
      });
      // By its own domain the CRM knows it, by the one on the platform the helpdesk.
      const wanted = query.includes('gomlangmo.example/x') ? { ...gom, customer: null } : gom;
      expect(found.companies, query).toMatchObject([{ ...wanted, found_by: [{ by }] }]);
      now += 5_000;
    }
    expect((await find(w, 'sen đá')).companies).toMatchObject([
      { org_id: '1900000017', bitrix_id: '63006', same_org_id: 1 },
    ]);
    expect((await find(w, 'không ai tên thế này')).companies).toEqual([]);

    const [chosen] = (await find(w, 'điện máy')).companies;
    const target = { ticket: missingOrgId, company_id: chosen?.org_id, bitrix_id: chosen?.bitrix_id };
    const preview = await call(w, 'syncTicketCustomer', { ...target, action: 'preview' });
    expect(preview).toMatchObject({ company: { id: '63010' }, customer: { name: chosen?.customer, created: false } });
    const expected_customer = preview.ticket.customer ?? '';
    const applied = await call(w, 'syncTicketCustomer', { ...target, expected_customer });
    expect(applied.ticket).toMatchObject({ customer: chosen?.customer, linked: true });
    expect((await profileOf(w, missingOrgId)).bitrix).toMatchObject({
      lookup_value: '200000376010',
      lookup_trust: { level: 'confirmed', evidence: [{ code: 'linked_by_agent', value: demo.agent.name }, {}] },
    });
  });
});

test('a failing CRM leaves what the helpdesk has, and says so; the limit of one agent leaves profiles alone', async () => {
  const w = await world({ clock: () => 1_800_000_000_000 });
  w.crm.fault = 'server_error';
  expect(await find(w, 'gốm sứ')).toMatchObject({
    companies: [{ org_id: '200000376001', bitrix_id: '63002', plan: 'OMNI SCALE 2025 (1 năm)' }],
    crm: { status: 'failed', error: { code: 'server_error', request_id: expect.any(String) } },
  });
  w.crm.fault = null;
  for (let n = 0; n < 9; n += 1) await find(w, `tên số ${n}`);
  await expect(find(w, 'gốm')).rejects.toThrow('429 rate_limited');
  expect((await profileOf(w, demo.tickets.matched)).bitrix.outcome).toBe('matched');
});
