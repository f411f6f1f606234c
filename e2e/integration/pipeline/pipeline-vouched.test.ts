import { demo } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { documentsOf } from '../enrichment-kit.ts';
import { keyOf, profileOf } from '../kit.ts';
import { decisionsOf, isMember, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

/** Shops with a customer in the helpdesk; the address of their owner is known to the CRM. */
const shops = [
  ['1000069001', 'tiemhoamau'],
  ['200000376001', 'gomlangmo'],
  ['1000391001', 'caphesuongnui'],
  ['200000010001', 'maylua'],
  ['1900000001', 'trangnon'],
  ['200000376010', 'tiachop'],
] as const;
const perKind = sized({ small: 2, full: 50 });

interface Sender {
  address: string;
  orgId: string;
  slug: string;
  customer: string;
}

interface Kind {
  evidence: string;
  level: 'confirmed' | 'likely';
  /** The sender's address, where it is not one that nobody knows. */
  address?: (slug: string) => string;
  /** What the desk knows about the sender beforehand. */
  known?: (w: World, sender: Sender) => void;
  send: (w: World, sender: Sender) => Promise<string>;
}

const signedIn: Kind['send'] = ({ helpdesk }, { address, orgId }) =>
  helpdesk.insertTicket(address, { subject: 'Không in được đơn', custom_orgid: orgId }, { portal: true });
const byMail: Kind['send'] = ({ helpdesk }, { address, orgId }) =>
  helpdesk.receiveMail({ from: address, subject: 'Không in được đơn', text: `Xin chào,\nOrg ID: ${orgId}` });
const owner = (slug: string) => `owner@${slug}.example`;

const hasAccount: Kind['known'] = ({ helpdesk }, { address, orgId, customer }) =>
  helpdesk.put('Platform Account Link', {
    name: `account of ${address}`,
    ...{ hd_customer: customer, email: address, platform_orgid: orgId },
  });

const kinds: Record<string, Kind> = {
  'a platform account, signed in': {
    ...{ evidence: 'signed_in_account_of_company', level: 'confirmed', known: hasAccount, send: signedIn },
  },
  'a platform account, by mail': {
    ...{ evidence: 'sender_account_of_company', level: 'likely', known: hasAccount, send: byMail },
  },
  'a member of the customer, signed in': {
    ...{ evidence: 'signed_in_contact_of_customer', level: 'confirmed', known: isMember, send: signedIn },
  },
  'a member of the customer, by mail': {
    ...{ evidence: 'sender_contact_of_customer', level: 'likely', known: isMember, send: byMail },
  },
  'an address that the CRM knows, signed in': {
    ...{ evidence: 'signed_in_email_of_company', level: 'confirmed', address: owner, send: signedIn },
  },
  'an address that the CRM knows, by mail': {
    ...{ evidence: 'sender_email_of_company', level: 'likely', address: owner, send: byMail },
  },
  'an agent’s entry for somebody whom nobody knows': {
    ...{ evidence: 'entered_by_agent', level: 'confirmed' },
    send: ({ helpdesk }, { address, orgId }) =>
      helpdesk.insertTicket(demo.agent.name, { subject: 'Gọi điện', raised_by: address, custom_orgid: orgId }),
  },
};

async function customers(w: World): Promise<Map<string, string>> {
  const found = (await documentsOf(w, 'HD Customer', [])) as { name: string; custom_platform_orgid?: string }[];
  return new Map(found.map(({ name, custom_platform_orgid }) => [String(custom_platform_orgid), name]));
}

test.each(['1.24', '1.28'] as const)(
  `${perKind} true customers of each kind on Helpdesk %s, default rules: every one is linked`,
  async (generation) => {
    const w = await routedWorld({ generation });
    const customerOf = await customers(w);
    const sent: { ticket: string; sender: Sender; kind: Kind; name: string }[] = [];
    for (const [name, kind] of Object.entries(kinds)) {
      for (let n = 0; n < perKind; n += 1) {
        const [orgId, slug] = shops[n % shops.length] as (typeof shops)[number];
        const address = kind.address?.(slug) ?? `khach.${sent.length}@hopthu.example`;
        const sender = { address, orgId, slug, customer: customerOf.get(orgId) ?? '' };
        kind.known?.(w, sender);
        sent.push({ ticket: await kind.send(w, sender), sender, kind, name });
      }
    }
    await settle(w);
    for (const { ticket, sender, kind, name } of sent) {
      const { customer, reason } = ticketOf(w, ticket);
      expect(customer, `${name}: ${sender.address}`).toBe(sender.customer);
      expect(reason).toMatch(/^Auto-routed: Customer Segment=(SME|Medium), Shopplan=[^,]+, Source=hd_customer\./);
      const [decision] = await decisionsOf(w, ticket);
      const trust = decision?.inputs.org_id?.trust;
      expect([trust?.level, trust?.evidence[0]?.code], name).toEqual([kind.level, kind.evidence]);
    }
    // An agent who opens the tickets is told the same, once the helpdesk has been asked.
    const opened = sent.filter((_, at) => at % perKind === 0);
    for (const { ticket } of opened) await profileOf(w, ticket);
    await w.idle();
    for (const { ticket, kind } of opened)
      expect((await profileOf(w, ticket)).bitrix.lookup_trust?.level, kind.evidence).toBe(kind.level);
  },
);

test('where portal managers may write org ids, only customers whose id we gave ourselves vouch for their members', async () => {
  const w = await routedWorld({ generation: '1.28' });
  const field = `${w.helpdesk.url}/api/resource/Custom Field/HD Customer-custom_platform_orgid`;
  const opened = await fetch(field, {
    method: 'PUT',
    headers: { authorization: keyOf(demo.admin), 'content-type': 'application/json' },
    body: JSON.stringify({ permlevel: 0 }),
  });
  expect(opened.status).toBe(200);
  const trustOf = async (ticket: string) => (await decisionsOf(w, ticket))[0]?.inputs.org_id?.trust;

  // A manager gave his own customer another shop's org id.
  const manager = { address: 'quanly@hopthu.example', orgId: '1000700226', slug: '', customer: 'Khách lẻ' };
  const own = w.helpdesk.document('HD Customer', manager.customer);
  if (own === undefined) throw new Error('The seed has no such customer.');
  w.helpdesk.put('HD Customer', { ...own, custom_platform_orgid: manager.orgId });
  isMember(w, manager);
  const forged = await signedIn(w, manager);
  await settle(w);
  expect(await trustOf(forged)).toMatchObject({
    level: 'claimed',
    evidence: [{}, { code: 'customer_id_not_protected' }],
  });
  w.helpdesk.put('HD Customer', {
    ...w.helpdesk.document('HD Customer', manager.customer),
    custom_platform_orgid: null,
    name: manager.customer,
  });

  // The CRM vouches for the owner, so we make the shop's customer; it then vouches for its other people.
  await byMail(w, { ...manager, address: owner('choque') });
  await settle(w);
  const customer = (await customers(w)).get(manager.orgId) ?? '';
  const staff = { ...manager, address: 'nhanvien@hopthu.example', customer };
  isMember(w, staff);
  const ticket = await signedIn(w, staff);
  await settle(w);
  expect(await trustOf(ticket)).toMatchObject({
    level: 'confirmed',
    evidence: [{ code: 'signed_in_contact_of_customer' }, {}],
  });
  expect(ticketOf(w, ticket).customer).toBe(customer);
});
