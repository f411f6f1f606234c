import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { generations, signal, useSimulatedSite } from '#adapters/helpdesk-frappe/testing/simulated-site.ts';

const links = 'Platform Account Link';
const linkFields = [{ fieldname: 'hd_customer', label: 'Customer', fieldtype: 'Link', options: 'HD Customer' }];

/** A DocType of platform accounts with these rows of permissions. */
const linksWith =
  (permissions: object[], more: object = {}) =>
  (seed: HelpdeskSeed) => {
    seed.documents.DocType = [{ name: links, autoname: 'hash', fields: linkFields, permissions, ...more }];
  };
const staff = { role: 'Agent Manager', read: 1, write: 1, create: 1 };

describe.each(generations)('what website users of Helpdesk %s may set', (generation) => {
  const site = useSimulatedSite(generation);
  const helpdeskOf = async (change: (seed: HelpdeskSeed) => void) => {
    const { simulator, upstream } = await site.another(change);
    return { simulator, helpdesk: site.adapter({ upstream }) };
  };

  test('the org id and the CRM id of a customer: in 1.28 the managers of the customer may, unless it is protected', async () => {
    const { helpdesk } = await helpdeskOf((seed) => {
      delete seed.protectedFields;
    });
    expect(await helpdesk.orgIdIsProtected(signal)).toBe(generation === '1.24');
    expect(await helpdesk.crmIdIsProtected(signal)).toBe(generation === '1.24');
    expect(await site.adapter().orgIdIsProtected(signal)).toBe(true);
    expect(await site.adapter().crmIdIsProtected(signal)).toBe(true);
  });

  test.each<[string, object[], boolean]>([
    ['the desk alone', [staff, { role: 'HD Customer', read: 1 }], true],
    ['everybody', [staff, { role: 'All', read: 1, create: 1 }], false],
    ['everybody, their own', [staff, { role: 'All', write: 1, if_owner: 1 }], false],
    ['a role that is not known', [staff, { role: 'Reseller', write: 1 }], false],
  ])('platform accounts that %s may write', async (_who, permissions, closed) => {
    const { helpdesk } = await helpdeskOf(linksWith(permissions));
    expect(await helpdesk.accountLinks.areStaffOnly(signal)).toBe(closed);
  });

  test('a child table vouches for nothing: its rows do not count', async () => {
    const { helpdesk } = await helpdeskOf(linksWith([staff], { istable: 1 }));
    expect(await helpdesk.accountLinks.areStaffOnly(signal)).toBe(false);
  });

  test('is asked once in ten minutes, in two requests', async () => {
    const helpdesk = site.adapter();
    await Promise.all([helpdesk.accountLinks.areStaffOnly(signal), helpdesk.accountLinks.areStaffOnly(signal)]);
    await helpdesk.accountLinks.areStaffOnly(signal);
    expect(site.calls()).toHaveLength(2);
  });

  test('where the service account may not read the roles nothing is protected, which is said and asked once in ten minutes', async () => {
    const { simulator, helpdesk } = await helpdeskOf(({ users }) => {
      for (const user of users) if (user.name === demo.service.name) user.roles = ['Agent'];
    });
    expect([await helpdesk.orgIdIsProtected(signal), await helpdesk.orgIdIsProtected(signal)]).toEqual([false, false]);
    expect(site.warnings).toHaveLength(1);
    expect(simulator.journal).toHaveLength(2);
  });

  test('a helpdesk that does not answer is asked again', async () => {
    site.simulator.fault = () => 503;
    const helpdesk = site.adapter();
    expect(await helpdesk.accountLinks.areStaffOnly(signal)).toBe(false);
    site.simulator.fault = null;
    expect(await helpdesk.accountLinks.areStaffOnly(signal)).toBe(true);
  });
});
