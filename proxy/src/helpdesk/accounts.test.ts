import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { AccountLinkConfig, AccountLinks } from './customer-data.ts';
import { HelpdeskError } from './errors.ts';
import type { ListQuery } from './frappe.ts';
import type { Site } from './site.ts';
import { generations, signal, useSimulatedSite } from './testing/simulated-site.ts';

/** A site whose lists come from the given function, and a clock that is moved by hand. */
function setUp(config: AccountLinkConfig, answer: () => unknown[]) {
  const queries: ListQuery[] = [];
  const warnings: object[] = [];
  let now = 0;
  const service = {
    list: async (_doctype: string, query: ListQuery) => {
      queries.push(query);
      return answer();
    },
  };
  const logger = { debug() {}, info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) };
  const clock = () => now;
  const links = new AccountLinks({ service, logger, clock } as unknown as Site, config);
  return { links, queries, warnings, advance: (ms: number) => (now += ms) };
}

describe('the configuration', () => {
  it('needs the DocType only; fields have their usual names', () => {
    expect(AccountLinkConfig.parse({ doctype: 'Platform Account Link' })).toMatchObject({
      customer_field: 'hd_customer',
      fields: { user: 'user', haravan_orgid: 'haravan_orgid' },
    });
  });

  it('names what is wrong', () => {
    const wrong = { doctype: ' ', customer_field: 'name; drop', fields: { user: 'a.b', other: 'x' } };
    const paths = AccountLinkConfig.safeParse(wrong).error?.issues.map((issue) => issue.path.join('.'));
    expect(paths).toEqual(['doctype', 'customer_field', 'fields.user', 'fields']);
  });
});

describe('account links', () => {
  const config = AccountLinkConfig.parse({
    doctype: 'Platform Account Link',
    fields: { haravan_orgname: 'shop', last_login: null },
  });

  it('are asked for under the configured names, at most 20, and come under the names of the contract', async () => {
    const { links, queries } = setUp(config, () => [
      { customer: 'A', link_user: 'u@x.example', link_haravan_orgid: 200000001, link_haravan_orgname: '' },
      { customer: 'À', link_user: 'of a name that the database takes for the same' },
    ]);
    expect(await links.of('A', signal)).toEqual([
      {
        user: 'u@x.example',
        email: null,
        haravan_userid: null,
        haravan_orgid: '200000001',
        haravan_orgname: null,
        last_login: null,
      },
    ]);
    expect(queries).toMatchObject([{ filters: [['hd_customer', '=', 'A']], limit: 20 }]);
    expect(queries[0]?.fields).toContain('shop as link_haravan_orgname');
    expect(queries[0]).not.toHaveProperty('orderBy');
  });

  it.each(['not_found', 'forbidden', 'rejected'] as const)(
    'that the site does not give (%s) are none, said once, and not asked for again for ten minutes',
    async (kind) => {
      const { links, queries, warnings, advance } = setUp(config, () => {
        throw new HelpdeskError(kind, 'no');
      });
      expect(links.areThere()).toBe(true);
      expect([await links.of('A', signal), await links.of('B', signal)]).toEqual([[], []]);
      expect([links.areThere(), queries.length, warnings.length]).toEqual([false, 1, 1]);
      advance(10 * 60_000);
      expect(links.areThere()).toBe(true);
    },
  );

  it('of a helpdesk that is down are an error', async () => {
    const { links } = setUp(config, () => {
      throw new HelpdeskError('unavailable', 'down');
    });
    await expect(links.of('A', signal)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(links.areThere()).toBe(true);
  });
});

describe.each(generations)('on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const shop = { orgId: '200000376001', customer: 'Gốm Sứ Làng Mơ - 200000376001' };

  describe('platform accounts', () => {
    it('of a customer are read in one request, 20 at most, latest login first', async () => {
      const field = (fieldname: string, fieldtype = 'Data') => ({ fieldname, fieldtype, label: fieldname });
      site.simulator.put('DocType', {
        name: 'Platform Account Link',
        fields: [
          ...['user', 'email', 'platform_userid', 'platform_orgid', 'platform_orgname'].map((name) => field(name)),
          { ...field('hd_customer', 'Link'), options: 'HD Customer' },
          field('last_login', 'Datetime'),
        ],
        permissions: [{ role: 'Agent', read: 1 }],
      });
      for (let i = 0; i < 25; i += 1) {
        site.simulator.put('Platform Account Link', {
          name: `PLATFORM-${i}`,
          hd_customer: i % 25 === 24 ? 'Khách lẻ' : shop.customer,
          email: `user${i}@mo.example`,
          platform_orgid: shop.orgId,
          last_login: `2026-11-20 00:00:${String(i).padStart(2, '0')}`,
        });
      }
      const helpdesk = await site.warmed();
      const links = await helpdesk.accounts.of(shop.customer, signal);
      expect(links.map(({ email }) => email)).toEqual(Array.from({ length: 20 }, (_, i) => `user${23 - i}@mo.example`));
      expect(links[0]).toEqual({
        user: null,
        email: 'user23@mo.example',
        haravan_userid: null,
        haravan_orgid: shop.orgId,
        haravan_orgname: null,
        last_login: '2026-11-20 00:00:23',
      });
      expect(site.calls()).toEqual([`GET /api/resource/Platform Account Link ${demo.service.name} 200`]);
    });

    it('are none on a site without such records, which is remembered', async () => {
      const config = AccountLinkConfig.parse({ doctype: 'No Such Record' });
      const helpdesk = await site.warmed({ accountLinks: config });
      expect(helpdesk.accounts.areThere()).toBe(true);
      for (const _ of [1, 2]) expect(await helpdesk.accounts.of(shop.customer, signal)).toEqual([]);
      expect([helpdesk.accounts.areThere(), site.simulator.journal.length]).toEqual([false, 1]);
    });
  });
});
