import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { decisionsOf, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const day = 24 * 3_600_000;

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('a ticket is forgotten when it has been closed for RETENTION_DAYS, and is not decided again when it is reopened', async () => {
    const time = { ahead: 0 };
    const w = await routedWorld({
      generation,
      clock: () => Date.now() + time.ahead,
      environment: { RETENTION_DAYS: '60' },
    });
    const insert = async () => {
      const name = await w.helpdesk.insertTicket(demo.portal.name, { subject: 'x', custom_orgid: '200000376001' });
      await settle(w);
      return name;
    };
    const setStatus = (name: string, status: string) => {
      const document = w.helpdesk.document('HD Ticket', name);
      w.helpdesk.put('HD Ticket', { ...document, name, status });
    };
    const [closed, open] = [await insert(), await insert()];
    setStatus(closed, 'Closed');

    time.ahead = 59 * day;
    await w.cleanUp();
    for (const name of [closed, open]) expect(await decisionsOf(w, name)).toHaveLength(1);

    time.ahead = 61 * day;
    await w.cleanUp();
    expect(await decisionsOf(w, closed)).toEqual([]);
    expect(await decisionsOf(w, open)).toHaveLength(1);

    const before = ticketOf(w, closed);
    setStatus(closed, 'Open');
    await w.pipeline.sweep(true);
    await settle(w);
    expect(await decisionsOf(w, closed)).toEqual([]);
    expect(ticketOf(w, closed)).toEqual(before);
  });
});
