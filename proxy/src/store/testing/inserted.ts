import type { InsertedTicket } from '#helpdesk/tickets.ts';

/** A ticket as a webhook may tell of it, apart from the given changes. */
export function insertedTicket(changes: Partial<InsertedTicket> = {}): InsertedTicket {
  return {
    creation: '2026-05-08 07:00:00.000000',
    owner: 'an@desk.example',
    raisedBy: 'Vy@Shop.example',
    contact: 'Vy',
    agentGroup: null,
    splitFrom: null,
    orgIdFields: [],
    ...changes,
  };
}
