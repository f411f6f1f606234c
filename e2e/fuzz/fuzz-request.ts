import { createHmac } from 'node:crypto';
import { contract } from '@deskside/shared/contract';
import { operatorContract, operatorHeader } from '@deskside/shared/operator/contract';
import { demo } from '@deskside/simulators/seed/index';
import type { Random } from '@deskside/simulators/seed/random';

/** One request as bytes. Who sends one that is not whole has to leave by himself. */
export interface FuzzRequest {
  bytes: Buffer;
  isWhole: boolean;
}

export const webhookSecret = 'fuzz-webhook-secret-c4n4ry';
export const scriptSecret = 'fuzz-script-secret-c4n4ry';
export const eventToken = 'fuzz-event-token-c4n4ry';
/** Where browsers would have the operator page. */
export const publicUrl = 'http://localhost:1';

const afterInsert = '/webhooks/helpdesk/ticket/after-insert';
const beforeInsert = '/webhooks/helpdesk/ticket/before-insert';
const crmEvent = '/webhooks/crm/company';
const routes = [
  ...[...Object.values(contract), ...Object.values(operatorContract)].map(({ method, path }) => ({ method, path })),
  ...['', '/sign-in', '/callback', '/assets/x.js'].map((path) => ({ method: 'GET', path: `/operator${path}` })),
  { method: 'GET', path: '/livez' },
  ...['/readyz', '/metrics', '/openapi.json', '/docs'].map((path) => ({ method: 'GET', path })),
  ...[afterInsert, beforeInsert, crmEvent].map((path) => ({ method: 'POST', path })),
];
const odd = ['/', '//livez', '/api/method/', '/API/whoami', '/livez/', '/livez%00', '/%2e%2e/x', '/a\\b', '*', 'livez'];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'get'];
const names = [
  ...['ticket', 'ticket_name', 'hd_ticket', 'refresh', 'force', 'orgid', 'org_id', 'haravan_orgid', 'company_id'],
  ...['hd_customer', 'contact', 'bitrix_id', 'action', 'sync_id', 'expected_customer', 'store_url', 'name', 'key'],
  ...['owner', 'custom_orgid', 'agent_group', 'event', 'data[FIELDS][ID]', 'auth[application_token]', '__proto__'],
  'query',
];
const goodValues = [
  ...Object.values(demo.tickets),
  ...['200000376001', '1000069001', 'Gốm Sứ Làng Mơ - 200000376001', 'preview', 'apply', 'undo', '1', '0', 'yes'],
  ...['f406078a-e7ad-40ae-8040-d587741e5a1e', 'https://127.0.0.1/admin', 'ONCRMCOMPANYUPDATE', 'CS 60p', eventToken],
];
const badValues: unknown[] = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\u202e', '🧨'.repeat(50), 'x'.repeat(141), 'x'.repeat(20_000)],
  ...[
    "1' or '1'='1",
    '../../etc/passwd',
    '%00',
    '<script>',
    '{{7*7}}',
    '1e9',
    '-1',
    '9'.repeat(400),
    'NaN',
    '\r\nx: y',
  ],
  ...[0, -1, 1.5, 2 ** 53, 1e308, true, false, null, [], {}, [['a']], { $gt: '' }, { length: 1e9 }],
];

/** A request to any route, by a caller with this Authorization header, mostly wrong in one way or another. */
export function fuzzRequest(random: Random, authorization: string, mayBeSigned: boolean): FuzzRequest {
  const route = random.pick(routes);
  const path = random.chance(0.05) ? random.pick(odd) : route.path;
  const method = random.chance(0.08) ? random.pick(methods) : route.method;
  const hasBody = method !== 'GET' ? random.chance(0.95) : random.chance(0.05);
  const { type, body } = hasBody ? bodyOf(random, path) : { type: '', body: Buffer.alloc(0) };
  const headers: [name: string, value: string][] = [['host', hostOf(random)]];
  if (random.chance(0.97)) headers.push(['connection', 'close']);
  if (authorization && random.chance(0.98)) headers.push(['authorization', authorization]);
  if (type) headers.push(['content-type', type]);
  if (mayBeSigned && random.chance(0.9)) headers.push(...signatureOf(path, body));
  if (random.chance(0.1)) headers.push(oddHeader(random));
  const isChunked = hasBody && random.chance(0.1);
  if (isChunked) headers.push(['transfer-encoding', 'chunked']);
  const missing = hasBody && !isChunked && random.chance(0.02) ? 1 + random.int(50) : 0;
  if (hasBody && !isChunked) headers.push(['content-length', String(body.length + missing)]);
  const head = `${method} ${targetOf(random, path)} HTTP/1.${random.chance(0.99) ? 1 : 0}\r\n`;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const sent = isChunked ? chunked(body) : body;
  const bytes = Buffer.concat([Buffer.from(`${head}${lines}\r\n`), sent]);
  const cut = random.chance(0.02);
  const isWhole = !cut && missing === 0;
  return { bytes: cut ? bytes.subarray(0, 1 + random.int(bytes.length)) : bytes, isWhole };
}

/** A request to any route whose parts are very many, deep, wide or the same, in as many bytes as are taken, or more. */
export function costlyRequest(random: Random, authorization: string): FuzzRequest {
  const { method, path } = random.pick(routes);
  const isPost = method === 'POST';
  const { type, body } = isPost ? costlyBody(random) : { type: '', body: Buffer.alloc(0) };
  const query = isPost ? '' : `?${random.pick(costlyForms)(14_000)}`;
  const headers: [name: string, value: string][] = [
    ...[['host', 'proxy.example'] as [string, string], ['connection', 'close'] as [string, string]],
    ...(isPost ? [['content-type', type] as [string, string]] : []),
    ...(authorization ? [['authorization', authorization] as [string, string]] : []),
    ...signatureOf(path, body),
    [operatorHeader, '1'],
    ['origin', publicUrl],
    ['content-length', String(body.length)],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return {
    bytes: Buffer.concat([Buffer.from(`${method} ${path}${query} HTTP/1.1\r\n${lines}\r\n`), body]),
    isWhole: true,
  };
}

/** Text that is put together of so many pieces that it has about this length. */
const filled = (length: number, piece: (n: number) => string) =>
  Array.from({ length: Math.floor(length / piece(0).length) }, (_, n) => piece(n))
    .join('')
    .slice(0, length);

const costlyForms: ((length: number) => string)[] = [
  (length) => filled(length, () => '&a'),
  (length) => filled(length, () => 'ticket=1&'),
  (length) => filled(length, (n) => `&k${n.toString(36)}`),
  (length) => `a${filled(length - 2, () => '[a]')}=`,
  (length) => filled(length, () => '&a[]'),
  (length) => `query=${filled(length - 6, () => '%C3%A9')}`,
  (length) => filled(length, () => '%'),
  (length) => `auth%5Bapplication_token${filled(length - 24, () => '&auth%5Bapplication_token')}`,
];
const costlyParts: ((length: number) => string)[] = [
  (length) => filled(length, () => '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'),
  (length) => filled(length, (n) => `--b\r\ncontent-disposition: form-data; name="${n}"; filename="f"\r\n\r\n\r\n`),
  (length) => `--b\r\n${filled(length, () => 'a: b\r\n')}`,
  (length) => filled(length, () => '--b\r\n'),
  (length) => filled(length, () => '\r\n--'),
];
const costlyJson: ((length: number) => string)[] = [
  (length) => '['.repeat(length),
  (length) => `{"ticket":${'['.repeat(length / 2 - 10)}${']'.repeat(length / 2 - 10)}}`,
  (length) => filled(length, () => '{"a":'),
  (length) => `{${filled(length - 20, () => '"ticket":1,')}"x":1}`,
  (length) => `{"query":[0${filled(length - 20, () => ',0')}]}`,
  (length) => `{"query":"${filled(length - 20, () => '\\u00e9').slice(0, -6)}"}`,
  (length) => `{"orgid":${'9'.repeat(length - 20)}}`,
  (length) => `{"name":"1","x":{${Array.from({ length: length / 12 }, (_, n) => `"k${n}":0`).join()}}}`,
];

function costlyBody(random: Random): { type: string; body: Buffer } {
  const length = random.pick([16_000, 63_000, 63_000, 980_000]);
  const { type, shapes } = random.pick([
    { type: 'application/x-www-form-urlencoded', shapes: costlyForms },
    { type: 'multipart/form-data; boundary=b', shapes: costlyParts },
    { type: 'application/json', shapes: costlyJson },
  ]);
  return { type, body: Buffer.from(random.pick(shapes)(length)) };
}

function valueFor(random: Random): unknown {
  return random.chance(0.6) ? random.pick(goodValues) : random.pick(badValues);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function targetOf(random: Random, path: string): string {
  if (random.chance(0.02)) return random.pick(['http://u:p@h', 'http://h', 'https://h:99999', 'ftp://h', '//h']) + path;
  const parts = Array.from({ length: random.int(4) }, () => {
    const value = textOf(valueFor(random)).slice(0, 5_000);
    return `${encodeURIComponent(random.pick(names))}=${encodeURIComponent(value.toWellFormed())}`;
  });
  if (random.chance(0.03)) parts.push(random.pick(['%', '%zz', '&&==', 'a[]=1&a[]=2', '%ff%fe', '?', '#x']));
  return parts.length > 0 ? `${path}?${parts.join('&')}` : path;
}

function hostOf(random: Random): string {
  if (random.chance(0.97)) return 'proxy.example';
  return random.pick(['', 'a b', 'a/../b', '[::1', 'x'.repeat(5_000), 'u:p@h', 'h:99999', '\u00e9', '[::1]:80']);
}

function oddHeader(random: Random): [string, string] {
  return random.pick<[string, string]>([
    ['expect', '100-continue'],
    ['connection', 'upgrade'],
    ['x-forwarded-for', random.pick(['', '::::', '1.2.3.4', 'x'.repeat(3_000), '10.0.0.1, ,'])],
    ['content-encoding', 'gzip'],
    ['x', 'x'.repeat(random.pick([10, 15_000, 20_000]))],
    ['cookie', 'sid=Administrator'],
    ['x-http-method-override', 'DELETE'],
    ['range', 'bytes=0-1'],
    ['accept', 'text/html'],
  ]);
}

/** What an honest client might send to some routes; fuzzed values stand in for one of its members now and then. */
const honest: Record<string, () => Record<string, unknown>> = {
  [afterInsert]: () => ({ event: 'after_insert', name: demo.tickets.matched }),
  [beforeInsert]: () => ({ key: 'f406078a-e7ad-40ae', owner: demo.portal.name, custom_orgid: '200000376001' }),
  [contract.enrichCompany.path]: () => ({ orgid: '200000376001', ticket: demo.tickets.matched }),
  [contract.syncTicketCustomer.path]: () => ({
    ticket: demo.tickets.claimed,
    company_id: '200000376001',
    action: 'preview',
  }),
  [contract.refreshCustomer.path]: () => ({ hd_customer: 'Gốm Sứ Làng Mơ - 200000376001' }),
  [contract.storeUrlEnrich.path]: () => ({ ticket: demo.tickets.matched }),
  [contract.missingAnchor.path]: () => ({ anchor: 'ticket_header', extension: '0.1.0' }),
  [contract.findCompanies.path]: () => ({ ticket: demo.tickets.matched, query: 'gốm sứ' }),
};

function bodyOf(random: Random, path: string): { type: string; body: Buffer } {
  const usual = honest[path]?.();
  if (usual && random.chance(0.35)) {
    if (random.chance(0.5)) usual[random.pick([...Object.keys(usual), random.pick(names)])] = valueFor(random);
    return { type: 'application/json', body: Buffer.from(JSON.stringify(usual)) };
  }
  const pairs = Array.from({ length: 1 + random.int(4) }, () => [random.pick(names), valueFor(random)] as const);
  const json = JSON.stringify(Object.fromEntries(pairs));
  const form = pairs.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value).toWellFormed())}`,
  );
  const part = pairs.map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${textOf(value)}\r\n`,
  );
  return random.pick<() => { type: string; body: Buffer }>([
    () => ({ type: 'application/json', body: Buffer.from(json) }),
    () => ({ type: 'application/json', body: Buffer.from(json) }),
    () => ({ type: 'application/json', body: Buffer.from(json.slice(0, random.int(json.length))) }),
    () => ({
      type: 'application/json',
      body: Buffer.from(random.pick(['null', '[]', '"x"', '\ufeff{}', '{"a":'.repeat(5_000)])),
    }),
    () => ({ type: 'application/json', body: Buffer.from([0xff, 0xfe, 0x7b, 0x7d, random.int(256)]) }),
    () => ({ type: 'application/x-www-form-urlencoded', body: Buffer.from(form.join('&')) }),
    () => ({ type: 'application/x-www-form-urlencoded', body: Buffer.from(json) }),
    () => ({ type: 'multipart/form-data; boundary=b', body: Buffer.from(`${part.join('')}--b--\r\n`) }),
    () => ({
      type: random.pick(['multipart/form-data', 'multipart/form-data; boundary=']),
      body: Buffer.from(part.join('')),
    }),
    () => ({ type: random.pick(['text/xml', '', 'x', 'application/json; charset=utf-16']), body: Buffer.from(json) }),
    () => ({ type: 'application/json', body: Buffer.alloc(random.pick([20_000, 70_000]), ' ') }),
  ])();
}

function signatureOf(path: string, body: Buffer): [string, string][] {
  if (path === afterInsert)
    return [['x-frappe-webhook-signature', createHmac('sha256', webhookSecret).update(body).digest('base64')]];
  return path === beforeInsert ? [['x-deskside-secret', scriptSecret]] : [];
}

function chunked(body: Buffer): Buffer {
  const size = body.length > 0 ? `${body.length.toString(16)}\r\n` : '';
  return Buffer.concat([Buffer.from(size), body, Buffer.from(`${size && '\r\n'}0\r\n\r\n`)]);
}
