import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { callProxy } from '@deskside/shared/client';
import type { CrmFault } from '@deskside/simulators/crm/server';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { slicesOf } from '@deskside/testing/slices-of';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { metricsToken, scriptSecret, serve, startCanaryWorld } from '../canary.ts';

const agent = keyOf(demo.agent);
const strangers = [demo.portal, demo.sysonly].map(keyOf).concat('token nobody:nothing', 'Bearer nobody', '');
const paths = [
  ...[
    demo.tickets.matched,
    demo.tickets.hostileText,
    demo.tickets.missingOrgId,
    demo.tickets.notFound,
    '999999',
    "1' or '1'='1",
    '',
  ].flatMap((ticket) => [`/api/method/platform_crm_customer_profile?ticket=${encodeURIComponent(ticket)}&refresh=1`]),
  `/api/routing/decisions?ticket=${demo.tickets.matched}`,
  '/api/routing/decisions',
  `/api/routing/today?from=${Date.now() - 3_600_000}&to=${Date.now()}`,
  '/api/whoami',
  '/.well-known/deskside',
  '/livez',
  '/readyz',
  '/openapi.json',
  `/api/nothing/${'x'.repeat(20)}`,
  '/api/method/platform_crm_customer_profile?ticket=1&refresh=perhaps',
];
const method = '/api/method/platform_crm';
const bodies: [path: string, body: object][] = [
  [`${method}_metajson_company_enrichment`, { orgid: '200000376001', force: 1, ticket: demo.tickets.matched }],
  [`${method}_metajson_company_enrichment`, { orgid: 'x' }],
  [`${method}_sync_ticket_customer`, { ticket: demo.tickets.claimed, company_id: '200000376001', action: 'preview' }],
  [`${method}_sync_ticket_customer`, { ticket: demo.tickets.matched, company_id: '200000376001' }],
  [`${method}_sync_ticket_customer`, { ticket: demo.tickets.matched, action: 'undo', sync_id: 'none' }],
  [
    '/api/method/login_with_platform.customer_profile.refresh_customer_profile',
    { hd_customer: 'Gốm Sứ Làng Mơ - 200000376001' },
  ],
  ['/api/method/platform_ticket_store_url_enrich', { ticket: demo.tickets.matched, store_url: 'http://127.0.0.1/x' }],
  ['/api/companies/find', { ticket: demo.tickets.matched, query: 'gốm sứ' }],
  ['/api/companies/find', { ticket: demo.tickets.matched, query: 'owner@gomlangmo.example' }],
  ['/webhooks/helpdesk/ticket/after-insert', { name: demo.tickets.matched }],
  ['/webhooks/helpdesk/ticket/before-insert', { key: 'f406078a-e7ad-40ae', custom_orgid: '200000376001' }],
  ['/webhooks/crm/company', { event: 'ONCRMCOMPANYUPDATE', auth: { application_token: 'wrong' } }],
];
const requests: [path: string, init: { method?: string; body?: string; headers?: Record<string, string> }][] = [
  ...paths.map((p): [string, object] => [p, {}]),
  ['/metrics', { headers: { authorization: `Bearer ${metricsToken}` } }],
  ...bodies.map(([p, body]): [string, object] => [
    p,
    { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  ]),
  [
    '/webhooks/helpdesk/ticket/before-insert',
    {
      method: 'POST',
      body: '{"key":"f406078a-e7ad-40ae","custom_orgid":"200000376001"}',
      headers: { 'x-deskside-secret': scriptSecret },
    },
  ],
];

const faults: CrmFault[] = [
  'cut',
  'truncated',
  'html',
  'html_502',
  'redirect',
  'null_result',
  'limit',
  'unauthorized',
  'insufficient_scope',
  'empty_error',
  'error_200',
  'server_error',
  'wrong_company',
];

/** Sends every request at once, as they wait for the CRM together, and gives what the answers, headers included, leak. */
async function drive(world: Awaited<ReturnType<typeof startCanaryWorld>>, authorization: string): Promise<string[]> {
  // The pipeline has something to do as well.
  const values = { subject: 'x', custom_orgid: '200000376001', custom_store_url: 'https://127.0.0.1/admin' };
  await world.helpdesk.insertTicket(demo.portal.name, values, { portal: true });
  await world.helpdesk.webhooks.idle();
  const leaked = requests.map(async ([p, init]) => {
    const headers = { ...(authorization && { authorization }), ...init.headers };
    const response = await fetch(world.url + p, { ...init, headers });
    const text = `${[...response.headers].join('\n')}\n${await response.text()}`;
    return world.leaksIn(text).map((leak) => `${leak} in ${p}`);
  });
  return (await Promise.all(leaked)).flat();
}

/** Gives the proxy a clock that SIGUSR2 puts forward, beyond every pause that a failing CRM is granted. */
const clockAhead = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    const now = Date.now; let ahead = 0; Date.now = () => now() + ahead;
    process.on('SIGUSR2', () => { ahead += 600_000; })`)}`,
};

/** Has the CRM answer again, and the proxy ask it again: otherwise its breaker would answer in the CRM's place. */
async function recover({ crm, kill, url }: Awaited<ReturnType<typeof startCanaryWorld>>): Promise<void> {
  crm.fault = null;
  kill('SIGUSR2');
  const input = { ticket: demo.tickets.onlyTicketOrgId, refresh: 1 } as const;
  const ask = () => callProxy('customerProfile', input, { baseUrl: url, authorization: keyOf(demo.manager) });
  // The company is none of those that the requests name: of these the proxy knows nothing yet.
  await expect.poll(ask, { interval: 200 }).toMatchObject({ data: { bitrix: { status: 'matched' } } });
}

/** Stops it, and looks at what it has printed and kept. */
async function judgeAll(world: Awaited<ReturnType<typeof startCanaryWorld>>): Promise<void> {
  const { log, files } = await world.stop();
  expect(log).toContain('"request"');
  expect(world.leaksIn(log + files)).toEqual([]);
}

describe('no secret is in an answer, a header, a log line, the store or a backup of it', () => {
  // One for all: what a proxy has learnt from one of them it may tell in the next.
  let world: Awaited<ReturnType<typeof startCanaryWorld>>;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    world = await startCanaryWorld((end) => ends.push(end), clockAhead);
  });
  afterAll(() => Promise.all(ends.map((end) => end())));

  test('whoever asks', async () => {
    for (const authorization of [agent, ...strangers]) expect(await drive(world, authorization)).toEqual([]);
    const backup = await world.backUp();
    expect(backup).toContain('decisions');
    expect(world.leaksIn(backup)).toEqual([]);
  });

  test('whatever the CRM does', async () => {
    for (const fault of faults) {
      await recover(world);
      world.crm.clearJournal();
      world.crm.fault = fault;
      expect(await drive(world, agent), fault).toEqual([]);
      expect(world.crm.journal.length, `${fault} was met`).toBeGreaterThan(0);
    }
    // As much as a dozen other tests do.
  }, 600_000);

  test('whatever the helpdesk does', async () => {
    world.crm.fault = null;
    for (const fault of ['cut', 'html', 500, 503] as const) {
      // Nothing that the proxy remembers answers in the helpdesk's place.
      world.kill('SIGUSR2');
      world.helpdesk.clearJournal();
      world.helpdesk.fault = () => fault;
      expect(await drive(world, agent), `${fault}`).toEqual([]);
      expect(world.helpdesk.journal.length, `${fault} was met`).toBeGreaterThan(0);
    }
    await judgeAll(world);
  });
});

// Half a minute.
if (sized({ small: false, full: true }))
  test('no secret is in an answer or a log line where the store is on PostgreSQL, whoever asks', async () => {
    const server = await startPostgres('a-password');
    onTestFinished(() => server.stop());
    await server.createDatabase('canary');
    const world = await startCanaryWorld(onTestFinished, { DATABASE_URL: server.urlOf('canary') });
    for (const authorization of [agent, ...strangers]) expect(await drive(world, authorization)).toEqual([]);
    await judgeAll(world);
  }, 600_000);

test('no secret of a wrong configuration is in the message that refuses it', async () => {
  const secret = 'c4n4ry-s3cr3t-v4lu3';
  const refused = serve({
    CRM_WEBHOOK_URL: `https://crm.example/rst/1/${secret}`,
    CRM_RESPONSIBLE_WEBHOOK_URL: `not an address ${secret}`,
    DATABASE_URL: `mysql://user:${secret}@db`,
    HELPDESK_URL: `https://user:${secret}@help.example/desk`,
    PORT: 'eighty',
  });
  expect(await refused.ended).toBe(1);
  const output = refused.output();
  expect(slicesOf([secret]).filter((slice) => output.includes(slice))).toEqual([]);
  for (const variable of [
    'CRM_WEBHOOK_URL',
    'CRM_RESPONSIBLE_WEBHOOK_URL',
    'DATABASE_URL',
    'HELPDESK_URL',
    'PORT',
    'HELPDESK_API_KEY',
    'HELPDESK_API_SECRET',
  ]) {
    expect(output).toContain(`${variable}:`);
  }
});
