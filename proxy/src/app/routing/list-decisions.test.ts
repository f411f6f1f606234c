import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import { expect, test, vi } from 'vitest';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Store } from '#store/store.ts';
import { listDecisions } from './list-decisions.ts';

const linked = { level: 'confirmed' as const, evidence: [{ code: 'linked_by_agent' as const, value: 'chi' }] };
const decision = {
  ticket: '7',
  inputs: { org_id: { value: '1' as OrgId, source: 'ticket', field: 'custom_orgid', trust: linked } },
  assignment: {
    state: 'assigned',
    agent: 'an',
    candidates: [
      { user: 'an', reason: 'next_in_turn' },
      { user: 'binh', reason: 'not_their_turn' },
    ],
  },
} as unknown as RoutingDecision;

function listWith(userNames: HelpdeskTickets['userNames'], decisions = [decision]) {
  const gate = { openTicket: async () => ({ ticket: { name: '7' } }) } as unknown as AgentGate;
  const kept = { list: async () => decisions } as unknown as Store['decisions'];
  const { signal } = new AbortController();
  return listDecisions(
    { gate, decisions: kept, helpdesk: { userNames } },
    { caller: {} as never, ticket: '7' },
    signal,
  );
}

test('whoever a decision mentions is named', async () => {
  const userNames = vi.fn(async () => new Map([['an', 'Nguyễn Hoài An']]));
  expect((await listWith(userNames)).names).toEqual({ an: 'Nguyễn Hoài An' });
  expect(userNames).toHaveBeenCalledWith(['an', 'binh', 'chi'], expect.anything());
});

test('nobody is asked about where there is nobody, and without names the decisions are there all the same', async () => {
  const userNames = vi.fn(async () => Promise.reject(new HelpdeskError('unavailable', 'down')));
  expect(await listWith(userNames, [])).toEqual({ ticket: '7', decisions: [], names: {} });
  expect(userNames).not.toHaveBeenCalled();
  expect(await listWith(userNames)).toEqual({ ticket: '7', decisions: [decision], names: {} });
});
