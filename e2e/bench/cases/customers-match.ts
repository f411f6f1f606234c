import { matchInUse } from '@deskside/proxy/testing/match-in-use';
import type { BenchCase } from '../frame/case.ts';
import type { Row } from '../frame/row.ts';

/**
 * The first day: which companies customers are that people made by hand, judged against the truth, on the seed that was
 * looked at while the rules were made and on one that never was; and how long a desk of 2,000 takes within the ordinary
 * plan's limits, with nobody else asking. One round: the time passes eight times as fast.
 */
export const customersMatch: BenchCase = {
  name: 'customers-match',
  isSlow: true,
  async measure({ isSmall }) {
    const seeds = [await ofSeed(1, isSmall ? 30 : 300), await ofSeed(2, isSmall ? 30 : 300)];
    const large = await matchInUse({ seed: 3, customers: isSmall ? 30 : 2_000, speed });
    const found = seeds.map(({ found, have, certain }, nth): Row[] => [
      {
        measure: `300 customers made by hand, seed ${nth + 1}: whose company certain or likely names`,
        unit: '%',
        ours: [Math.round((found / have) * 1_000) / 10],
        goal: { is: 'at least', value: 90, of: 'ours' },
      },
      { measure: `300 customers made by hand, seed ${nth + 1}: certain`, unit: '', ours: [certain] },
    ]);
    return [
      ...found.flat(),
      {
        measure: 'certain and wrong',
        unit: '',
        ours: [[...seeds, large].reduce((sum, { wrong }) => sum + wrong.length, 0)],
        goal: { is: 'at most', value: 0, of: 'ours' },
      },
      {
        measure: '2,000 customers matched in the CRM’s spare budget',
        unit: 's',
        ours: [large.seconds],
      },
      { measure: 'requests to the CRM for 2,000 customers', unit: '', ours: [large.requests] },
      {
        measure: 'refusals by the CRM’s limit meanwhile',
        unit: '',
        ours: [large.limitErrors],
        goal: { is: 'at most', value: 0, of: 'ours' },
      },
    ];
  },
};

const speed = 8;
const ofSeed = (seed: number, customers: number) => matchInUse({ seed, customers, speed });
