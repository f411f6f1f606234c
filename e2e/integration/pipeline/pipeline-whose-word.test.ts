import type { LookupTrust } from '@deskside/shared/profile';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { keyOf, profileOf } from '../kit.ts';
import { decisionsOf, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const orgId = '200000376001';
const stranger = demo.forger;
const agent = demo.agent;
/** An address that the CRM has for the company. */
const owner = demo.portal.name;

/** Writes a ticket as an account, over the helpdesk's own interface. */
async function put(w: World, name: string, as: typeof agent, values: Record<string, unknown>): Promise<void> {
  const response = await fetch(`${w.helpdesk.url}/api/resource/HD Ticket/${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: { authorization: keyOf(as), 'content-type': 'application/json' },
    body: JSON.stringify(values),
  });
  expect(response.status).toBe(200);
}

/** How ticket and panel judge the company in the end. */
async function judged(w: World, name: string): Promise<(LookupTrust | null | undefined)[]> {
  await settle(w);
  await w.idle();
  await profileOf(w, name);
  await w.idle();
  const { bitrix } = await profileOf(w, name);
  const [decision] = await decisionsOf(w, name);
  return [decision?.inputs.org_id?.trust, bitrix.lookup_trust];
}

const levelsOf = (trust: (LookupTrust | null | undefined)[]) => trust.map((each) => each?.level);

describe.each(['1.24', '1.28'] as const)('Helpdesk %s: whose word it was', (generation) => {
  test.each(['split', 'copy'])('an agent’s %s of what a stranger typed is no agent’s entry', async (how) => {
    const w = await routedWorld({ generation });
    const typed = { subject: 'Giúp tôi', custom_orgid: orgId };
    const first = await w.helpdesk.insertTicket(stranger.name, typed, { portal: true });
    await settle(w);
    const made = how === 'split' ? { subject: 'Việc khác', ticket_split_from: first } : {};
    const second = await w.helpdesk.insertTicket(agent.name, { ...typed, raised_by: stranger.name, ...made });
    expect(levelsOf(await judged(w, second))).toEqual(['claimed', 'claimed']);
  });

  test('an address that the stranger puts in their place is a claim, in the panel as well', async () => {
    const w = await routedWorld({ generation });
    w.helpdesk.put('Contact', { name: stranger.name, owner: stranger.name, email_id: stranger.name });
    const values = { subject: 'Gọi điện', raised_by: stranger.name, contact: stranger.name };
    const name = await w.helpdesk.insertTicket(agent.name, values);
    await settle(w);
    await put(w, name, stranger, { raised_by: owner, custom_orgid: orgId });
    const trust = await judged(w, name);
    expect(levelsOf(trust).at(-1)).toBe('claimed');
    expect(trust.at(-1)?.evidence).toContainEqual({ code: 'contact_of_other', value: stranger.name });
    expect(ticketOf(w, name).customer).toBeNull();
  });

  test('one that an agent puts there is none either: the agent opens a ticket for them, or says so by a Sync', async () => {
    const w = await routedWorld({ generation });
    const name = await w.helpdesk.insertTicket(agent.name, { subject: 'Gọi điện', custom_store_url: 'x' });
    await settle(w);
    await put(w, name, agent, { raised_by: owner, custom_orgid: orgId });
    expect(levelsOf(await judged(w, name)).at(-1)).toBe('claimed');
  });

  test('a save by the agent does not vouch for what the sender typed before the webhook came', async () => {
    const w = await routedWorld({ generation });
    w.helpdesk.settings.webhookDelayMs = 1_500;
    const name = await w.helpdesk.insertTicket(agent.name, { subject: 'Gọi điện', raised_by: stranger.name });
    await put(w, name, stranger, { custom_orgid: orgId });
    await put(w, name, agent, { priority: 'High' });
    expect(levelsOf(await judged(w, name))).toEqual(['claimed', 'claimed']);
  });
});
