import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { medium as orgId } from '#crm/testing/sample-companies.ts';
import { decisionDraft } from '#routing/testing/decision-draft.ts';
import { desiredWebhook } from '#setup/needs/webhook.ts';
import * as decisions from '#store/decisions.ts';
import { company } from '#store/testing/sample-company.ts';
import * as tickets from '#store/tickets.ts';
import { testContext } from '#testing/test-context.ts';
import { testApp } from './testing/test-app.ts';
import { maxEventBytes } from './webhooks.ts';

const file = new URL(import.meta.resolve('@deskside/simulators/recordings/helpdesk-1.24/webhooks.json'));
const [recorded] = JSON.parse(readFileSync(file, 'utf8'));
const [current, previous] = ['canary-current-secret', 'canary-previous-secret'];
const secrets = [current, previous, String(recorded.secret)];
/** What looks like one of them, and is none. */
const wrong = ['', 'wrong', current.slice(0, -1), `${current} `, `${current}, ${previous}`, 'Canary-current-secret'];
const key = 'f406078a-e7ad-40ae-8040-d587741e5a1e';

function world() {
  const { store, ...ctx } = testContext();
  /** The companies of the CRM that were marked as outdated. */
  const marked: string[] = [];
  const known = {
    companies: [company(orgId, { emails: ['vy@shop.example'] })],
    answeredAt: { UF_CRM_COMPANY_ID: ctx.clock(), UF_CRM_PLATFORM_ORG_ID: ctx.clock() },
    outdated: false,
  };
  Object.assign(ctx.crm?.cache ?? {}, {
    company: async () => known,
    markOutdated: async (id: string) => (marked.push(id) > 0 ? [orgId] : []),
  });
  const app = testApp({ ctx, secrets: { crm: secrets, webhook: secrets, script: secrets } });
  const post = (path: string, body: string, headers = {}) =>
    app.request(`/webhooks/${path}`, { method: 'POST', body, headers });
  const kept = "select ticket as key, decision ->> 'team' as team from decisions where number = 0";
  return {
    db: ctx.db,
    marked,
    received: () => [...store.rows.work.keys()],
    waiting: () => store.rows.waiting,
    kept: () => store.database.prepare(kept).all(),
    after: (body: string, signature: string | null = sign(body)) =>
      post('helpdesk/ticket/after-insert', body, signature === null ? {} : { 'x-frappe-webhook-signature': signature }),
    before: (body: string, secret: string | null = current) =>
      post('helpdesk/ticket/before-insert', body, secret === null ? {} : { 'x-deskside-secret': secret }),
    crmEvent: (body: string) => post('crm/company', body, { 'content-type': 'application/x-www-form-urlencoded' }),
  };
}

const sign = (body: string, secret = current) => createHmac('sha256', secret).update(body).digest('base64');
const namesField = (field: string) => ({ data: { issues: [{ field }] } });

describe('after insert', () => {
  test('the recorded bytes are taken by the recorded signature, others by the current or previous secret; again is known', async () => {
    const { after, received } = world();
    const response = await after(recorded.body, recorded.headers['X-Frappe-Webhook-Signature']);
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ success: true, data: { ticket: '3' }, message: 'Accepted.' });
    const body = '{"event": "after_insert", "name": 35, "creation": "c"}';
    expect((await after(body)).status).toBe(202);
    const again = await after(body, sign(body, previous));
    expect([again.status, await again.json()]).toMatchObject([202, { message: 'Known already.' }]);
    expect(received()).toEqual(['3', '35']);
  });

  test('a signature of any other bytes or secret, or none, is refused, and nothing is kept', async () => {
    const { after, received } = world();
    const body = '{"name": "0035"}';
    const good = sign(body);
    const others = [
      null,
      '',
      'x',
      good.slice(0, -1),
      `${good}=`,
      sign(body, 'another'),
      sign(`${body} `),
      good.toLowerCase(),
    ];
    for (const signature of others) {
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
    ['{"name": null}', 'name'],
    ['{"name": "1"}', 'creation'],
    ['{"name": "1", "creation": "c", "owner": 7, "org_ids": {}}', 'owner'],
    ['{"name": "1", "creation": "c", "owner": "an", "org_ids": {"custom_orgid": {}}}', 'org_ids.custom_orgid'],
    [`{"name": "${'9'.repeat(141)}"}`, 'name'],
  ])('%j, though signed, is bad input that names the field', async (body, field) => {
    const { after, received } = world();
    const response = await after(body);
    expect([response.status, await response.json()]).toMatchObject([400, namesField(field)]);
    expect(received()).toEqual([]);
  });

  test('what the body says of the insert is handed on, each org id once; one made by hand may say name and creation alone', async () => {
    const { after, db, received } = world();
    const told = { creation: '2026-11-20 12:00:00.000001', owner: 'an@desk.example', contact: 'Vy' };
    const more = { raised_by: 'vy"@shop.example', agent_group: null, ticket_split_from: 6, custom_orgid: orgId };
    const former = { custom_platform_profile_orgid: ` ${orgId} `, custom_org_id: 'none' };
    const document: Record<string, unknown> = { name: 7, ...told, ...more, ...former };
    const body = desiredWebhook('').webhook_json.replaceAll(
      /\{\{ doc\.(\w+)( \| string)? \| tojson \}\}/g,
      (_, field: string, isText?: string) =>
        JSON.stringify(isText ? String(document[field]) : (document[field] ?? null)),
    );
    expect((await after(body)).status).toBe(202);
    expect((await after('{"event":"after_insert","name":"8","modified":"m","creation":"c"}')).status).toBe(202);
    expect(received()).toEqual(['7', '8']);
    const { raised_by: raisedBy } = more;
    const insert = { ...told, raisedBy, agentGroup: null, splitFrom: '6', orgIds: [orgId] };
    expect(await tickets.latestInsertOf(db, '7')).toEqual(insert);
    expect(await tickets.latestInsertOf(db, '8')).toBeNull();
  });
});

describe('before insert', () => {
  const ticket = { key, owner: 'vy@shop.example', custom_orgid: orgId, raised_by: null, agent_group: '' };

  test.each([
    ['the fields to set', ticket],
    [
      'the same where a text holds NUL, which PostgreSQL cannot store',
      { ...ticket, owner: 'vy\0@shop.example', agent_group: '\0' },
    ],
  ])('answers %s', async (_, sent) => {
    const { before, kept } = world();
    const response = await before(JSON.stringify(sent), previous);
    const fields = { agent_group: 'CS 60p' };
    expect([response.status, await response.json()]).toMatchObject([200, { data: { fields }, message: 'Routed.' }]);
    expect(kept()).toEqual([{ key, team: 'CS 60p' }]);
  });

  test('answers no fields where nothing is proved, or the org id is none', async () => {
    const { before, kept } = world();
    for (const custom_orgid of [null, '', 'abc', 0]) {
      const response = await before(JSON.stringify({ key, custom_orgid }));
      expect(await response.json()).toMatchObject({ data: { fields: {} }, message: 'Left to the pipeline.' });
    }
    expect(kept()).toEqual([]);
  });

  test('without the secret nothing is told, and a body without key is bad input', async () => {
    const { before, kept } = world();
    // HTTP takes the blanks around a header's value away.
    for (const secret of [null, ...wrong.filter((one) => one.trim() === one)])
      expect((await before(JSON.stringify(ticket), secret)).status).toBe(403);
    const response = await before('{"custom_orgid": "1"}');
    expect([response.status, await response.json()]).toMatchObject([400, namesField('key')]);
    expect(kept()).toEqual([]);
  });
});

describe('an event of the CRM', () => {
  const form = (members: Record<string, string> = {}) =>
    new URLSearchParams({
      ...{ event: 'ONCRMCOMPANYUPDATE', event_handler_id: '5', 'data[FIELDS][ID]': '63002', ts: '1795000000' },
      ...{ 'auth[domain]': 'crm.example', 'auth[application_token]': current, ...members },
    }).toString();

  test.each([
    { event: 'ONCRMCONTACTUPDATE' },
    ...['', '0', '-1', 'abc', '63002 or 1=1', '1'.repeat(21)].map((id) => ({ 'data[FIELDS][ID]': id })),
  ])('that is none of ours is accepted, and nothing comes of it: %j', async (members) => {
    const { crmEvent, marked } = world();
    expect((await crmEvent(form(members))).status).toBe(200);
    expect(marked).toEqual([]);
  });

  test('with a good token, the current or the previous, is passed on; with another, or none, it changes nothing', async () => {
    const { crmEvent, marked } = world();
    for (const token of [current, previous]) {
      const response = await crmEvent(form({ 'auth[application_token]': token }));
      expect([response.status, await response.json()]).toEqual([200, { success: true, data: {}, message: 'Noted.' }]);
    }
    const none = ['', '%%%&&&===', `{"auth":{"application_token":"${current}"}}`];
    for (const body of [...wrong.map((token) => form({ 'auth[application_token]': token })), ...none]) {
      const response = await crmEvent(body);
      expect([body, response.status]).toEqual([body, 403]);
      expect(await response.text()).not.toContain('canary');
    }
    expect(marked).toEqual(['63002', '63002']);
  });

  test('has the tickets judged again that were decided on a claim to that company', async () => {
    const { crmEvent, db, waiting } = world();
    const org_id = { value: orgId, source: 'ticket', field: 'custom_orgid', trust: null };
    const draft = decisionDraft('61307', { org_id, claims: 'hold', ticket_creation: 'c' });
    await decisions.add(db, draft, 0, null, orgId);
    expect(waiting()).toEqual([]);
    await crmEvent(form());
    expect(waiting()).toEqual(['61307']);
  });

  test('of more than 16 kB is not read', async () => {
    const { after, crmEvent, marked } = world();
    expect((await crmEvent(form({ padding: 'x'.repeat(maxEventBytes) }))).status).toBe(413);
    expect((await crmEvent(form({ padding: 'x'.repeat(maxEventBytes - 1_024) }))).status).toBe(200);
    expect(marked).toHaveLength(1);
    const fill = (size: number) => `{"name": "1", "creation": "c", "x": "${'x'.repeat(size - 39)}"}`;
    expect((await after(fill(maxEventBytes))).status).toBe(202);
    expect((await after(fill(maxEventBytes + 1))).status).toBe(413);
  });
});
