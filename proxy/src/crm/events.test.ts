import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { memoryStore } from '#store/testing/memory-store.ts';
import { fakeCrm, fakeLayers } from '#testing/fakes.ts';
import { fakeClock } from '#testing/quiet.ts';
import { company } from '#testing/sample-company.ts';
import { type CompanyEvent, eventToken, readEvent } from './crm.ts';
import { lookupCompany } from './lookup.ts';

const form = (members: Record<string, string>) => Buffer.from(new URLSearchParams(members).toString());

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
  expect(readEvent(form({ event, 'data[FIELDS][ID]': id }))).toEqual(expected);
});

test.each(['', '0', '-1', 'abc', '63002 or 1=1', '1'.repeat(21)])('the id %j is none', (id) => {
  const body = form({ event: 'ONCRMCOMPANYUPDATE', 'data[FIELDS][ID]': id });
  expect(readEvent(body)).toEqual({ kind: 'changed', companyId: null });
});

test('what is no form has no token and announces nothing', () => {
  for (const body of ['', '%%%&&&===', '{"auth":{"application_token":"x"}}'].map((text) => Buffer.from(text)))
    expect([eventToken(body), readEvent(body)]).toEqual(['', null]);
});

test.each([
  ['as the CRM writes it', 'event=X&auth%5Bdomain%5D=d&auth%5Bapplication_token%5D=abc&ts=1', 'abc'],
  ['with plain brackets, at the beginning', 'auth[application_token]=abc', 'abc'],
  ['with hexadecimal digits in small letters', 'a=1&auth%5bapplication_token%5d=abc', 'abc'],
  ['encoded', 'auth%5Bapplication_token%5D=a%26b%2Bc+d%C3%A9', 'a&b+c dé'],
  ['the first of several', 'auth[application_token]=abc&auth[application_token]=def', 'abc'],
  ['empty', 'auth[application_token]=&x=abc', ''],
  ['in the value of another', 'x=auth[application_token]=abc', ''],
  ['as the end of another name', 'xauth[application_token]=abc', ''],
])('a token %s', (_, body, token) => {
  expect(eventToken(Buffer.from(body))).toBe(token);
});

const [known, missing] = ['1000069001', '200000376001'] as OrgId[] as [OrgId, OrgId];

test.each<[CompanyEvent, OrgId[], string]>([
  [{ kind: 'changed', companyId: '69001' }, [known], 'the company'],
  [{ kind: 'changed', companyId: '404' }, [], 'what was missing'],
  [{ kind: 'added', companyId: '70000' }, [], 'what was missing'],
  [{ kind: 'added', companyId: null }, [], 'what was missing'],
  [{ kind: 'changed', companyId: null }, [], 'nothing'],
  [{ kind: 'fields_changed', companyId: '7' }, [], 'nothing'],
])('%j: changed are %j, and %3$s is asked for again', async (event, changed, again) => {
  const portal = fakeCrm({ [known]: company(known, {}, { bitrix_id: '69001' }) });
  const crm = fakeLayers({ crm: portal, clock: fakeClock(), cache: memoryStore().profileCache });
  const look = async () => {
    portal.requests.length = 0;
    for (const orgId of [known, missing]) await lookupCompany(crm, { orgId, refresh: false, deadlineMs: 1_000 });
    return portal.asked;
  };
  await look();
  expect(await crm.noteEvent(event)).toEqual(changed);
  expect(await look()).toEqual({ 'the company': [known], 'what was missing': [missing], nothing: [] }[again]);
});
