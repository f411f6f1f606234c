import { type contract, contract as endpoints } from '@deskside/shared/contract';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { world } from '../kit.ts';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: z.core.JSONSchema.JSONSchema }> }>;
}

/** What a program would make of the document: a parser for the answer of an endpoint, by its status. */
async function parsersOf(proxyUrl: string) {
  const document = (await (await fetch(`${proxyUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, z.core.JSONSchema.JSONSchema> };
  };
  return (path: string, method: string, status: number) => {
    const { responses } = document.paths[path]?.[method] ?? { responses: {} };
    const schema = (responses[status] ?? responses.default)?.content?.['application/json']?.schema;
    if (schema === undefined) throw new Error(`Nothing is said of ${status} for ${method} ${path}.`);
    const named = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? '')?.[1];
    return z.fromJSONSchema(named === undefined ? schema : (document.components.schemas[named] ?? false));
  };
}

const ticket = demo.tickets.matched;
const asked: [endpoint: keyof typeof contract, input: object, status?: number][] = [
  ['customerProfile', { ticket }],
  ['customerProfile', { ticket: demo.tickets.notFound }],
  ['customerProfile', { ticket: demo.tickets.missingOrgId }],
  ['customerProfile', { ticket: '999999' }, 404],
  ['customerProfile', {}, 400],
  ['legacyProfile', { ticket }],
  ['aroundTicket', { ticket }],
  ['routingDecisions', { ticket }],
  ['routingToday', { from: String(Date.now() - 3_600_000), to: String(Date.now()) }],
  ['whoami', {}],
  ['discovery', {}],
  ['findCompanies', { ticket, query: 'gốm sứ' }],
  ['enrichCompany', { orgid: '200000376001' }],
  ['syncTicketCustomer', { ticket, company_id: '200000376001', action: 'preview' }],
  ['storeUrlEnrich', { ticket }],
  ['missingAnchor', { anchor: 'app_frame', extension: '1.0.0' }],
];

test('the answers of a running proxy are what its description says, errors too', async () => {
  const { proxyUrl } = await world();
  const parserOf = await parsersOf(proxyUrl);
  for (const [endpoint, input, status = 200] of asked) {
    const { method, path } = endpoints[endpoint];
    const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
    const response = await fetch(proxyUrl + path + query, {
      method,
      headers: {
        authorization: keyOf(endpoint === 'routingToday' || endpoint === 'enrichCompany' ? demo.manager : demo.agent),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(input) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    expect(response.status, `${endpoint}: ${answer.message}`).toBe(status);
    const parser = parserOf(path, method.toLowerCase(), status);
    expect(parser.safeParse(answer).error, endpoint).toBeUndefined();
    // It would notice.
    expect(parser.safeParse({ ...answer, data: 7 }).success, endpoint).toBe(false);
  }
});
