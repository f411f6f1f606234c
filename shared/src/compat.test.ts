import { expect, test } from 'vitest';
import { callProxy } from './client.ts';
import { toRevision, trustForRevision } from './compat.ts';
import { CrmBlock } from './profile.ts';
import type { RoutingDecision } from './routing.ts';

const decision: RoutingDecision = {
  id: '1',
  ticket: '7',
  number: 1,
  cause: 'webhook',
  decided_at: '2026-11-20T12:00:00.000Z',
  state: 'applied',
  inputs: {
    org_id: null,
    customer: null,
    ticket_segment: null,
    ticket_status: 'Open',
    agent_group: null,
    crm: null,
    findings: [],
    meta_failures: [],
  },
  outcome: {
    team: 'CS 60p',
    segment: 'SME',
    shopplan: 'SME',
    service_plan: null,
    segment_source: 'default',
    status: 'Missing OrgID',
    error: '',
    reason: 'Auto-routed: Missing OrgID.',
    fallback: null,
    rules: [{ rule: 'missing_orgid', hit: true }],
  },
  assignment: {
    state: 'assigned',
    agent: 'an',
    candidates: [
      { user: 'an', reason: 'next_in_turn' },
      { user: 'chi', reason: 'not_their_turn' },
    ],
  },
  link: null,
};

async function ask(answered: object[], seen: Request[] = []) {
  const data = { ticket: '7', decisions: answered };
  return callProxy(
    'routingDecisions',
    { ticket: '7' },
    {
      baseUrl: 'https://p.example',
      authorization: 'Bearer t',
      fetch: async (...args) => {
        seen.push(new Request(...args));
        return Response.json({ success: true, data, message: '' });
      },
    },
  );
}

test('a client names its revision and reads what a proxy of this one answers', async () => {
  const seen: Request[] = [];
  expect(await ask([decision], seen)).toMatchObject({ ok: true, data: { decisions: [decision] } });
  expect(seen[0]?.headers.get('deskside-contract')).toBe('3');
});

test('a client reads what an older proxy answers', async () => {
  const { candidates } = decision.assignment;
  const older = {
    ...decision,
    assignment: { ...decision.assignment, candidates: [candidates[0], { user: 'chi', reason: 'not_his_turn' }] },
  };
  expect(await ask([older])).toMatchObject({ ok: true, data: { decisions: [decision] } });
});

test('any other reason that is not known is a bad answer', async () => {
  const other = { ...decision, assignment: { ...decision.assignment, candidates: [{ user: 'an', reason: 'other' }] } };
  expect(await ask([other])).toMatchObject({ ok: false, error: { code: 'bad_answer' } });
});

test.each([undefined, '', '1', 'two'])('revision %j gets the words of revision 1', (revision) => {
  const [older] = toRevision(revision, [decision]);
  expect(older?.assignment.candidates.map(({ reason }) => reason)).toEqual(['next_in_turn', 'not_his_turn']);
});

test.each(['sync', 'sync_undone'])('the cause %s is told to older clients in words that they have', (cause) => {
  const causeFor = (revision: string) => toRevision(revision, [{ ...decision, cause }])[0]?.cause;
  expect(['3', '2', '1'].map(causeFor)).toEqual([cause, 'confirmed', 'repair']);
});

test('a client of revision 1 is told the level without evidence that it has no words for', () => {
  const known = { code: 'value_on_ticket' };
  const trust = { level: 'likely', evidence: [{ code: 'sender_account_of_company' }, known] };
  expect(trustForRevision('1', trust)).toEqual({ level: 'likely', evidence: [known] });
  expect(trustForRevision('2', trust)).toBe(trust);
  expect(trustForRevision(undefined, null)).toBeNull();
});

test.each(['2', '3'])('revision %s gets the words of today', (revision) => {
  expect(toRevision(revision, [decision])).toEqual([decision]);
});

test('a profile of a proxy that knows of no other companies names none', () => {
  expect(CrmBlock.shape.also_named.parse(undefined)).toEqual([]);
});
