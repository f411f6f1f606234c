import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { OrgId } from '@deskside/shared/orgid';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { lifetimesOf } from '#crm/cache.ts';
import { routingConfig } from '#routing/testing/pipeline-rules.ts';
import { desiredWebhook } from '#setup/desired-state.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import * as tickets from '#store/tickets.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { company } from '#testing/sample-company.ts';
import type { AppEnv } from './middleware.ts';
import { answerError, limitBody } from './middleware.ts';
import { afterInsertRoute, beforeInsertRoute } from './webhooks.ts';

const file = new URL(import.meta.resolve('@deskside/simulators/recordings/helpdesk-1.24/webhooks.json'));
const [recorded] = JSON.parse(readFileSync(file, 'utf8')) as {
  secret: string;
  headers: Record<string, string>;
  body: string;
}[];
const secrets = ['canary-current-secret', 'canary-previous-secret', recorded?.secret ?? ''];
const maxBytes = 16 * 1024;
const orgId = '1000069001' as OrgId;
const key = 'f406078a-e7ad-40ae-8040-d587741e5a1e';

function setUp() {
  const { db, database, rows } = memoryStore();
  const clock = () => Date.UTC(2026, 10, 20);
  const app = new Hono<AppEnv>();
  app.onError(answerError);
  app.use(async (c, next) => {
    c.set('requestId', 'r1');
    await next();
  });
  app.post(
    '/after',
    limitBody(maxBytes),
    afterInsertRoute(
      partOfContext({
        clock,
        signs: { emit: () => true },
        db,
      }),
      { secrets },
    ),
  );
  const known = { companies: [company(orgId, { emails: ['vy@shop.example'] })], checkedAt: clock(), outdated: false };
  app.post(
    '/before',
    beforeInsertRoute(
      partOfContext({
        clock,
        crmEnabled: true,
        routing: routingConfig,
        db,
        crm: {
          cache: { company: async () => known },
          clock,
          lifetimes: lifetimesOf(60),
          nameSegments: (companies) => companies,
          portal: 'crm.example',
        },
      }),
      { secrets, fieldNames: ({ agentGroup }) => ({ agent_group: agentGroup }) },
    ),
  );
  const after = (body: string, signature: string | null) =>
    app.request('/after', {
      method: 'POST',
      body,
      headers: signature === null ? {} : { 'x-frappe-webhook-signature': signature },
    });
  const before = (body: string, secret: string | null) =>
    app.request('/before', { method: 'POST', body, headers: secret === null ? {} : { 'x-deskside-secret': secret } });
  const received = () => [...rows.work.keys()];
  const kept = () =>
    database.prepare("select ticket as key, decision ->> 'team' as team from decisions where number = 0").all();
  return { after, before, db, received, kept };
}

const sign = (body: string, secret = secrets[0] ?? '') => createHmac('sha256', secret).update(body).digest('base64');

describe('after insert', () => {
  test('the recorded bytes with the recorded signature are taken', async () => {
    const { after, received } = setUp();
    const response = await after(recorded?.body ?? '', recorded?.headers['X-Frappe-Webhook-Signature'] ?? '');
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ success: true, data: { ticket: '3' }, message: 'Accepted.' });
    expect(received()).toEqual(['3']);
  });

  test('the current secret and the previous one count; the same again is known', async () => {
    const { after, received } = setUp();
    const body = '{"event": "after_insert", "name": "0035", "creation": "c"}';
    expect((await after(body, sign(body))).status).toBe(202);
    const again = await after(body, sign(body, secrets[1]));
    expect([again.status, (await again.json()) as object]).toMatchObject([202, { message: 'Known already.' }]);
    expect(received()).toEqual(['0035']);
  });

  test('a signature of any other bytes or secret, or none, is refused, and nothing is kept', async () => {
    const { after, received } = setUp();
    const body = '{"name": "0035"}';
    const good = sign(body);
    const wrong = [
      null,
      '',
      'x',
      good.slice(0, -1),
      `${good}=`,
      sign(body, 'another'),
      sign(`${body} `),
      good.toLowerCase(),
    ];
    for (const signature of wrong) {
      const response = await after(body, signature);
      expect(response.status).toBe(403);
      expect(await response.text()).not.toMatch(/canary|[A-Za-z0-9+/]{30,}/);
    }
    for (let at = 0; at < body.length; at += 1) {
      const changed = `${body.slice(0, at)}${body[at] === 'x' ? 'y' : 'x'}${body.slice(at + 1)}`;
      expect((await after(changed, good)).status).toBe(403);
    }
    expect(received()).toEqual([]);
  });

  test.each([
    ['not json', 'body'],
    ['[]', 'name'],
    ['{}', 'name'],
    ['{"name": ""}', 'name'],
    ['{"name": null}', 'name'],
    ['{"name": "1"}', 'creation'],
    ['{"name": "1", "creation": "c", "owner": ""}', 'owner'],
    ['{"name": "1", "creation": "c", "owner": 7, "org_ids": {}}', 'owner'],
    ['{"name": "1", "creation": "c", "owner": "an", "org_ids": {"custom_orgid": {}}}', 'org_ids.custom_orgid'],
    [`{"name": "${'9'.repeat(141)}"}`, 'name'],
  ])('%j, though signed, is bad input that names the field', async (body, field) => {
    const { after, received } = setUp();
    const response = await after(body, sign(body));
    expect([response.status, (await response.json()) as object]).toMatchObject([
      400,
      { data: { issues: [{ field }] } },
    ]);
    expect(received()).toEqual([]);
  });

  test('what the body says of the insert is handed on; one made by hand may say name and creation alone', async () => {
    const { after, db, received } = setUp();
    const document: Record<string, unknown> = {
      name: 7,
      creation: '2026-11-20 12:00:00.000001',
      owner: 'an@desk.example',
      raised_by: 'vy"@shop.example',
      contact: 'Vy',
      agent_group: null,
      ticket_split_from: 6,
      custom_orgid: '1000069001',
    };
    const asText = (field: string) => JSON.stringify(String(document[field]));
    const body = desiredWebhook('').webhook_json.replaceAll(
      /\{\{ doc\.(\w+)( \| string)? \| tojson \}\}/g,
      (_, field: string, isText?: string) => (isText ? asText(field) : JSON.stringify(document[field] ?? null)),
    );
    expect((await after(body, sign(body))).status).toBe(202);
    const older = '{"event":"after_insert","name":"8","modified":"m","creation":"c"}';
    expect((await after(older, sign(older))).status).toBe(202);
    expect(received()).toEqual(['7', '8']);
    expect(await tickets.latestInsertOf(db, '7')).toEqual({
      creation: document.creation,
      owner: 'an@desk.example',
      raisedBy: 'vy"@shop.example',
      contact: 'Vy',
      agentGroup: null,
      splitFrom: '6',
      orgIds: ['1000069001'],
    });
    expect(await tickets.latestInsertOf(db, '8')).toBeNull();
  });

  test('a name may be a number, as older versions have it', async () => {
    const { after, received } = setUp();
    const body = '{"name": 61307, "creation": "c"}';
    expect((await after(body, sign(body))).status).toBe(202);
    expect(received()).toEqual(['61307']);
  });

  test('one byte more than 1 MiB is too much', async () => {
    const { after } = setUp();
    const fill = (size: number) => `{"name": "1", "creation": "c", "x": "${'x'.repeat(size - 39)}"}`;
    expect((await after(fill(maxBytes), sign(fill(maxBytes)))).status).toBe(202);
    expect((await after(fill(maxBytes + 1), sign(fill(maxBytes + 1)))).status).toBe(413);
  });
});

describe('before insert', () => {
  const body = JSON.stringify({
    key,
    owner: 'vy@shop.example',
    name: null,
    customer: null,
    contact: null,
    custom_orgid: orgId,
    raised_by: null,
    agent_group: '',
  });

  test('answers the fields to set', async () => {
    const { before, kept } = setUp();
    const response = await before(body, secrets[1] ?? '');
    expect([response.status, await response.json()]).toEqual([
      200,
      { success: true, data: { fields: { agent_group: 'CS 60p' } }, message: 'Routed.' },
    ]);
    expect(kept()).toEqual([{ key, team: 'CS 60p' }]);
  });

  test('answers no fields where nothing is proved, or the org id is none', async () => {
    const { before, kept } = setUp();
    for (const custom_orgid of [null, '', 'abc', 0]) {
      const response = await before(JSON.stringify({ key: 'f406078a-e7ad', custom_orgid }), secrets[0] ?? '');
      expect(await response.json()).toMatchObject({ data: { fields: {} }, message: 'Left to the pipeline.' });
    }
    expect(kept()).toEqual([]);
  });

  test('a NUL, which PostgreSQL cannot store, is left out', async () => {
    const { before, kept } = setUp();
    const sent = { key: 'f406078a-e7ad', owner: 'vy\0@shop.example', agent_group: '\0', custom_orgid: orgId };
    expect((await before(JSON.stringify(sent), secrets[0] ?? '')).status).toBe(200);
    expect(kept()).toMatchObject([{ team: 'CS 60p' }]);
  });

  test('without the secret nothing is told', async () => {
    const { before, kept } = setUp();
    for (const secret of [null, '', 'canary-current-secreT', `${secrets[0]} x`]) {
      expect((await before(body, secret)).status).toBe(403);
    }
    expect(kept()).toEqual([]);
  });

  test('a body without key is bad input', async () => {
    const { before } = setUp();
    const response = await before('{"custom_orgid": "1"}', secrets[0] ?? '');
    expect([response.status, (await response.json()) as object]).toMatchObject([
      400,
      { data: { issues: [{ field: 'key' }] } },
    ]);
  });
});
