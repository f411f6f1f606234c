import type { SyncData } from '@deskside/shared/enrichment';
import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { sampleApplied, sampleSync } from '#testing/sample-sync.ts';
import { appliedSentence, previewSentence, undoSentences } from './sync-sentence.ts';

const en = textsFor('en');
const vi = textsFor('vi');
const name = 'Tiệm 77';
const fields = (count: number) => Array.from({ length: count }, (_, at) => ({ field: `f${at}`, from: null, to: 'x' }));
const linkedTo = (customer: string | null) => ({ name: '1', customer, previous_customer: customer, linked: false });
const known = { name, created: false };

test.each<[string, Partial<SyncData>, string, string]>([
  [
    'a ticket without customer',
    { ticket: linkedTo(null), customer: known, changes: fields(8) },
    'Links this ticket to Tiệm 77 and updates 8 fields.',
    'Gắn phiếu này với Tiệm 77 và cập nhật 8 trường.',
  ],
  [
    'a customer in place of another one',
    { ticket: linkedTo('Khách lẻ'), customer: known, changes: fields(1) },
    'Links this ticket to Tiệm 77 instead of Khách lẻ and updates 1 field.',
    'Gắn phiếu này với Tiệm 77 thay cho Khách lẻ và cập nhật 1 trường.',
  ],
  [
    'a new customer',
    { ticket: linkedTo(null), customer: { name, created: true }, changes: fields(9) },
    'Creates the customer Tiệm 77 with 9 fields and links this ticket to it.',
    'Tạo khách hàng Tiệm 77 với 9 trường và gắn phiếu này với khách hàng đó.',
  ],
  [
    'a record that is linked already',
    { ticket: linkedTo(name), customer: known, changes: fields(3) },
    'Updates 3 fields of Tiệm 77.',
    'Cập nhật 3 trường của Tiệm 77.',
  ],
  [
    'the ticket’s own customer, made by hand',
    { ticket: linkedTo(name), customer: { ...known, adopted: true }, changes: fields(3) },
    'Makes Tiệm 77 this company’s customer and updates 3 fields.',
    'Chọn Tiệm 77 làm khách hàng của công ty này và cập nhật 3 trường.',
  ],
  ['nothing to do', { ticket: linkedTo(name), customer: known, changes: [] }, '', ''],
])('a preview in one sentence: %s', (_, change, english, vietnamese) => {
  expect(previewSentence(sampleSync(change), en, 'confirmed')).toBe(english);
  expect(previewSentence(sampleSync(change), vi, 'confirmed')).toBe(vietnamese);
});

test('that a sync confirms the match is said where nothing else would change, and of a likely match', () => {
  const linked = { ticket: linkedTo(name), customer: known };
  const confirms = 'onfirms that this is the sender’s company.';
  expect(previewSentence(sampleSync({ ...linked, changes: [] }), en, 'claimed')).toBe(`C${confirms}`);
  expect(previewSentence(sampleSync({ ...linked, changes: fields(2) }), en, 'likely')).toContain(`and c${confirms}`);
  // A warning says so.
  expect(previewSentence(sampleSync({ ...linked, changes: fields(2) }), en, 'claimed')).not.toContain(confirms);
});

test('what a sync has done', () => {
  expect(appliedSentence(sampleApplied({ customer: known, changes: fields(2) }), en)).toBe(
    'This ticket is linked to Tiệm Hoa Mẫu - 1000069001. 2 fields of its record were updated.',
  );
  expect(appliedSentence(sampleApplied({ customer: known, changes: [] }), en)).not.toContain('field');
  expect(appliedSentence(sampleApplied(), en)).toContain('The customer is new.');
});

test.each<[string, Partial<SyncData>, string[]]>([
  [
    'the former customer',
    { customer: known },
    ['to Khách lẻ again', 'on the customer’s record stays', 'stays with its team and agent'],
  ],
  [
    'no customer',
    { customer: known, ticket: { name: '1', customer: name, previous_customer: null, linked: true } },
    ['takes the customer off'],
  ],
  [
    'a confirmation only',
    { customer: known, ticket: { ...linkedTo(name), linked: true } },
    ['takes back your confirmation', 'keeps its customer'],
  ],
  ['a new customer', {}, ['The new customer Tiệm Hoa Mẫu - 1000069001 stays in the helpdesk']],
  [
    'an adopted one',
    { customer: { ...known, adopted: true } },
    ['Tiệm 77 gets its earlier data back', 'stays with its team and agent'],
  ],
])('before Undo is pressed it is said what it takes back and what stays: %s', (_, change, words) => {
  const said = undoSentences(sampleApplied(change), en);
  for (const word of words) expect(said).toContain(word);
});
