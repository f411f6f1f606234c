import { revisionHeader } from '@deskside/shared/compat';
import type { OrgId } from '@deskside/shared/orgid';
import { Assignment, RoutingDecision, RoutingDecisions } from '@deskside/shared/routing';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { draftOf } from '#adapters/store-sql/testing/decision-draft.ts';
import type { AppEnv } from '#http/context.ts';
import { routingDecisionsRoute } from './routing-decisions.ts';

/** The schema of an extension of revision 1: these were all the reasons that it knew. */
const formerReasons = z.enum([
  'next_in_turn',
  'not_his_turn',
  'away_while_others_are_active',
  'unavailable',
  'agent_inactive',
  'no_agent_record',
  'user_disabled',
]);
const formerCandidates = z.array(z.object({ user: z.string(), reason: formerReasons }));
const FormerDecisions = z.extend(RoutingDecisions, {
  decisions: z.array(z.extend(RoutingDecision, { assignment: z.extend(Assignment, { candidates: formerCandidates }) })),
});

const candidates: Assignment['candidates'] = [
  { user: 'an', reason: 'not_their_turn' },
  { user: 'chi', reason: 'next_in_turn' },
];
const draft = draftOf('7');
const later = { level: 'likely' as const, evidence: [{ code: 'sender_account_of_company' as const }] };
const org_id = { value: '1000069001' as OrgId, source: 'ticket', field: 'custom_orgid', trust: later };
const decision: RoutingDecision = {
  ...draft,
  inputs: { ...draft.inputs, org_id },
  id: '1',
  number: 1,
  assignment: { state: 'assigned', agent: 'chi', candidates },
};

async function answerTo(headers: Record<string, string>): Promise<unknown> {
  const app = new Hono<AppEnv>();
  app.get(
    '/',
    routingDecisionsRoute(async () => ({ ticket: '7', decisions: [decision] })),
  );
  const response = await app.request('/?ticket=7', { headers: { authorization: 'Bearer t', ...headers } });
  expect(response.status).toBe(200);
  return z.object({ data: z.unknown() }).parse(await response.json()).data;
}

test('an extension that names no revision gets the reasons that it knows', async () => {
  const { decisions } = FormerDecisions.parse(await answerTo({}));
  expect(decisions[0]?.assignment.candidates).toEqual([
    { user: 'an', reason: 'not_his_turn' },
    { user: 'chi', reason: 'next_in_turn' },
  ]);
  expect(decisions[0]?.inputs.org_id?.trust).toEqual({ level: 'likely', evidence: [] });
});

test('one that names today’s gets today’s', async () => {
  expect(await answerTo({ [revisionHeader]: '2' })).toEqual({ ticket: '7', decisions: [decision] });
});
