import { createHmac, randomUUID } from 'node:crypto';
import { callProxy } from '@deskside/shared/client';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCanaryWorld, webhookSecret } from '../canary.ts';
import { world } from '../kit.ts';

let w: Awaited<ReturnType<typeof startCanaryWorld>>;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  w = await startCanaryWorld((end) => ends.push(end));
});
afterAll(() => Promise.all(ends.map((end) => end())));

/** Tells the proxy that its files have changed; resolves with the line in which it says what came of it. */
async function hangUp(message: string) {
  const linesOf = () => w.lines().filter(({ msg }) => msg === message);
  const before = linesOf().length;
  w.kill('SIGHUP');
  await expect.poll(() => linesOf().length).toBe(before + 1);
  return linesOf().at(-1);
}
const isTakenOver = () => hangUp('The settings have been read again and are in force');

async function profileAt(baseUrl: string, ticket = demo.tickets.matched) {
  const answer = await callProxy('customerProfile', { ticket }, { baseUrl, authorization: keyOf(demo.manager) });
  return answer.ok ? answer.data.bitrix.status : answer.error.code;
}

/** Tells the proxy of a ticket, signed with this secret; the status of its answer. */
async function tellOfTicket(secret: string): Promise<number> {
  const body = JSON.stringify({ event: 'after_insert', name: demo.tickets.matched, creation: randomUUID() });
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const headers = { 'x-frappe-webhook-signature': signature };
  const response = await fetch(`${w.url}/webhooks/helpdesk/ticket/after-insert`, { method: 'POST', body, headers });
  await response.text();
  return response.status;
}

/** Does something over and over, by several at once, until that is ended; then everything that came of it, once each. */
function overAndOver<T>(work: () => Promise<T>): () => Promise<Set<T>> {
  const results = new Set<T>();
  let isOn = true;
  const many = Array.from({ length: 4 }, async () => {
    while (isOn) results.add(await work());
  });
  return async () => {
    isOn = false;
    await Promise.all(many);
    return results;
  };
}

test('SIGHUP has both files read again while requests run, and none fails; a wrong one leaves all as it is', async () => {
  const statuses = overAndOver(() => profileAt(w.url));
  await expect.poll(() => profileAt(w.url)).toMatch(/^(matched|cached)$/);
  await w.writeFiles({ CRM_ENABLED: '0', LOG_LEVEL: 'debug' });
  await isTakenOver();
  expect(await profileAt(w.url)).toBe('disabled');

  const canary = 'c4n4ry-0f-a-wr0ng-f1l3';
  await w.writeFiles(
    { MASTER_KEY: canary, CRM_TIMEOUT_SECONDS: '900', CRM_EVENT_TOKEN: 'short' },
    { claims: 'route', team: { sme: canary } },
  );
  const refused = await hangUp('The settings cannot be used; those before stay in force');
  expect(refused).toMatchObject({ level: 50, fault: 'settings_unusable' });
  for (const part of [
    'MASTER_KEY: is no setting',
    'CRM_TIMEOUT_SECONDS: found "900"',
    'CRM_EVENT_TOKEN',
    'expected accept or hold',
    '"team"',
  ])
    expect(refused?.error).toContain(part);
  expect(JSON.stringify(refused)).not.toContain(canary);
  expect(await profileAt(w.url)).toBe('disabled');

  await w.writeFiles({ PORT: '1', DATABASE_URL: 'postgres://elsewhere.example/deskside' });
  expect(await hangUp('The settings can be used again')).toMatchObject({ fault_ended: 'settings_unusable' });
  const restart = () => w.lines().find(({ settings }) => settings !== undefined);
  await expect.poll(restart).toMatchObject({ level: 40, settings: ['PORT', 'DATABASE_URL'] });
  expect(await profileAt(w.url)).toMatch(/^(matched|cached)$/);
  expect([...(await statuses())].filter((status) => !['matched', 'cached', 'disabled'].includes(status))).toEqual([]);
});

test('a secret is replaced on both sides without a refused webhook', async () => {
  const next = 'the-secret-that-replaces-it';
  let atHelpdesk = webhookSecret;
  const statuses = overAndOver(() => tellOfTicket(atHelpdesk));
  await w.writeFiles({ HELPDESK_WEBHOOK_SECRET: `${next},${webhookSecret}` });
  await isTakenOver();
  expect([await tellOfTicket(webhookSecret), await tellOfTicket(next)]).toEqual([202, 202]);
  atHelpdesk = next;
  const sent = await statuses();
  const after = overAndOver(() => tellOfTicket(atHelpdesk));
  await w.writeFiles({ HELPDESK_WEBHOOK_SECRET: next });
  await isTakenOver();
  expect(await tellOfTicket(next)).toBe(202);
  expect([...sent, ...(await after())].filter((status) => status !== 202)).toEqual([]);
  expect(await tellOfTicket(webhookSecret)).not.toBe(202);
});

test('a ticket is routed by the rules of the moment at which it is taken up', async () => {
  const teamOfNew = async () => {
    const values = { subject: 'x', custom_orgid: '200000376001' };
    const name = await w.helpdesk.insertTicket(demo.portal.name, values, { portal: true });
    const team = () => w.helpdesk.document('HD Ticket', name)?.agent_group;
    await expect.poll(team).toEqual(expect.any(String));
    return team();
  };
  await w.writeFiles({});
  await isTakenOver();
  const before = await teamOfNew();
  const [team] = ['CS 60p', 'Medium - Grow', 'Medium - Scale'].filter((name) => name !== before);
  await w.writeFiles({}, { teams: { medium_scale: team, medium_grow: team, sme: team } });
  await isTakenOver();
  expect(await teamOfNew()).toBe(team);
});

test('what has begun ends on the settings with which it began', async () => {
  const { crm, proxyUrl, change } = await world();
  crm.latencyMs = 500;
  const asked = crm.journal.length;
  const begun = profileAt(proxyUrl);
  await expect.poll(() => crm.journal.length).toBeGreaterThan(asked);
  change({ CRM_ENABLED: '0' });
  expect(await profileAt(proxyUrl)).toBe('disabled');
  expect(await begun).toBe('matched');
});
