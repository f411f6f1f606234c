import { alsoPosted, contract, type Endpoint } from '@deskside/shared/contract';
import { Envelope, ErrorEnvelope } from '@deskside/shared/envelope';
import { errorStatuses } from '@deskside/shared/status';
import * as z from 'zod';
import { others, securitySchemes, summaries } from './described.ts';

/** The parts of JSON Schema that the document has. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  [keyword: string]: unknown;
}

interface Parameter {
  name: string;
  in: 'query';
  required: boolean;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  summary: string;
  security: readonly Record<string, readonly []>[];
  parameters?: Parameter[];
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

/** Describes the contract and the endpoints beside it, from the schemas that both sides parse with (docs/api.md). */
export function describeApi(version: string): OpenApi {
  const endpoints = Object.keys(contract) as Endpoint[];
  const paths: OpenApi['paths'] = {};
  for (const name of endpoints) paths[contract[name].path] = { [method(name)]: operationOf(name) };
  for (const name of alsoPosted) {
    const operation = { ...operationOf(name, 'post'), operationId: `${name}ByPost` };
    paths[contract[name].path] = { ...paths[contract[name].path], post: operation };
  }
  for (const [path, about] of Object.entries(others)) {
    const { method: by, summary, security } = about;
    const schema: Schema = 'envelope' in about ? { $ref: '#/components/schemas/Envelope' } : { type: 'string' };
    const content = { ['type' in about ? about.type : 'application/json']: { schema } };
    const status = 'status' in about ? about.status : 200;
    const operationId = path.slice(1).replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
    const responses = { [status]: { description: 'As asked for.', content }, ...errors };
    paths[path] = { [by]: { operationId, summary, security, responses } };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Deskside', version, description: "The customer's CRM file beside the helpdesk ticket." },
    paths,
    components: {
      securitySchemes,
      schemas: { Envelope: schemaOf(Envelope, 'output'), Error: schemaOf(ErrorEnvelope, 'output') },
    },
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

function method(name: Endpoint): 'get' | 'post' {
  return contract[name].method === 'GET' ? 'get' : 'post';
}

function operationOf(name: Endpoint, by = method(name)): Operation {
  const { input, data } = contract[name];
  const given = schemaOf(input, 'input');
  const fields = Object.entries(given.properties ?? {});
  const required = new Set(given.required);
  const parameters = fields.map(
    ([field, schema]): Parameter => ({ name: field, in: 'query', required: required.has(field), schema }),
  );
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
      ? { requestBody: { content: { ...json(given), 'application/x-www-form-urlencoded': { schema: given } } } }
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
  return described as Schema;
}
