import type { AroundTicket, CustomerTicket } from '@deskside/shared/around';
import type { VerbOutput } from '#messaging/protocol.ts';

/** For tests: another ticket of an invented customer. */
export function sampleTicket(name: string, change: Partial<CustomerTicket> = {}): CustomerTicket {
  return {
    ...{ name, path: `/helpdesk/tickets/${name}`, subject: `Subject of ${name}`, status: 'Open', is_open: true },
    ...{ team: 'CS 60p', created_at: new Date(Date.now() - 3 * 3_600_000).toISOString() },
    ...change,
  };
}

/** For tests: what surrounds a ticket of that customer. */
export function sampleAround(change: Partial<AroundTicket> = {}): AroundTicket {
  return {
    ticket: '61307',
    customer: {
      name: 'Tiệm Hoa Mẫu - 1000069001',
      path: '/helpdesk/customers/Ti%E1%BB%87m',
      linked: true,
      trust: 'confirmed',
    },
    recent: [sampleTicket('9'), sampleTicket('8', { status: 'Closed', is_open: false })],
    counts: { open: 2, in_90_days: 12, all: 41, is_more: false },
    ...change,
  };
}

/** For tests of the panel's other parts: the answer of a proxy that does not know the request, so there is no section. */
export const withoutAround: VerbOutput<'around.get'> = {
  ok: false,
  error: { code: 'route_not_found' },
};
