import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import type { WorldOptions } from '../../demo/world.ts';
import { routedWorld, settle } from '../pipeline-kit.ts';

const orgId = '200000376001';
const domain = 'gomlangmo.myplatform.example';

/** The shop's addresses, as they would answer; nobody else's do. */
const askMeta: WorldOptions['askMeta'] = async (host) => {
  const address = `https://${host}/meta.json`;
  if (!host.startsWith('gomlangmo.')) return { kind: 'none', address, why: 'not_found' };
  return { kind: 'found', address, orgId, domains: [], name: 'Gốm Sứ Làng Mơ' };
};

test.each<[string, Record<string, string>, string | null]>([
  ['an address below the platform', { custom_store_url: `https://${domain}/admin/orders?x=1` }, domain],
  ['a domain of its own', { custom_store_url: 'https://gomlangmo.example' }, null],
  [
    'a domain that somebody has filled in',
    { custom_store_url: `https://${domain}`, custom_myplatform_domain: 'khac.myplatform.example' },
    'khac.myplatform.example',
  ],
  ['an address below the platform, beside an org id', { custom_store_url: domain, custom_orgid: orgId }, domain],
])('the platform domain on a ticket: %s', async (_, values, expected) => {
  const w = await routedWorld({ askMeta });
  const name = await w.helpdesk.insertTicket(demo.portal.name, { subject: 'x', ...values }, { portal: true });
  await settle(w);
  const ticket = w.helpdesk.document('HD Ticket', name);
  expect(ticket).toMatchObject({ custom_orgid: orgId, custom_platform_profile_status: 'Complete' });
  expect(ticket?.custom_myplatform_domain || null).toBe(expected);
});
