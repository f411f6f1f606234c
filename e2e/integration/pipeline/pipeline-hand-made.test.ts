import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { decisionsOf, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const orgId = '200000376001';
const handMade = 'Khách lẻ';

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('a customer made by hand, without org id, keeps its ticket and its identity; the company decides the team', async () => {
    const w = await routedWorld({ generation });
    w.helpdesk.put('HD Customer', { name: handMade, customer_name: handMade });
    const values = { subject: 'x', raised_by: 'khach.la@hopthu.example', custom_orgid: orgId, customer: handMade };
    const name = await w.helpdesk.insertTicket(demo.agent.name, values);
    await settle(w);
    expect(ticketOf(w, name)).toMatchObject({ customer: handMade, group: 'Medium - Scale', status: 'Complete' });
    const record = w.helpdesk.document('HD Customer', handMade);
    expect(record?.custom_platform_orgid ?? null).toBeNull();
    expect(record?.custom_crm_company_id ?? null).toBeNull();
    // Whoever reads the ticket learns nothing of the company but the team.
    const ticket = w.helpdesk.document('HD Ticket', name);
    expect([ticket?.custom_customer_segment, ticket?.custom_platform_service_plan].filter(Boolean)).toEqual([]);
    const [decision] = await decisionsOf(w, name);
    expect(decision).toMatchObject({
      inputs: { org_id: { value: orgId, trust: { level: 'likely' } }, customer: { name: handMade, org_id: null } },
      link: null,
    });
  });
});
