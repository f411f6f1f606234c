import { contract } from '@deskside/shared/contract';
import { ErrorEnvelope } from '@deskside/shared/envelope';
import { describe, expect, test } from 'vitest';
import type { CompanyEnrichmentInput } from '#customers/enrich.ts';
import { testApp } from '#server/testing/test-app.ts';

const { path } = contract.enrichCompany;
const authorization = 'token key:secret';
type BodyInit = string | FormData;

function setUp() {
  const seen: CompanyEnrichmentInput[] = [];
  const app = testApp({
    verbs: {
      enrichCompany: async (input) => {
        seen.push(input);
        return { status: 'matched' } as const;
      },
    },
  });
  const post = (body: BodyInit | undefined, type?: string, query = '') =>
    app.request(path + query, {
      method: 'POST',
      body,
      headers: { authorization, ...(type && { 'content-type': type }) },
    });
  return { app, seen, post };
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

async function errorOf(response: Response) {
  return { status: response.status, ...ErrorEnvelope.parse(await response.json()).data };
}

describe('bodies', () => {
  const multipart = new FormData();
  multipart.set('orgid', '1000069001');
  multipart.set('force', 'yes');
  test.each<[string, BodyInit, string | undefined]>([
    ['JSON with strings', '{"orgid":"1000069001","force":"1"}', json],
    ['JSON with numbers', '{"orgid":1000069001,"force":1}', `${json}; charset=utf-8`],
    ['a form', 'orgid=1000069001&force=true', form],
    ['a multipart form', multipart, undefined],
    ['JSON of an alias', '{"org_id":1000069001,"force":true}', json],
  ])('%s is read', async (_, body, type) => {
    const { post, seen } = setUp();
    expect((await post(body, type)).status).toBe(200);
    expect(seen).toMatchObject([{ orgid: '1000069001', force: true, hd_customer: null, ticket: null }]);
  });

  test('what stands in the query is read too, the body counting for more', async () => {
    const { post, seen } = setUp();
    await post('{"force":1}', json, '?orgid=5&force=0');
    await post(undefined, undefined, '?orgid=5');
    expect(seen).toMatchObject([
      { orgid: '5', force: true },
      { orgid: '5', force: false },
    ]);
  });

  test.each<[string, BodyInit, string | undefined, string]>([
    ['broken JSON', '{"orgid":', json, 'body'],
    ['a JSON list', '[1]', json, 'body'],
    ['JSON null', 'null', json, 'body'],
    ['XML', '<orgid>1</orgid>', 'application/xml', 'body'],
    ['a multipart form without its boundary', 'x', 'multipart/form-data', 'body'],
    ['an object for an id', '{"orgid":{"$gt":1}}', json, 'orgid'],
    ['a file for an id', fileForm(), undefined, 'orgid'],
    ['a domain for an org id', 'orgid=shop.example', form, 'orgid'],
    ['a switch that is none', '{"orgid":1,"force":"perhaps"}', json, 'force'],
  ])('%s is 400 and says where', async (_, body, type, field) => {
    const { post, seen } = setUp();
    const error = await errorOf(await post(body, type));
    expect(error).toMatchObject({ status: 400, code: 'bad_input', issues: [{ field }] });
    expect(error.issues?.[0]?.message).toMatch(/^Expected/);
    expect(seen).toEqual([]);
  });

  test('a member named like an object’s own is nothing special; of a name that a form repeats the last value counts', async () => {
    const { post, seen } = setUp();
    await post('{"__proto__":{"orgid":"6"},"constructor":1}', json);
    expect((await post('&a&a=1&&orgid=7&force=1&orgid=1000069001&=&x', form)).status).toBe(200);
    expect(seen).toMatchObject([{ orgid: null }, { orgid: '1000069001', force: true }]);
    expect(({} as Record<string, unknown>).orgid).toBeUndefined();
  });

  test.each([
    ['that says so', { 'content-length': '2000000' }],
    ['that does not', {}],
  ])('a body above 64 kB %s is 413', async (_, headers) => {
    const { app, seen } = setUp();
    const large = new Blob(['{"orgid":"1","x":"', 'x'.repeat(64 * 1024), '"}']).stream();
    const request = new Request(`http://p.example${path}`, {
      method: 'POST',
      body: large,
      headers: { authorization, 'content-type': json, ...headers },
      duplex: 'half',
    } as RequestInit);
    expect(await errorOf(await app.request(request))).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(seen).toEqual([]);
  });
});

function fileForm(): FormData {
  const form = new FormData();
  form.set('orgid', new File(['1'], 'id.txt'));
  return form;
}

test('what writes is not to be had by GET, what reads not by PUT, and nothing is without a credential', async () => {
  const { app, post, seen } = setUp();
  for (const { method, path: address } of Object.values(contract)) {
    const other = { method: method === 'POST' ? 'GET' : 'PUT', headers: { authorization } };
    expect((await app.request(address, other)).status, address).toBe(405);
    // A script of another page cannot even ask whether it may.
    expect((await app.request(address, { method: 'OPTIONS' })).status, address).toBe(405);
  }
  for (const headers of [{}, { cookie: 'sid=0123456789abcdef' }])
    expect((await app.request(path, { method: 'POST', headers })).status).toBe(401);
  await post('orgid=1', form);
  expect(seen).toHaveLength(1);
});
