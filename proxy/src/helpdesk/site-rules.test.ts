import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { automationsOnTickets, createAdminClient, neededByCustomers } from './admin.ts';
import { generations, signal, useSimulatedSite } from './testing/simulated-site.ts';

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  it('enabled rules and scripts on tickets are listed, and that the site has no flows is no error', async () => {
    const { simulator } = site;
    const script = { script_type: 'DocType Event', reference_doctype: 'HD Ticket', doctype_event: 'Before Insert' };
    simulator.put('Server Script', { name: 'Sets', ...script, disabled: 0, script: 'doc.agent_group = "A"' });
    simulator.put('Server Script', { name: 'Off', ...script, disabled: 1, script: 'doc.agent_group = "A"' });
    simulator.put('Server Script', { name: 'Else', ...script, reference_doctype: 'Contact', disabled: 0, script: '' });
    simulator.put('Assignment Rule', { name: 'Mine', document_type: 'HD Ticket', disabled: 0 });
    const admin = createAdminClient(site.upstream, `${demo.administrator.apiKey}:${demo.administrator.apiSecret}`);
    const found = await automationsOnTickets(admin, signal);
    expect(found).toEqual(
      expect.arrayContaining([
        { kind: 'Assignment Rule', name: 'Mine', routes: true },
        { kind: 'Server Script', name: 'Sets', routes: true },
      ]),
    );
    expect(found.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['Off', 'Else']));
  });
});

it('flows on tickets are listed as soon as a site has them', async () => {
  const rows = {
    'Automation Flow': [
      { name: 'By plan', document_type: 'HD Ticket', enabled: 1, steps: '[{"SetFieldValue":"agent_group"}]' },
      { name: 'Closed', reference_doctype: 'HD Ticket', enabled: 0 },
      { name: 'Mail', reference_doctype: 'HD Ticket', enabled: 1 },
    ],
  };
  const list = async (doctype: string) => rows[doctype as 'Automation Flow'] ?? [];
  expect(await automationsOnTickets({ list }, signal)).toEqual([
    { kind: 'Automation Flow', name: 'By plan', routes: true },
    { kind: 'Automation Flow', name: 'Mail', routes: false },
  ]);
});

it('a customer needs what is mandatory, has no default and is not given by us', () => {
  const field = (fieldname: string, more: object = {}) => ({
    ...{ fieldname, label: fieldname.toUpperCase(), required: true, default: '' },
    ...more,
  });
  const fields = [
    field('customer_name'),
    field('industry'),
    field('vat', { label: '' }),
    field('kind', { default: 'Shop' }),
    field('note', { required: false }),
  ];
  expect(neededByCustomers(fields)).toEqual(['INDUSTRY', 'vat']);
});
