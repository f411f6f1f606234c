import { expect, test } from 'vitest';
import { readEvent } from './read-event.ts';

const form = (members: Record<string, string>) => new URLSearchParams(members).toString();

test.each([
  ['ONCRMCOMPANYUPDATE', '63002', { kind: 'changed', companyId: '63002' }],
  ['oncrmcompanyupdate ', ' 63002 ', { kind: 'changed', companyId: '63002' }],
  ['ONCRMCOMPANYDELETE', '63002', { kind: 'changed', companyId: '63002' }],
  ['ONCRMCOMPANYADD', '70000', { kind: 'added', companyId: '70000' }],
  ['ONCRMCOMPANYUSERFIELDSETENUMVALUES', '7', { kind: 'fields_changed', companyId: '7' }],
  ['ONCRMCOMPANYUSERFIELDUPDATE', '', { kind: 'fields_changed', companyId: null }],
  ['ONCRMCONTACTUPDATE', '7003', null],
  ['ONTASKADD', '1', null],
  ['', '', null],
])('%s of %s', (event, id, expected) => {
  expect(readEvent(form({ event, 'data[FIELDS][ID]': id })).event).toEqual(expected);
});

test.each(['', '0', '-1', 'abc', '63002 or 1=1', '1'.repeat(21)])('the id %j is none', (id) => {
  const body = form({ event: 'ONCRMCOMPANYUPDATE', 'data[FIELDS][ID]': id });
  expect(readEvent(body).event).toEqual({ kind: 'changed', companyId: null });
});

test('what is no form has no token and announces nothing', () => {
  for (const body of ['', '%%%&&&===', '{"auth":{"application_token":"x"}}'])
    expect(readEvent(body)).toEqual({ token: '', event: null });
});
