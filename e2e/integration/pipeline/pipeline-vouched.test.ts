import { demo } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import type { DemoWorld } from '../../demo/world.ts';
import { decisionsOf, profileOf } from '../kit.ts';
import { routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

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
  send: (w: DemoWorld, sender: Sender) => Promise<string>;
}

const signedIn: Kind['send'] = ({ helpdesk }, { address, orgId }) =>
  helpdesk.insertTicket(address, { subject: 'Không in được đơn', custom_orgid: orgId }, { portal: true });
const byMail: Kind['send'] = ({ helpdesk }, { address, orgId }) =>
  helpdesk.receiveMail({ from: address, subject: 'Không in được đơn', text: `Xin chào,\nOrg ID: ${orgId}` });
const owner = (slug: string) => `owner@${slug}.example`;

const kinds: Record<string, Kind> = {
  'an address that the CRM knows, signed in': {
    ...{ evidence: 'signed_in_email_of_company', level: 'confirmed', address: owner, send: signedIn },
  },
  'an address that the CRM knows, by mail': {
    ...{ evidence: 'sender_email_of_company', level: 'likely', address: owner, send: byMail },
  },
  'an agent’s entry for somebody whom nobody knows': {
    ...{ evidence: 'entered_by_agent', level: 'likely' },
    send: ({ helpdesk }, { address, orgId }) =>
      helpdesk.insertTicket(demo.agent.name, { subject: 'Gọi điện', raised_by: address, custom_orgid: orgId }),
  },
};

async function customers(w: DemoWorld): Promise<Map<string, string>> {
  const found = w.helpdesk.documents('HD Customer') as { name: string; custom_platform_orgid?: string }[];
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
