import { describe, expect, test } from 'vitest';
import { EnrichmentInput, IntakeInput, RefreshInput, SyncInput } from './enrichment-input.ts';

type Schema = typeof EnrichmentInput | typeof IntakeInput | typeof RefreshInput | typeof SyncInput;
const problems = (schema: Schema, input: unknown) =>
  schema.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message.split(' ')[0]]);

describe('enrichment', () => {
  test.each([
    [{ orgid: '1000069001' }, '1000069001'],
    [{ orgid: 200000376001 }, '200000376001'],
    [{ org_id: ' 12345 ' }, '12345'],
    [{ haravan_orgid: '007' }, '007'],
    [{ orgid: '', org_id: null, haravan_orgid: '5' }, '5'],
    [{ orgid: '1', org_id: '2' }, '1'],
    [{}, null],
    [{ orgid: '  ' }, null],
    [{ orgid: null }, null],
    [{ orgid: 0 }, null],
    [{ orgid: '000' }, null],
    [{ orgid: '100' }, '100'],
  ])('%j asks for org id %j', (input, orgId) => {
    expect(EnrichmentInput.parse(input).orgid).toBe(orgId);
  });

  test.each([['shop.myplatform.example'], ['12.5'], ['1'.repeat(21)], ['-5']])(
    '%j is no org id, and the field at fault is named',
    (orgid) => {
      expect(problems(EnrichmentInput, { orgid })).toEqual([['orgid', 'Expected']]);
      expect(problems(EnrichmentInput, { org_id: orgid })).toEqual([['org_id', 'Expected']]);
    },
  );

  test('a number too large to be exact is refused instead of becoming another id', () => {
    expect(problems(EnrichmentInput, { orgid: 2 ** 53 })).toEqual([['orgid', 'Expected']]);
  });

  test.each(['ticket', 'ticket_name', 'hd_ticket'])('%s names the ticket, as text or number', (name) => {
    expect(EnrichmentInput.parse({ [name]: 61307 }).ticket).toBe('61307');
    expect(EnrichmentInput.parse({ [name]: '0035' }).ticket).toBe('0035');
    expect(problems(EnrichmentInput, { [name]: 'x'.repeat(141) })).toEqual([[name, 'Expected']]);
  });

  test('names the customer to write, if one is given and can be one', () => {
    expect(EnrichmentInput.parse({ hd_customer: 'Acme' })).toMatchObject({ hd_customer: 'Acme', ticket: null });
    expect(EnrichmentInput.parse({ hd_customer: ' ' })).toMatchObject({ hd_customer: null });
    expect(problems(EnrichmentInput, { hd_customer: 'x'.repeat(141) })).toEqual([['hd_customer', 'Expected']]);
  });

  test.each([
    ['1', true],
    [' Yes ', true],
    [1, true],
    ['TRUE', true],
    ['on', true],
    ['false', false],
    ['0', false],
    [undefined, false],
  ])('force %j is %j', (force, forced) => {
    expect(EnrichmentInput.parse({ force }).force).toBe(forced);
  });
});

describe('sync', () => {
  test('names the customer to adopt, if one is given and can be one', () => {
    const input = { ticket: '1', company_id: '5' };
    expect(SyncInput.parse({ ...input, adopt: 'Acme' })).toMatchObject({ adopt: 'Acme' });
    expect(SyncInput.parse({ ...input, adopt: '' })).toMatchObject({ adopt: null });
    expect(SyncInput.safeParse({ ...input, adopt: 'x'.repeat(141) }).success).toBe(false);
  });

  test('applies unless told otherwise, and takes the company id under three names', () => {
    for (const name of ['company_id', 'orgid', 'org_id'])
      expect(SyncInput.parse({ ticket: '1', [name]: 5 }).company_id).toBe('5');
    expect(SyncInput.parse({ ticket: '1', org_id: 5, bitrix_id: 63001 })).toEqual({
      ticket: '1',
      company_id: '5',
      bitrix_id: '63001',
      action: 'apply',
      sync_id: null,
      expected_customer: null,
      adopt: null,
      reroute: false,
    });
  });

  test('an undo without sync_id, a missing ticket and an unknown action are named', () => {
    expect(problems(SyncInput, { ticket: '1', action: 'undo' })).toEqual([['sync_id', 'Expected']]);
    expect(problems(SyncInput, {})?.map(([field]) => field)).toEqual(['ticket']);
    expect(problems(SyncInput, { ticket: '1', action: 'destroy' })?.map(([field]) => field)).toEqual(['action']);
  });
});

test('refresh needs a customer; an empty contact is none', () => {
  expect(RefreshInput.parse({ hd_customer: 'Shop - 1', contact: '' })).toEqual({
    hd_customer: 'Shop - 1',
    contact: null,
  });
  for (const missing of [{}, { hd_customer: '' }])
    expect(problems(RefreshInput, missing)?.map(([field]) => field)).toEqual(['hd_customer']);
});

test('a store address is given as it was meant, and needs a ticket', () => {
  expect(IntakeInput.parse({ ticket_name: 61307, store_url: ' tiemhoamau.example ' })).toEqual({
    ticket: '61307',
    store_url: 'tiemhoamau.example',
  });
  for (const name of ['ticket', 'ticket_name', 'hd_ticket'])
    expect(IntakeInput.parse({ [name]: '5' })).toEqual({ ticket: '5', store_url: null });
  expect(problems(IntakeInput, { store_url: 'a.example' })?.map(([field]) => field)).toEqual(['ticket']);
  expect(problems(IntakeInput, { ticket: '1', store_url: 'a'.repeat(2_001) })?.map(([field]) => field)).toEqual([
    'store_url',
  ]);
});
