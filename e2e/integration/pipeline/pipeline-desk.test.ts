import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { decisionsOf } from '../kit.ts';
import { routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const orgId = '200000376001';
/** Nobody has heard of any of them: what one has claimed once counts against the next entry for the same address. */
const stranger = (nth: number) => `khach.vang.lai.${nth}@hopthu.example`;
const group = 'Service Ecom';
const manual = `Manual routing kept: ${group}.`;
const integration = demo.sysonly.name;

/** Who puts a ticket with a team, filled fields and an org id into the helpdesk, and what counts of it. */
const ways = [
  { way: 'an agent', by: demo.agent.name, raised_by: stranger(1), isDesk: true, entered: true },
  { way: 'a System Manager without agent record', by: integration, isDesk: true, entered: false },
  {
    way: 'a web form under an integration’s key',
    by: integration,
    raised_by: stranger(2),
    isDesk: true,
    entered: false,
  },
  { way: 'Administrator', by: 'Administrator', raised_by: stranger(3), isDesk: true, entered: false },
  { way: 'our own key', by: demo.service.name, raised_by: stranger(4), isDesk: true, entered: false },
  { way: 'a portal customer', by: demo.forger.name, isDesk: false, entered: false },
] as const;

test.each(['1.24', '1.28'] as const)('Helpdesk %s: what came with the ticket counts by who put it in', async (on) => {
  const w = await routedWorld({ generation: on });
  const filled = { custom_responsible: 'lien.he@hopthu.example' };
  const names: string[] = [];
  for (const { way: _, by, isDesk: __, entered: ___, ...values } of ways) {
    const given = { subject: 'x', custom_orgid: orgId, agent_group: group, ...filled, ...values };
    names.push(await w.helpdesk.insertTicket(by, given, { portal: by === demo.forger.name }));
  }
  const mail = await w.helpdesk.receiveMail({ from: stranger(0), subject: 'x', text: `Org ID: ${orgId}`, group });
  await settle(w);
  for (const [at, { way, by, isDesk, entered }] of ways.entries()) {
    const name = names[at] ?? '';
    const [decision] = await decisionsOf(w, name);
    expect(decision?.inputs.agent_group, way).toEqual({ name: group, set_by: isDesk ? 'person' : 'sender' });
    expect(decision?.inputs.org_id?.trust?.level, way).toBe(entered ? 'likely' : 'claimed');
    const reason = isDesk ? manual : `Group kept as the sender chose it: ${group}.`;
    expect(ticketOf(w, name), way).toMatchObject({ group, reason });
    // Administrator's account writes on behalf of anyone, and so does ours.
    const isPersons = isDesk && by !== 'Administrator' && by !== demo.service.name;
    const responsible = w.helpdesk.document('HD Ticket', name)?.custom_responsible || null;
    if (!entered) expect(responsible, way).toBe(isPersons ? filled.custom_responsible : null);
  }
  // A rule of the site gave it a team.
  expect(ticketOf(w, mail)).toMatchObject({ group, reason: manual });
});
