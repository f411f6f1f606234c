import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { decisionsOf } from '../kit.ts';
import { routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const orgId = '200000376001';
const stranger = 'khach.vang.lai@hopthu.example';
const group = 'Service Ecom';
const manual = `Manual routing kept: ${group}.`;
const integration = demo.sysonly.name;

/** Who puts a ticket with a team, filled fields and an org id into the helpdesk, and what counts of it. */
const ways = [
  { way: 'an agent', by: demo.agent.name, raised_by: stranger, isDesk: true, entered: true },
  { way: 'a System Manager without agent record', by: integration, isDesk: true, entered: false },
  { way: 'a web form under an integration’s key', by: integration, raised_by: stranger, isDesk: true, entered: false },
  { way: 'Administrator', by: 'Administrator', raised_by: stranger, isDesk: true, entered: false },
  { way: 'our own key', by: demo.service.name, raised_by: stranger, isDesk: true, entered: false },
  { way: 'a portal customer', by: demo.forger.name, isDesk: false, entered: false },
] as const;

describe.each(['1.24', '1.28'] as const)('Helpdesk %s: what came with the ticket', (generation) => {
  test.each(ways)('by $way', async ({ way: _, by, isDesk, entered, ...values }) => {
    const w = await routedWorld({ generation });
    const filled = { custom_responsible: 'lien.he@hopthu.example' };
    const name = await w.helpdesk.insertTicket(
      by,
      { subject: 'x', custom_orgid: orgId, agent_group: group, ...filled, ...values },
      { portal: by === demo.forger.name },
    );
    await settle(w);
    const ticket = w.helpdesk.document('HD Ticket', name);
    const [decision] = await decisionsOf(w, name);
    expect(decision?.inputs.agent_group).toEqual({ name: group, set_by: isDesk ? 'person' : 'sender' });
    expect(decision?.inputs.org_id?.trust?.level).toBe(entered ? 'likely' : 'claimed');
    expect(ticketOf(w, name).reason === manual).toBe(isDesk);
    expect(ticketOf(w, name).group === group).toBe(isDesk);
    // Administrator's account writes on behalf of anyone, and so does ours.
    const isPersons = isDesk && by !== 'Administrator' && by !== demo.service.name;
    if (!entered) expect(ticket?.custom_responsible || null).toBe(isPersons ? filled.custom_responsible : null);
  });

  test('by mail, to which a rule of the site gave a team', async () => {
    const w = await routedWorld({ generation });
    const name = await w.helpdesk.receiveMail({ from: stranger, subject: 'x', text: `Org ID: ${orgId}`, group });
    await settle(w);
    expect(ticketOf(w, name)).toMatchObject({ group, reason: manual });
  });
});
