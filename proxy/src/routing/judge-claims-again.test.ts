import { expect, test } from 'vitest';
import * as tickets from '#store/tickets.ts';
import { medium, small } from '#testing/sample-companies.ts';
import { judgeClaimsAgain, judgeTicketAgain } from './retry.ts';
import { byStranger, pipelineWorld, withOrgId } from './testing/pipeline-kit.ts';

test('only tickets that were decided on a claim come before the pipeline again', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  w.desk.insert('claimed', withOrgId(medium, byStranger));
  w.desk.insert('without', withOrgId(null, byStranger));
  for (const name of ['claimed', 'without']) await w.run(name);
  await judgeTicketAgain(w.ctx, w.desk.keyOf('without'));
  await judgeTicketAgain(w.ctx, { ...w.desk.keyOf('without'), name: 'never seen' });
  await judgeClaimsAgain(w.ctx, [small]);
  expect(await tickets.waiting(w.db)).toBe(0);
  await judgeClaimsAgain(w.ctx, [small, medium]);
  expect(w.rows.waiting).toEqual(['claimed']);
});

test('a Sync or a profile judged otherwise has the same effect', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  w.desk.insert('1', withOrgId(medium, byStranger));
  await w.run('1');
  await judgeTicketAgain(w.ctx, w.desk.keyOf('1'));
  expect(await tickets.waiting(w.db)).toBe(1);
});
