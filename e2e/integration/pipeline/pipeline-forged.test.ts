import { demo } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { describe, expect, test } from 'vitest';
import type { DemoWorld, WorldOptions } from '../../demo/world.ts';
import { decisionsOf, profileOf } from '../kit.ts';
import { nativeRules, openTodos, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

/** A company that is Medium on Scale, whose people none of the senders belongs to. */
const victim = {
  orgId: '200000376001',
  customer: 'Gốm Sứ Làng Mơ - 200000376001',
  host: 'gomlangmo.myplatform.example',
};
/** The owner of another shop, whose own customer is SME. */
const neighbour = 'owner@tiemhoamau.example';
/** Once each of the ways below. */
const count = sized({ small: 6, full: 50 });

const askMeta: WorldOptions['askMeta'] = async (host) => ({
  kind: 'found',
  address: `https://${host}/meta.json`,
  orgId: victim.orgId,
  domains: [],
});

/** Ways to claim to be somebody else; each fills what its sender may write. */
const forgeries: { sender: string; values: (generation: string) => Record<string, unknown> }[] = [
  { sender: demo.forger.name, values: () => ({ custom_orgid: victim.orgId }) },
  { sender: demo.forger.name, values: () => ({ custom_store_url: `https://${victim.host}/admin/orders` }) },
  { sender: demo.forger.name, values: () => ({ description: `<p>Org ID: ${victim.orgId}</p>` }) },
  {
    sender: demo.forger.name,
    values: () => ({
      custom_orgid: victim.orgId,
      custom_customer_segment: 'Medium',
      agent_group: 'Medium - Scale',
      custom_platform_routing_reason: 'Auto-routed: forged. Target team=Medium - Scale.',
      custom_platform_profile_status: 'Complete',
    }),
  },
  {
    sender: neighbour,
    values: () => ({ custom_orgid: victim.orgId, custom_platform_routing_reason: 'Auto-routed: forged.' }),
  },
  {
    sender: neighbour,
    values: (generation) => ({
      custom_orgid: victim.orgId,
      // The newer version refuses a customer that is not the sender's (docs/helpdesk.md#senders).
      ...(generation === '1.24' && { customer: victim.customer }),
    }),
  },
];

async function forge(
  w: DemoWorld,
  generation: string,
  count: number,
): Promise<{ name: string; before: string | null }[]> {
  const inserted: { name: string; before: string | null }[] = [];
  for (let n = 0; n < count; n += 1) {
    const { sender, values } = forgeries[n % forgeries.length] as (typeof forgeries)[number];
    const given = { subject: `Forged ${n}`, description: '<p>x</p>', ...values(generation) };
    const name = await w.helpdesk.insertTicket(sender, given, { portal: true });
    inserted.push({ name, before: ticketOf(w, name).customer });
  }
  return inserted;
}

const worlds = (['1.24', '1.28'] as const).flatMap((generation) =>
  (['hold', 'accept'] as const).map((claims) => [generation, claims] as const),
);

describe.each(worlds)(`${count} forged tickets on Helpdesk %s, claims: %s`, (generation, claims) => {
  test('none is confirmed, none assigned by its text, none replaces a customer', async () => {
    const environment = { RULES_FILE: rulesFile(claims) };
    const w = await routedWorld({ generation, askMeta, environment });
    // Whoever is assigned then was assigned by us.
    nativeRules(w, false);
    const forged = await forge(w, generation, count);
    await settle(w);
    let claimed = 0;
    for (const { name, before } of forged) {
      const ticket = ticketOf(w, name);
      const [decision] = await decisionsOf(w, name);
      const orgId = decision?.inputs.org_id;
      // Senders with a customer of their own are routed as that; the other company is never confirmed as theirs.
      expect(orgId?.value === victim.orgId ? orgId.trust?.level : 'claimed').toBe('claimed');
      // An agent looks at the ticket, which may write to it as well.
      const { lookup_value, lookup_trust } = (await profileOf(w, name)).bitrix;
      expect(lookup_value === victim.orgId ? lookup_trust?.level : 'claimed').toBe('claimed');
      // A reason that the sender wrote never survives, nor does it get anybody assigned.
      expect(ticket.reason).not.toContain('forged');
      const todos = openTodos(w, name);
      expect(todos).toHaveLength(decision?.assignment.state === 'assigned' ? 1 : 0);
      if (decision?.outcome.team === null) expect(todos).toEqual([]);
      if (before !== null) expect(ticket.customer).toBe(before);
      if (orgId?.value === victim.orgId) {
        claimed += 1;
        if (claims === 'accept')
          expect(w.helpdesk.document('HD Ticket', name)?.custom_crm_last_checked_at, name).toBeTruthy();
        else expect(told(w, name), name).toEqual({});
      }
      if (claims === 'hold') {
        expect(ticket.customer).toBe(before);
        expect(ticket.group).not.toBeNull();
      }
    }
    expect(forged).toHaveLength(count);
    expect(claimed).toBeGreaterThan(count / 2);
  });
});

/** What a claim's ticket holds of the company, and of whether there is one, that its sender is not to read there. */
function told(w: DemoWorld, name: string): Record<string, unknown> {
  const never = [
    'custom_crm_last_checked_at',
    'custom_crm_not_found_at',
    'custom_platform_profile_checked_at',
    'custom_responsible',
  ];
  const company = ['custom_customer_segment', 'custom_shopplan', 'custom_platform_service_plan'];
  const ticket: Record<string, unknown> = w.helpdesk.document('HD Ticket', name) ?? {};
  const found = Object.fromEntries(
    [...never, ...company].filter((field) => ticket[field]).map((field) => [field, ticket[field]]),
  );
  const reason = String(ticket.custom_platform_routing_reason);
  const unconfirmed =
    /^Auto-routed: unconfirmed OrgID\. Customer Segment=-, Shopplan=-, Source=claim\. Target team=[^.]+\.$/;
  // The team that the sender chose tells nothing.
  const isSendersOwn = reason === `Group kept as the sender chose it: ${ticket.agent_group}.`;
  return unconfirmed.test(reason) || isSendersOwn ? found : { ...found, reason };
}

function rulesFile(claims: string): string {
  return new URL(`../rules/${claims}.json`, import.meta.url).pathname;
}
