import { describe, expect, test } from 'vitest';
import * as decisions from '#store/decisions.ts';
import { medium } from '#testing/sample-companies.ts';
import { type PipelineWorld, pipelineWorld, standing, withOrgId } from './testing/pipeline-kit.ts';
import { scale } from './testing/pipeline-rules.ts';

describe('a customer that the helpdesk refuses', () => {
  test.each([
    [
      'a mandatory field',
      (w: PipelineWorld) => w.desk.addRule('HD Customer', { reqd: 1 }),
      'HD Customer needs Industry',
    ],
    [
      'an account that may not write it',
      (w: PipelineWorld) => w.desk.closeCustomers(),
      "Deskside's account may not write HD Customer",
    ],
  ])('for %s: the ticket is routed at once, and says why', async (_, setUp, refusal) => {
    const w = pipelineWorld();
    setUp(w);
    w.desk.insert('1', withOrgId(medium));
    expect(await w.run('1')).toBeNull();
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(standing(w, '1').reason).toContain(`No customer was written: ${refusal}.`);
    expect(w.desk.routingOf('1')).toMatchObject({ status: 'Complete', error: `Helpdesk: ${refusal}.` });
    expect((await decisions.latest(w.db, w.desk.keyOf('1')))?.inputs.write_refused).toBe(refusal);
    expect(w.desk.writes.filter((write) => write.startsWith('create'))).toEqual([]);
  });

  test('is asked for once, not again with every look at the ticket', async () => {
    const w = pipelineWorld();
    w.desk.addRule('HD Customer', { reqd: 1 });
    w.desk.insert('1', withOrgId(medium));
    await w.run('1');
    const reads = w.desk.reads;
    await w.run('1');
    expect(w.desk.reads - reads).toBeLessThan(3);
  });
});
