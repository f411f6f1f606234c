import type { IncomingMessage } from 'node:http';
import { type Params, parsePhpQuery } from './php-params.ts';
import { errors } from './rest-error.ts';

/** A REST call as it came: who it says it is, which method, with which parameters. */
export interface RestCall {
  userId: string;
  secret: string;
  /** Lower case, without suffix. */
  method: string;
  params: Params;
}

/** The user, secret and method of a REST path, `/rest/<user>/<secret>/<method>[.json][/]`; null for another path. */
export function parseRestPath(path: string): Omit<RestCall, 'params'> | null {
  const match = /^\/rest\/(?:api\/)?([^/]+)\/([^/]+)\/([^/]*?)(?:\.json)?\/?$/.exec(path);
  if (!match) return null;
  const [, userId = '', secret = '', method = ''] = match;
  return { userId, secret, method: method.toLowerCase() };
}

/** Parameters of the query and of the body, which wins; the body is JSON or a form (docs/crm.md#calling). */
export function readParams(query: string, contentType: string, body: string): Params {
  const fromQuery = parsePhpQuery(query);
  if (body.trim() === '') return fromQuery;
  if (!contentType.includes('json')) return { ...fromQuery, ...parsePhpQuery(body) };
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null) return { ...fromQuery, ...parsed };
  } catch {}
  throw errors.missingArgument();
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
