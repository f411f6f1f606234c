import { callProxy } from '@deskside/shared/client';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import { demo } from '@deskside/simulators/seed/index';
import { keyOf } from '../integration/key-of.ts';
import { teamOf } from '../integration/team-of.ts';
import type { Inserted } from './work.ts';

interface Todo {
  allocated_to: string;
  reference_name: string;
  status: string;
  description: string;
}

/** Every assignment of the helpdesk, whatever became of it. */
export async function assignmentsIn(helpdesk: HelpdeskSimulator): Promise<Todo[]> {
  const fields = ['allocated_to', 'reference_name', 'status', 'description'];
  return list(helpdesk, 'ToDo', { fields, filters: [['description', 'like', 'Auto round-robin%']] });
}

/** Rows of a DocType. On a connection of its own: one that was kept may be closed by the server at the same moment. */
async function list<T>({ url }: HelpdeskSimulator, doctype: string, query: Record<string, unknown>): Promise<T[]> {
  const parameters = Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]);
  const search = new URLSearchParams([...parameters, ['limit_page_length', '0']] as [string, string][]);
  const headers = { authorization: keyOf(demo.service), connection: 'close' };
  const answer = await fetch(`${url}/api/resource/${doctype}?${search}`, { headers });
  return ((await answer.json()) as { data: T[] }).data;
}

/** What is not yet as it should be with a ticket; empty once it is done. */
export function unfinished(helpdesk: HelpdeskSimulator, ticket: Inserted, assignments: readonly Todo[]): string[] {
  const document = helpdesk.document('HD Ticket', ticket.name);
  const open = assignments.filter((one) => one.reference_name === ticket.name && one.status === 'Open');
  const [team, status] = ticket.orgId ? [teamOf(ticket.orgId), 'Complete'] : ['CS 60p', 'Missing OrgID'];
  const found = {
    team: document?.agent_group,
    status: document?.custom_platform_profile_status,
    assigned: open.length,
  };
  const wanted = { team, status, assigned: 1 };
  return (Object.keys(wanted) as (keyof typeof wanted)[])
    .filter((key) => found[key] !== wanted[key])
    .map((key) => `ticket ${ticket.name}: ${key} is ${found[key]}, not ${wanted[key]}`);
}

/** Customers of which there are two for one org id. */
export async function doubledCustomers(helpdesk: HelpdeskSimulator): Promise<string[]> {
  const fields = ['custom_platform_orgid'];
  const customers = await list<{ custom_platform_orgid: string | null }>(helpdesk, 'HD Customer', { fields });
  const orgIds = customers.map((one) => one.custom_platform_orgid).filter(Boolean);
  return orgIds.filter((orgId, nth) => orgIds.indexOf(orgId) !== nth).map((orgId) => `two customers of ${orgId}`);
}

/** As one finding, with what was decided on the ticket, latest first: it cannot be looked up once the run has ended. */
export async function withDecisions(baseUrl: string, ticket: Inserted, found: string[]): Promise<string[]> {
  if (found.length === 0) return [];
  const answer = await decisionsOn(baseUrl, ticket.name);
  const told = answer.ok
    ? answer.data.decisions.map(({ cause, state, inputs, outcome, assignment }) =>
        [
          cause,
          state,
          outcome.team,
          `fallback ${outcome.fallback}`,
          assignment.state,
          outcome.reason,
          inputs.customer?.name,
        ]
          .filter(Boolean)
          .join(', '),
      )
    : [answer.error.code];
  return [[...found, ...told.map((decision) => `decided: ${decision}`)].join('\n  ')];
}

function decisionsOn(baseUrl: string, ticket: string) {
  return callProxy('routingDecisions', { ticket }, { baseUrl, authorization: keyOf(demo.service) });
}

/** Everybody else is away for the whole run. */
function isThere({ reason }: { reason: string }): boolean {
  return reason === 'next_in_turn' || reason === 'not_their_turn';
}

/**
 * Teams in which somebody had two turns more than somebody else. Everybody was there all the time, so one is the most.
 * A decision that was finished again after a crash names the same agent: it is one turn.
 */
export async function unfairTeams(baseUrl: string, tickets: readonly Inserted[]): Promise<string[]> {
  const turns = new Map<string, Map<string, number>>();
  const seen = new Set<string>();
  for (const { name } of tickets) {
    const answer = await decisionsOn(baseUrl, name);
    if (!answer.ok) return [`the decisions on ticket ${name} cannot be read: ${answer.error.code}`];
    for (const { outcome, assignment } of answer.data.decisions) {
      const { agent, candidates } = assignment;
      const key = JSON.stringify([name, outcome.team, agent]);
      if (outcome.team === null || agent === null || seen.has(key)) continue;
      seen.add(key);
      const team = turns.get(outcome.team) ?? new Map(candidates.filter(isThere).map(({ user }) => [user, 0]));
      turns.set(outcome.team, team.set(agent, (team.get(agent) ?? 0) + 1));
    }
  }
  return [...turns].flatMap(([team, had]) =>
    Math.max(...had.values()) - Math.min(...had.values()) > 1 ? [`turns in ${team}: ${JSON.stringify([...had])}`] : [],
  );
}
