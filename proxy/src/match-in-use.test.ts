import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import { type InUse, matchInUse } from './testing/match-in-use.ts';

// The first seed was looked at while the rules were made, the second never.
const worlds = sized<readonly Pick<InUse, 'seed' | 'generation'>[]>({
  small: [{ seed: 1 }, { seed: 2, generation: '1.24' }],
  full: [{ seed: 1 }, { seed: 2 }, { seed: 1, generation: '1.24' }, { seed: 2, generation: '1.24' }],
});

test.each(worlds)(
  'a helpdesk with 300 customers made by hand ($seed, $generation): certain is never wrong, nine of ten are found, and of those named nine of ten are right',
  async (world) => {
    const figures = await matchInUse({ ...world, customers: 300, speed: 20 });
    process.stdout.write(`customers match: ${JSON.stringify({ ...world, ...figures })}\n`);
    expect(figures).toMatchObject({ wrong: [], limitErrors: 0 });
    expect(figures.found / figures.have).toBeGreaterThanOrEqual(0.9);
    expect(figures.found / figures.named).toBeGreaterThanOrEqual(0.9);
    expect(figures.certain).toBeGreaterThan(figures.have / 3);
  },
);
