import { IntakeData } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import { medium as orgId, growing as other } from '#crm/testing/sample-companies.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { callerOf } from '#testing/desk-seed.ts';
import { callBy, testContext } from '#testing/test-context.ts';
import { enrichStoreUrl } from './intake-ticket.ts';

const ticket = '61307';
const domain = `${orgId}.myplatform.example`;

/** A ticket with this store URL and org id. No shop answers. */
function setUp({ storeUrl = domain, ownOrgId = null }: { storeUrl?: string; ownOrgId?: string | null } = {}) {
  const failed = { kind: 'failed', why: 'timeout' } as const;
  const ctx = testContext({
    metaJson: {
      read: async (host: string) => ({ ...failed, address: `https://${host}/meta.json` }),
      readFor: async () => expect.unreachable(),
    },
  });
  const { desk, gate } = ctx;
  desk.insert(ticket, { custom_store_url: storeUrl, custom_orgid: ownOrgId });
  const run = (input: Partial<Parameters<typeof enrichStoreUrl>[1]> = {}) =>
    enrichStoreUrl(callBy(ctx, 'an'), { ticket, store_url: null, ...input });
  return { run, desk, gate, signal: ctx.signal };
}

describe('what is found', () => {
  test('is written to a ticket without an org id, and answered with its evidence', async () => {
    const { run, desk } = setUp();
    const data = await run();
    expect(IntakeData.parse(data)).toEqual({
      status: 'found',
      orgid: orgId,
      platform_domain: domain,
      findings: [
        expect.objectContaining({ kind: 'org_id', value: orgId, source: 'platform_domain', field: 'custom_store_url' }),
        expect.objectContaining({ kind: 'platform_domain', value: domain }),
      ],
      meta_failures: [],
      ticket: { name: ticket },
      changes: [
        { field: 'custom_orgid', from: null, to: orgId },
        { field: 'custom_myplatform_domain', from: null, to: domain },
      ],
    });
    expect(desk.writes).toEqual([`route ${ticket} orgId platformDomain`]);
    expect(await run()).toMatchObject({ status: 'found', changes: [] });
    expect(desk.writes).toHaveLength(1);
  });

  test.each([
    ['an address that the agent gives is read in place of the ticket’s', {}, { store_url: other }, other, ['orgId']],
    ['an org id is never replaced', { ownOrgId: other }, {}, orgId, []],
    ['the shop’s domain is written beside its own org id', { ownOrgId: orgId }, {}, orgId, ['platformDomain']],
    [
      'so is one without org id',
      { ownOrgId: other },
      { store_url: 'hoa.myplatform.example' },
      null,
      ['platformDomain'],
    ],
    ['what is no org id is replaced', { ownOrgId: 'không rõ' }, {}, orgId, ['orgId', 'platformDomain']],
  ])('%s', async (_, standing, input, orgid, written) => {
    const { run, desk } = setUp(standing);
    const data = await run(input);
    expect(data).toMatchObject({ status: orgid === null ? 'failed' : 'found', orgid });
    expect(data.changes).toHaveLength(written.length);
    expect(desk.writes).toEqual(written.length > 0 ? [`route ${ticket} ${written.join(' ')}`] : []);
  });

  test('is not written in the place of a domain that somebody has entered', async () => {
    const { run, desk } = setUp({ ownOrgId: orgId });
    desk.put('HD Ticket', ticket, { custom_myplatform_domain: 'hoa.myplatform.example' });
    expect(await run({ store_url: domain })).toMatchObject({ platform_domain: domain, changes: [] });
    expect(desk.routingOf(ticket).platformDomain).toBe('hoa.myplatform.example');
  });

  test('the gate does not answer with the ticket as it was before', async () => {
    const { run, gate, desk, signal } = setUp();
    const reads = () => desk.calls.filter((call) => call === 'tickets.readAs').length;
    await run();
    await gate.openTicket(callerOf('an'), ticket, signal);
    expect(reads()).toBe(2);
  });
});

test.each([
  ['google.com', 'not_found', null],
  ['', 'not_found', null],
  ['tiemhoamau.example', 'failed', null],
  ['tiem-hoa-mau.myplatform.example', 'failed', 'tiem-hoa-mau.myplatform.example'],
])('%j is %s', async (storeUrl, status, platform_domain) => {
  const { run, desk } = setUp({ storeUrl });
  expect(await run()).toMatchObject({ status, orgid: null, platform_domain });
  expect(desk.writes).toEqual(platform_domain ? [`route ${ticket} platformDomain`] : []);
});

describe('somebody who writes meanwhile', () => {
  const edit =
    ({ desk }: ReturnType<typeof setUp>) =>
    () =>
      desk.personReplies(ticket);

  test('is not overwritten: the ticket is read again, once; after that it is a conflict', async () => {
    const w = setUp();
    for (const _ of [1, 2]) w.desk.before('route', edit(w));
    await expect(w.run()).rejects.toMatchObject({ code: 'changed_since' });
    expect(w.desk.writes).toEqual([]);
    w.desk.before('route', edit(w));
    expect(await w.run()).toMatchObject({
      status: 'found',
      changes: [{ field: 'custom_orgid' }, { field: 'custom_myplatform_domain' }],
    });
    expect(w.desk.ticket(ticket).last_agent_response).toBeTruthy();
  });

  test('has the last word on the org id', async () => {
    const w = setUp();
    w.desk.before('route', () => w.desk.changes(ticket, 'an@desk.example', { custom_orgid: other }));
    expect(await w.run()).toMatchObject({ changes: [] });
    expect(w.desk.writes).toEqual([]);
  });
});

describe('who may not, and what fails', () => {
  test('an agent who may not change the ticket gets nothing', async () => {
    const { run, desk } = setUp();
    desk.agentsMay('HD Ticket', { write: false });
    await expect(run()).rejects.toMatchObject({ code: 'ticket_not_writable' });
    expect([desk.calls.includes('tickets.read'), desk.writes]).toEqual([false, []]);
  });

  test.each([
    ['unavailable', 'helpdesk_unavailable'],
    ['timeout', 'helpdesk_timeout'],
    ['forbidden', 'helpdesk_bad_answer'],
  ] as const)('a helpdesk that is %s for the service is %s for the caller', async (kind, code) => {
    const { run, desk } = setUp({ storeUrl: '' });
    for (const method of ['tickets.read', 'tickets.readFirstMessage'] as const) {
      desk.failNext(method, new HelpdeskError(kind, 'no'));
      await expect(run()).rejects.toMatchObject({ code });
    }
    desk.failNext('tickets.write', new HelpdeskError(kind, 'no'));
    await expect(run({ store_url: orgId })).rejects.toMatchObject({ code });
  });
});
