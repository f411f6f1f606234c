import type { AroundTicket, CustomerTicket } from '@deskside/shared/around';
import type { VerbOutput } from '#messaging/protocol.ts';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** For tests: another ticket of an invented customer. */
export function sampleTicket(name: string, change: Partial<CustomerTicket> = {}): CustomerTicket {
  return {
    name,
    path: `/helpdesk/tickets/${name}`,
    subject: `Subject of ${name}`,
    status: 'Open',
    team: 'CS 60p',
    assignees: ['Nguyễn Hoài An'],
    created_at: hoursAgo(3),
    closed_at: null,
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
    contact: { name: 'Nguyễn Thị Mẫu', path: '/helpdesk/contacts/M%E1%BA%ABu' },
    open: [sampleTicket('9')],
    more_open: false,
    closed: [sampleTicket('8', { status: 'Closed', closed_at: hoursAgo(48) })],
    last_contact: { at: hoursAgo(1), ticket: { name: '9', path: '/helpdesk/tickets/9' } },
    ...change,
  };
}

/** For tests of the panel's other parts: the answer of a proxy that does not know the request, so there is no section. */
export const withoutAround: VerbOutput<'around.get'> = {
  ok: false,
  error: { code: 'route_not_found' },
};
