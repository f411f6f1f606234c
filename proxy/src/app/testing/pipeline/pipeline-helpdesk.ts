import { hdCustomer, oneHelpdesk } from '#app/testing/fake-helpdesk.ts';
import { fakeRecords } from '#app/testing/fake-records.ts';
import { fakeTickets, service } from '#app/testing/fake-tickets.ts';
import { fakeClock } from '#app/testing/fakes.ts';
import { newDesk } from '#app/testing/former-desk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import { cs, grow, scale } from './pipeline-rules.ts';

/**
 * A helpdesk with three teams: its tickets are the fake's, its customers a simulated helpdesk's behind the real adapter. A
 * customer that a test gives a ticket is one of those once the ticket is read.
 */
export function pipelineHelpdesk() {
  const clock = fakeClock();
  const tickets = fakeTickets(clock);
  tickets.addTeam(scale, ['an@desk.example', 'binh@desk.example']);
  tickets.addTeam(grow, ['dung@desk.example']);
  tickets.addTeam(cs, ['hoa@desk.example', 'khoa@desk.example', 'linh@desk.example']);
  const desk = newDesk({}, clock);
  const records = fakeRecords(desk);

  const customerNow = (name: string) => hdCustomer(name, desk.simulator.document('HD Customer', name));
  const ofTickets: Pick<HelpdeskTickets, 'readPipelineTicket'> &
    Pick<HelpdeskRecords, 'readTicketLink' | 'linkTicket'> = {
    async readPipelineTicket(name, signal) {
      const { file, ...read } = await tickets.readPipelineTicket(name, signal);
      if (file.customer === null) return { file, ...read };
      const { name: customer, record } = file.customer;
      if (!records.customers.has(customer)) desk.save('HD Customer', customer, { ...record });
      return { file: { ...file, customer: customerNow(customer) }, ...read };
    },
    async readTicketLink(name, signal) {
      const { file, modified } = await tickets.readPipelineTicket(name, signal);
      return { name, customer: file.ticket.customer, modified };
    },
    async linkTicket({ name, modified }, customer) {
      if (tickets.tickets.get(name)?.modified !== modified) return 'changed_meanwhile';
      tickets.setsCustomer(name, customer === null ? null : customerNow(customer), service);
      return 'linked';
    },
  };
  return {
    clock,
    tickets,
    records,
    helpdesk: oneHelpdesk(ofTickets, tickets, oneHelpdesk(records, desk.helpdesk, {})),
  };
}
