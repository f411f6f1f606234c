import { alsoPosted, contract, type EndpointName } from '@deskside/shared/contract';
import { ErrorEnvelope } from '@deskside/shared/envelope';
import { errorStatuses } from '@deskside/shared/status';
import * as z from 'zod';

/** What each endpoint of the contract is for, in a line (docs/api.md). */
const summaries: Readonly<Record<EndpointName, string>> = {
  customerProfile: "A ticket's customer: company, account owner, and who vouches for them.",
  legacyProfile: 'The same in the shape that an older panel reads.',
  refreshCustomer: 'Asks the CRM about a customer and writes what is new.',
  enrichCompany: 'Looks a company up by org id, and writes the customer and the link of the ticket.',
  syncTicketCustomer: 'Links a ticket to a company: preview, apply, undo.',
  rejectCompany: "Says that a company is not the sender's, or takes that back.",
  storeUrlEnrich: "Finds org id and platform domain in a ticket's own words.",
  findCompanies: 'Companies that an agent may mean by what they typed.',
  routingDecisions: 'Every decision on a ticket, newest first.',
  routingToday: 'What all teams got on a day, what waits and why; for the role Agent Manager.',
  aroundTicket: "Other tickets of a ticket's customer.",
  missingAnchor: 'The extension misses its place on a page of the helpdesk.',
  whoami: 'Whose the credential is; for agents also what the set-up lacks.',
  discovery: 'Public: version, address of the helpdesk, OAuth client ids.',
};

/** How callers show who they are (docs/api.md#callers). */
const securitySchemes = {
  helpdesk_token: { type: 'http', scheme: 'bearer', description: "OAuth2 token of the helpdesk, of the agent's own." },
  helpdesk_key: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'API key of a helpdesk user, as `token key:secret`.',
  },
} as const;

type Schema = z.core.JSONSchema.BaseSchema;

interface Operation {
  operationId: string;
  summary: string;
  security: readonly Record<string, readonly []>[];
  parameters?: { name: string; in: 'query'; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

/** An OpenAPI 3.1 document, as far as this service fills one. */
export interface OpenApi {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string };
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: { securitySchemes: typeof securitySchemes; schemas: Record<string, Schema> };
}

const agentsOnly: Operation['security'] = [{ helpdesk_token: [] }, { helpdesk_key: [] }];

/** Describes the contract, from the schemas that both sides parse with (docs/api.md). */
export function describeApi(version: string): OpenApi {
  const endpoints = Object.keys(contract) as EndpointName[];
  const paths: OpenApi['paths'] = {};
  for (const name of endpoints) paths[contract[name].path] = { [method(name)]: operationOf(name) };
  for (const name of alsoPosted) {
    const operation = { ...operationOf(name, 'post'), operationId: `${name}ByPost` };
    paths[contract[name].path] = { ...paths[contract[name].path], post: operation };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Deskside', version, description: "The customer's CRM file beside the helpdesk ticket." },
    paths,
    components: { securitySchemes, schemas: { Error: schemaOf(ErrorEnvelope, 'output') } },
  };
}

const errors = {
  default: {
    description: `An error; data.code is one of ${Object.entries(errorStatuses)
      .map(([code, status]) => `${code} (${status})`)
      .join(', ')}.`,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
};

function method(name: EndpointName): 'get' | 'post' {
  return contract[name].method === 'GET' ? 'get' : 'post';
}

function operationOf(name: EndpointName, by = method(name)): Operation {
  const { input, data } = contract[name];
  const sent = schemaOf(input, 'input');
  const required = new Set(sent.required);
  const parameters = Object.entries(sent.properties ?? {}).map(([field, schema]) => ({
    name: field,
    in: 'query' as const,
    required: required.has(field),
    schema: schema as Schema,
  }));
  const answer: Schema = {
    type: 'object',
    properties: { success: { const: true }, data: schemaOf(data, 'output'), message: { type: 'string' } },
    required: ['success', 'data', 'message'],
  };
  const json = (schema: Schema) => ({ 'application/json': { schema } });
  return {
    operationId: name,
    summary: summaries[name],
    security: name === 'discovery' ? [] : agentsOnly,
    ...(by === 'post'
      ? { requestBody: { content: { ...json(sent), 'application/x-www-form-urlencoded': { schema: sent } } } }
      : parameters.length > 0 && { parameters }),
    responses: { 200: { description: 'What was asked for.', content: json(answer) }, ...errors },
  };
}

/** What a transform makes of a value has no schema of its own: what goes in is described, or anything. */
function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // A later version may say more.
      if (io === 'output') delete jsonSchema.additionalProperties;
    },
  });
  return described;
}
