import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, signal, useSimulatedSite } from '#adapters/helpdesk-frappe/testing/simulated-site.ts';
import type { InsertedTicket } from '#ports/helpdesk/helpdesk-tickets.ts';

const stranger = demo.forger.name;
const orgId = '4000000001';

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  /** A ticket that an agent made for the stranger, with what might be its original. */
  async function copyOf(
    values: Record<string, unknown>,
    copied: Record<string, unknown>,
    splitFrom: string | null = null,
  ) {
    const { simulator, upstream } = await site.another(() => {});
    const helpdesk = site.adapter({ upstream });
    const original = await simulator.insertTicket(stranger, {
      subject: 'Giúp tôi',
      description: '<p>Máy in</p>',
      ...values,
    });
    const name = await simulator.insertTicket(demo.agent.name, {
      subject: 'Khác',
      description: '<p>Khác</p>',
      raised_by: stranger,
      ...copied,
    });
    const ticket = await helpdesk.readPipelineTicket(name, signal);
    const { owner, raisedBy } = ticket.file.ticket.origin;
    const ids = [{ field: 'custom_orgid', value: orgId }];
    const rest = { agentGroup: null, splitFrom: splitFrom === null ? null : original, orgIdFields: ids };
    const inserted: InsertedTicket = { creation: ticket.creation, owner, raisedBy, ...rest };
    const originals = async () => (await helpdesk.findOriginals(ticket, inserted, signal)).map((one) => one.name);
    const put = (changed: string, as: typeof demo.agent, saved: object) =>
      fetch(`${simulator.url}/api/resource/HD Ticket/${changed}`, {
        method: 'PUT',
        headers: { authorization: `token ${as.apiKey}:${as.apiSecret}`, 'content-type': 'application/json' },
        body: JSON.stringify(saved),
      });
    return { simulator, helpdesk, original, name, originals, put };
  }

  it.each([
    ['with its subject', {}, { subject: ' Giúp tôi ' }],
    ['with its description', {}, { description: '<div>Máy in</div>' }],
    [
      'of another sender, with the org id',
      { raised_by: 'x@hopthu.example', custom_orgid: orgId },
      { subject: 'Giúp tôi' },
    ],
  ])('a ticket may be a copy of an earlier one %s', async (_, values, copied) => {
    const { original, originals } = await copyOf(values, copied);
    expect(await originals()).toEqual([original]);
  });

  it('is none of a ticket that says something else, unless the sender has written to that since', async () => {
    const { simulator, original, originals } = await copyOf({}, {});
    expect(await originals()).toEqual([]);
    const changed = { subject: 'x', modified: '2099-01-01 00:00:00.000000' };
    for (const [by, found] of [
      [demo.service.name, []],
      [stranger, [original]],
    ] as const) {
      const document = { ...simulator.document('HD Ticket', original), name: original, ...changed, modified_by: by };
      simulator.put('HD Ticket', document);
      expect(await originals()).toEqual(found);
    }
  });

  it('is one of a ticket whose text was changed, whoever has written to it after that', async () => {
    const { put, original, originals } = await copyOf({}, {});
    await put(original, demo.service, { priority: 'High' });
    expect(await originals()).toEqual([]);
    await put(original, demo.forger, { subject: 'x', description: 'x' });
    await put(original, demo.service, { priority: 'Low' });
    expect(await originals()).toEqual([original]);
  });

  it('the logs of many that were written to since are read together, a few at a time', async () => {
    const { simulator, original, originals } = await copyOf({}, {});
    const changed = { subject: 'x', modified: '2099-01-01 00:00:00.000000', modified_by: demo.service.name };
    const document = { ...simulator.document('HD Ticket', original), ...changed };
    for (let n = 0; n < 10; n += 1) simulator.put('HD Ticket', { ...document, name: String(9_000 + n) });
    const held: (() => void)[] = [];
    simulator.latency = ({ path }) =>
      path.endsWith('get_docinfo') ? new Promise((answer) => held.push(() => answer())) : 0;
    const found = originals();
    for (const together of [4, 4, 2]) {
      await expect.poll(() => held.length).toBe(together);
      for (const answer of held.splice(0)) answer();
    }
    expect(await found).toEqual([]);
  });

  it('is of the one that it was split from, whatever that says', async () => {
    const { original, originals } = await copyOf({}, {}, 'split');
    expect(await originals()).toEqual([original]);
  });

  it('the log of saves says who put which address in the sender’s place, the newest first', async () => {
    const { put, helpdesk, name } = await copyOf({}, {});
    await put(name, demo.agent, { subject: 'y' });
    await put(name, demo.forger, { raised_by: demo.portal.name });
    const versions = await helpdesk.readVersions(name, signal);
    expect(versions.slice(0, 2)).toEqual([
      { by: stranger, raisedBy: { from: stranger, to: demo.portal.name }, textChanged: false },
      { by: demo.agent.name, textChanged: true },
    ]);
  });
});
