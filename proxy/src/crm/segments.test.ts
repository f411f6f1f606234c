import { expect, test } from 'vitest';
import { fakeCrm, fakeLayers } from '#testing/fakes.ts';
import { fakeClock } from '#testing/quiet.ts';
import { company } from '#testing/sample-company.ts';
import { CrmFailure } from './rest.ts';

const hour = 3_600_000;
const coded = company('1', {}, { customer_segment: '15092', customer_segment_code: '15092' });

function setUp(read: () => Map<string, string> = () => new Map([['15092', 'Medium']])) {
  const clock = fakeClock();
  let readings = 0;
  const portal = Object.assign(fakeCrm(), {
    readSegmentNames: async () => {
      readings += 1;
      return read();
    },
  });
  const crm = fakeLayers({ crm: portal, clock });
  const nameOf = (one = coded) => crm.nameSegments([one])[0]?.fields.customer_segment;
  return { clock, crm, nameOf, readings: () => readings };
}

test('an unknown code is given as it is, at once, and by its name as soon as that has been read', async () => {
  const { nameOf, readings } = setUp();
  expect(nameOf()).toBe('15092');
  await expect.poll(() => nameOf()).toBe('Medium');
  expect(readings()).toBe(1);
});

test('a segment that the configuration names, and a company without one, ask for nothing', async () => {
  const { nameOf, readings } = setUp();
  expect(nameOf(company('1', {}, { customer_segment: 'Vừa', customer_segment_code: '15092' }))).toBe('Vừa');
  expect(nameOf(company('1'))).toBeNull();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(readings()).toBe(0);
});

test('names are kept for hours, and read again when the CRM says that its fields changed', async () => {
  const { clock, crm, nameOf, readings } = setUp();
  nameOf();
  await expect.poll(() => nameOf()).toBe('Medium');
  clock.advance(6 * hour - 1);
  expect(nameOf()).toBe('Medium');
  expect(readings()).toBe(1);
  crm.forgetSegments();
  expect(nameOf()).toBe('Medium');
  await expect.poll(readings).toBe(2);
});

test.each<[string, () => Map<string, string>]>([
  [
    'a reading that fails',
    () => {
      throw new CrmFailure('insufficient_scope');
    },
  ],
  ['a code that is not among the names', () => new Map()],
])('%s is not tried again for ten minutes', async (_, read) => {
  const { clock, nameOf, readings } = setUp(read);
  nameOf();
  await expect.poll(readings).toBe(1);
  for (let i = 0; i < 20; i += 1) expect(nameOf()).toBe('15092');
  clock.advance(600_000);
  nameOf();
  await expect.poll(readings).toBe(2);
});
