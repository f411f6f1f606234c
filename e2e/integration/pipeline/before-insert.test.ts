import { desiredScript, scriptText } from '@deskside/proxy/before-insert-script';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import type { DemoWorld } from '../../demo/world.ts';
import { decisionsOf } from '../kit.ts';
import { nativeRules, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const secret = 'before-insert-secret';
const environment = { HELPDESK_SCRIPT_SECRET: secret };
const medium = { subject: 'Không in được đơn', custom_orgid: '200000376001' };

/** The site has the script that `provision --before-insert` writes. */
function installScript({ helpdesk, proxyUrl }: Pick<DemoWorld, 'helpdesk' | 'proxyUrl'>, header = secret): void {
  const script = scriptText(proxyUrl, header);
  helpdesk.put('Server Script', { name: 'Deskside: before insert', ...desiredScript, disabled: 0, script });
}

/** What the script sets, apart from the reason, which names where the segment is from. */
function fieldsOf({ helpdesk }: DemoWorld, name: string) {
  const fields = ['agent_group', 'custom_customer_segment', 'custom_shopplan', 'custom_platform_service_plan'];
  const ticket = helpdesk.document('HD Ticket', name);
  return Object.fromEntries([...fields, 'custom_platform_profile_status'].map((field) => [field, ticket?.[field]]));
}

const insert = ({ helpdesk }: Pick<DemoWorld, 'helpdesk'>) =>
  helpdesk.insertTicket(demo.portal.name, medium, { portal: true });

describe.each(['1.24', '1.28'] as const)('Before Insert on Helpdesk %s', (generation) => {
  test('what is known already decides before the insert, and is known again after it', async () => {
    const w = await routedWorld({ generation, environment });
    nativeRules(w, false);
    const first = await insert(w);
    await settle(w);
    expect((await decisionsOf(w, first))[0]?.cause).toBe('webhook');
    installScript(w);
    const second = await insert(w);
    expect(ticketOf(w, second)).toMatchObject({ group: 'Medium - Scale', status: 'Complete' });
    const set = fieldsOf(w, second);
    // Nothing of the company but its team: the insert may have filled in a stranger's contact.
    expect(set).toMatchObject({ custom_customer_segment: undefined, custom_platform_service_plan: undefined });
    await settle(w);
    const [decision] = await decisionsOf(w, second);
    expect(decision).toMatchObject({
      cause: 'before_insert',
      inputs: { agent_group: { name: 'Medium - Scale', set_by: 'deskside' } },
      assignment: { state: 'assigned' },
    });
    // The team stays: the pipeline decides the same.
    const after = { custom_customer_segment: 'Medium', custom_shopplan: 'Medium Scale' };
    expect(fieldsOf(w, second)).toMatchObject({ agent_group: set.agent_group, ...after });
    const turns = [first, second].map((name) => ticketOf(w, name).assigned);
    expect(turns).toEqual([['an@support.example'], ['binh@support.example']]);
  });

  test('a customer of the helpdesk decides where the CRM was never asked, and one of two does not', async () => {
    const w = await routedWorld({ generation, environment });
    installScript(w);
    const { helpdesk } = w;
    const values = {
      custom_platform_orgid: '700000000001',
      custom_customer_segment: 'Medium',
      custom_shopplan_name: 'Grow 2',
    };
    const inserted = () =>
      helpdesk.insertTicket(demo.portal.name, { ...medium, custom_orgid: '700000000001' }, { portal: true });
    helpdesk.put('HD Customer', { name: 'Tiệm bánh', ...values });
    const known = helpdesk.document('HD Ticket', await inserted());
    expect(known).toMatchObject({
      agent_group: 'Medium - Grow',
      custom_platform_routing_reason:
        'Auto-routed: Customer Segment=-, Shopplan=-, Source=claim. Target team=Medium - Grow.',
    });
    expect([known?.custom_customer_segment, known?.custom_platform_service_plan]).toEqual([undefined, undefined]);
    helpdesk.put('HD Customer', { name: 'Tiệm bánh 2', ...values });
    expect(ticketOf(w, await inserted()).group).toBeNull();
  });

  test('nothing known, a wrong secret, or no proxy: the ticket is saved without a group, and the pipeline routes it', async () => {
    const w = await routedWorld({ generation, environment });
    installScript(w);
    w.helpdesk.put('HD Customer', { name: 'Gốm Sứ Làng Mơ - 200000376001', custom_customer_segment: '' });
    const unknown = await insert(w);
    expect(ticketOf(w, unknown).group).toBeNull();
    installScript(w, 'another-secret-entirely');
    const refused = await insert(w);
    expect(ticketOf(w, refused).group).toBeNull();
    installScript({ ...w, proxyUrl: 'http://127.0.0.1:1' });
    const down = await insert(w);
    expect(ticketOf(w, down).group).toBeNull();
    await settle(w);
    for (const name of [unknown, refused, down]) expect(ticketOf(w, name).group).toBe('Medium - Scale');
  });
});
