import { expect, test } from 'vitest';
import { medium, small } from '#app/testing/pipeline/pipeline-crm.ts';
import { pipelineWorld, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { judgeClaimAgain, judgeClaimsAgain } from './judge-claims-again.ts';

const sender = { owner: 'evil@mail.example', raisedBy: 'evil@mail.example', viaCustomerPortal: true };

test('only tickets that were decided on a claim come before the pipeline again', async () => {
  const w = pipelineWorld({ claims: 'route' });
  w.tickets.insert('claimed', withOrgId(medium, { origin: sender }));
  w.tickets.insert('without', withOrgId(null, { origin: sender }));
  for (const name of ['claimed', 'without']) await w.run(name);
  await judgeClaimAgain(w, 'without');
  await judgeClaimAgain(w, 'never seen');
  await judgeClaimsAgain(w, [small]);
  expect(await w.inbox.waiting()).toBe(0);
  await judgeClaimsAgain(w, [small, medium]);
  expect(await w.inbox.waitingAmong(['claimed', 'without'])).toEqual(new Set(['claimed']));
});

test('a Sync or a profile judged otherwise has the same effect', async () => {
  const w = pipelineWorld({ claims: 'route' });
  w.tickets.insert('1', withOrgId(medium, { origin: sender }));
  await w.run('1');
  await judgeClaimAgain(w, '1');
  expect(await w.inbox.waiting()).toBe(1);
});
