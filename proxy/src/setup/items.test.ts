import { expect, test } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { carryOut, type Item } from './items.ts';

const item = (what: string, make: NonNullable<Item['make']> = async () => null, needs?: Item['needs']): Item => ({
  what,
  state: 'create',
  make,
  ...(needs && { needs }),
});
const failing = (kind: 'rejected' | 'timeout') => async () => {
  throw new HelpdeskError(kind, 'It is refused.');
};

async function carried(items: Item[], answer: string | null = 'y', mode: 'plan' | 'ask' | 'yes' = 'ask') {
  const said: string[] = [];
  const io = { print: (text: string) => void said.push(text), ask: answer === null ? null : async () => answer };
  return { code: await carryOut(items, ['Mind this.'], io, mode), out: said.join('\n') };
}

test('the printed items are aligned, with the warnings below', async () => {
  const kept: Item = { what: 'B', state: 'conflict', detail: 'kept' };
  const { out, code } = await carried([{ what: 'A field', state: 'exists' }, kept, item('A long name')], null, 'plan');
  expect(out.split('\n')).toEqual([
    'State            What         Detail',
    '---------------  -----------  ------',
    'exists           A field',
    'CONFLICT         B            kept',
    'will be created  A long name',
    '',
    'Warning: Mind this.',
    '',
    'This was only the plan: 1 change, none made.',
  ]);
  expect(code).toBe(0);
});

test('what fails is said, the rest goes on, and what needs it is not tried', async () => {
  const row = item('row', failing('rejected'));
  const field = item('field', async () => null, { items: [row], why: 'a row is missing' });
  const { code, out } = await carried([row, field, item('other', async () => 'It is new.')]);
  expect(code).toBe(1);
  expect(out).toContain(
    'FAILED  row: It is refused.\nFAILED  field: not tried: a row is missing\ndone    other. It is new.',
  );
  expect(out).toContain('2 of 3 changes failed; run this again to complete them.');
});

test('a helpdesk that goes away is not asked again and again', async () => {
  const { out } = await carried(['a', 'b', 'c'].map((what) => item(what, failing('timeout'))));
  expect(out).toContain('FAILED  b: It is refused.\nFAILED  c: not tried: the helpdesk does not respond');
});

test.each([
  ['n', 'Nothing was changed.'],
  ['', 'Nothing was changed.'],
  [null, 'run this again with --yes.'],
])('an answer of %j makes nothing', async (answer, says) => {
  const made: string[] = [];
  const { code, out } = await carried([item('x', async () => made.push('x'))], answer);
  expect({ code, made }).toEqual({ code: 2, made: [] });
  expect(out).toContain(says);
});

test('a fault of ours ends it', async () => {
  const bug = async () => {
    throw new TypeError('ours');
  };
  await expect(carried([item('x', bug)])).rejects.toThrow('ours');
});
