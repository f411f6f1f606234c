/** Parameters as PHP would hold them: strings, JSON values, and maps. Lists are real arrays. */
export type Params = { [name: string]: unknown };

const tooDeep = 32;

/** Reads `filter[A]=1&select[]=B` the way PHP does. Names that only differ by case stay apart. */
export function parsePhpQuery(query: string): Params {
  const root = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(query)) assign(root, pathOf(name), value);
  return plain(root) as Params;
}

function pathOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0) return [name];
  const rest = [...name.slice(open).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  return [name.slice(0, open), ...rest].slice(0, tooDeep);
}

function assign(map: Map<string, unknown>, [head = '', ...rest]: string[], value: string): void {
  const key = head === '' ? String(map.size) : head;
  if (rest.length === 0) {
    map.set(key, value);
    return;
  }
  const inner = map.get(key);
  const next = inner instanceof Map ? inner : new Map<string, unknown>();
  map.set(key, next);
  assign(next, rest, value);
}

/** A map whose keys run 0, 1, 2, … is a list to PHP's JSON encoder. An empty one is `[]`. */
function plain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const keys = [...value.keys()];
  if (keys.length > 0 && keys.every((key, index) => key === String(index))) return [...value.values()].map(plain);
  return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]));
}

/** Serialises a map the way PHP's JSON encoder does: empty or with keys 0, 1, 2, … it becomes a list. */
export function phpMap(entries: readonly (readonly [string, unknown])[]): unknown {
  if (entries.every(([key], index) => key === String(index))) return entries.map(([, value]) => value);
  return Object.fromEntries(entries);
}

/** The value of a parameter whose name is written in any case; classic methods take `filter` and `FILTER`. */
export function param(params: Params, name: string): unknown {
  if (Object.hasOwn(params, name)) return params[name];
  const key = Object.keys(params).find((k) => k.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : params[key];
}

/** Whether a value is a map or a list, PHP's one `array`. */
export function isArray(value: unknown): value is Params {
  return typeof value === 'object' && value !== null;
}

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

/** A failed call as Bitrix24 answers it: `{error, error_description}` under an HTTP status (docs/crm.md#errors). */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: string | number;
  readonly status: number;
  constructor(status: number, code: string | number, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }

  body(): { error: string | number; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}

export const errors = {
  limit: () => new RestError(503, 'QUERY_LIMIT_EXCEEDED', 'Too many requests'),
  operationLimit: () => new RestError(429, 'OPERATION_TIME_LIMIT', 'Method is blocked due to operation time limit.'),
  overload: () => new RestError(503, 'OVERLOAD_LIMIT', 'REST API is blocked due to overload.'),
  credentials: () => new RestError(401, 'INVALID_CREDENTIALS', 'Invalid request credentials'),
  noAuth: () => new RestError(401, 'NO_AUTH_FOUND', 'Wrong authorization data'),
  scope: () =>
    new RestError(
      401,
      'insufficient_scope',
      'The request requires higher privileges than provided by the webhook token',
    ),
  methodNotFound: () => new RestError(404, 'ERROR_METHOD_NOT_FOUND', 'Method not found!'),
  notArray: (name: string) => new RestError(400, '', `Parameter '${name}' must be array.`),
  badArgument: (description: string) => new RestError(400, '', description),
  missingArgument: () => new RestError(400, 100, 'Could not find value for parameter {id}'),
  server: () => new RestError(500, 'INTERNAL_SERVER_ERROR', 'Internal server error'),
  batchLength: () => new RestError(400, 'ERROR_BATCH_LENGTH_EXCEEDED', 'Max batch length exceeded'),
  batchMethod: () => new RestError(405, 'ERROR_BATCH_METHOD_NOT_ALLOWED', 'Method is not allowed for batch usage'),
};
