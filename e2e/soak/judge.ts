import { callProxy } from '@deskside/shared/client';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { type assignmentsOf, teamOf } from '../integration/pipeline-kit.ts';

/** A ticket that came in, and what it names: null for one without org id. */
export interface Inserted {
  name: string;
  orgId: string | null;
}

/** What is not yet as it should be with a ticket, in one line; empty once it is done. */
export function unfinished(
  helpdesk: HelpdeskSimulator,
  { name, orgId }: Inserted,
  assignments: Awaited<ReturnType<typeof assignmentsOf>>,
): string[] {
  const document = helpdesk.document('HD Ticket', name);
  const open = assignments.filter((one) => one.reference_name === name && one.status === 'Open').length;
  const found = `${document?.agent_group}, ${document?.custom_platform_profile_status}, ${open} assigned`;
  const wanted = `${orgId ? `${teamOf(orgId)}, Complete` : 'CS 60p, Complete'}, 1 assigned`;
  return found === wanted ? [] : [`ticket ${name}: ${found}; not ${wanted}`];
}

/** Customers of which there are two for one org id. */
export async function doubledCustomers(helpdesk: HelpdeskSimulator): Promise<string[]> {
  const customers = helpdesk.documents('HD Customer');
  const orgIds = customers.map((one) => one.custom_platform_orgid).filter(Boolean);
  return orgIds.filter((orgId, nth) => orgIds.indexOf(orgId) !== nth).map((orgId) => `two customers of ${orgId}`);
}

/**
 * Teams in which somebody had two turns more than somebody else. Everybody who may get tickets was there all the time, so one
 * is the most. A decision that was finished again after a crash names the same agent: it is one turn.
 */
export async function unfairTeams(baseUrl: string, tickets: readonly Inserted[]): Promise<string[]> {
  const turns = new Map<string, Map<string, number>>();
  const counted = new Set<string>();
  for (const { name } of tickets) {
    const answer = await callProxy(
      'routingDecisions',
      { ticket: name },
      { baseUrl, authorization: keyOf(demo.service) },
    );
    if (!answer.ok) return [`the decisions on ticket ${name} cannot be read: ${answer.error.code}`];
    for (const { outcome, assignment } of answer.data.decisions) {
      const key = `${name} ${outcome.team} ${assignment.agent}`;
      if (outcome.team === null || assignment.agent === null || counted.has(key)) continue;
      counted.add(key);
      const present = assignment.candidates.filter(({ reason }) => /^(next_in_turn|not_their_turn)$/.test(reason));
      const team = turns.get(outcome.team) ?? new Map(present.map(({ user }) => [user, 0]));
      turns.set(outcome.team, team.set(assignment.agent, (team.get(assignment.agent) ?? 0) + 1));
    }
  }
  return [...turns].flatMap(([team, had]) =>
    Math.max(...had.values()) - Math.min(...had.values()) > 1 ? [`turns in ${team}: ${JSON.stringify([...had])}`] : [],
  );
}
