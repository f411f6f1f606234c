import { contract } from '@deskside/shared/contract';
import { expect, test } from 'vitest';
import { describeApi, type OpenApi } from './openapi.ts';
import { everySurface, testApp } from './testing/test-app.ts';

/** An app with every endpoint that a configuration can bring. */
const app = testApp(everySurface);

const document: OpenApi = describeApi('1.2.3');

test('every endpoint of the contract is described as it is served, and nothing else', () => {
  const paths = new Set<string>(Object.values(contract).map(({ path }) => path));
  const served = app.routes.filter(({ method, path }) => method !== 'ALL' && paths.has(path));
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.length).toBeGreaterThanOrEqual(paths.size);
  expect(described.sort()).toEqual([...new Set(served.map(({ method, path }) => `${method} ${path}`))].sort());
});

test('what goes in is what the contract parses: names, what is needed, closed lists', () => {
  const { customerProfile, missingAnchor } = contract;
  expect(document.paths[customerProfile.path]?.get?.parameters).toMatchObject([
    { name: 'ticket', in: 'query', required: true, schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    { name: 'refresh', in: 'query', required: false },
    { name: 'known', in: 'query', required: false },
  ]);
  expect(document.paths[missingAnchor.path]?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { anchor: { enum: ['ticket_header', 'app_frame', 'ticket_column', 'ticket_fields'] } },
    required: ['anchor', 'extension'],
    additionalProperties: false,
  });
});

test('every reference leads somewhere, and operations have names of their own', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(refs.length).toBeGreaterThan(0);
  expect(refs.filter((name) => !Object.hasOwn(document.components.schemas, name ?? ''))).toEqual([]);
  const operations = Object.values(document.paths).flatMap(({ get, post }) => [get, post].filter((one) => one));
  expect(new Set(operations.map((one) => one?.operationId)).size).toBe(operations.length);
  const schemes = new Set(operations.flatMap((one) => one?.security.flatMap((names) => Object.keys(names)) ?? []));
  expect([...schemes].filter((name) => !Object.hasOwn(document.components.securitySchemes, name))).toEqual([]);
});
