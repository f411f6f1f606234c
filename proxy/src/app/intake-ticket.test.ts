import { expect, test } from 'vitest';
import { IntakeRules } from '../intake-rules.ts';
import { HelpdeskError } from '../ports/helpdesk.ts';
import type { StoreMetaAnswer } from '../ports/store-meta.ts';
import { createIntakeTicket } from './intake-ticket.ts';
import { fakeTickets, type NewTicket } from './testing/fake-tickets.ts';
import { fakeClock } from './testing/fakes.ts';

const rules = IntakeRules.parse({ platform_hosts: ['myplatform.example'] });
const url = (value: string) => ({ intakeFields: [{ field: 'custom_store_url', value }] });

function setUp(answers: Record<string, Partial<StoreMetaAnswer>> = {}) {
  const tickets = fakeTickets(fakeClock());
  const asked: string[] = [];
  const intake = createIntakeTicket({
    tickets,
    rules,
    storeMeta: {
      async read(host) {
        asked.push(host);
        const address = `https://${host}/meta.json`;
        const found = { orgId: null, domains: [], name: null };
        const answer = answers[host] ?? { kind: 'none', why: 'not_found' };
        return { ...(answer.kind === 'found' ? found : {}), ...answer, address } as StoreMetaAnswer;
      },
    },
  });
  const run = (ticket: NewTicket, storeUrl?: string) =>
    intake(tickets.insert('1', ticket), new AbortController().signal, { storeUrl });
  return { tickets, asked, run };
}

test('a bare org id needs no address to be asked', async () => {
  const { run, asked } = setUp();
  const found = await run({ ...url('1000069001'), description: 'xem tiemhoamau.vn' });
  expect(found).toMatchObject({ orgId: '1000069001', failed: false, metaFailures: [] });
  expect(found.findings[0]).toEqual({
    kind: 'org_id',
    value: '1000069001',
    source: 'bare_org_id',
    field: 'custom_store_url',
    quote: '1000069001',
    address: null,
  });
  expect(asked).toEqual([]);
});

test('a shop’s meta.json tells its org id, with the address it came from; shops of the platform are asked first', async () => {
  const answers = { 'gomlangmo.myplatform.example': { kind: 'found', orgId: '200000376001' } } as const;
  const { run, asked } = setUp(answers);
  const found = await run(url('tiemhoamau.example gomlangmo.myplatform.example'));
  expect(asked).toEqual(['gomlangmo.myplatform.example']);
  expect(found).toMatchObject({ orgId: '200000376001', platformDomain: 'gomlangmo.myplatform.example' });
  expect(found.findings.find(({ kind }) => kind === 'org_id')).toMatchObject({
    source: 'meta_json',
    address: 'https://gomlangmo.myplatform.example/meta.json',
  });
});

test('a domain below the platform that meta.json names is found; its org id counts where it is the name', async () => {
  const domains = ['1000069001.myplatform.example'];
  const answers = { 'tiemhoamau.example': { kind: 'found' as const, domains } };
  const found = await setUp(answers).run(url('tiemhoamau.example'));
  expect(found).toMatchObject({ orgId: '1000069001', platformDomain: '1000069001.myplatform.example' });
});

test('subject, description, and only where that is empty the first message', async () => {
  const { run, tickets } = setUp();
  tickets.messages.set('1', 'Mã shop: 1000391001');
  expect(await run({ description: '' })).toMatchObject({ orgId: '1000391001', findings: [{ field: 'first_message' }] });
  expect(await run({ description: 'không có gì' })).toMatchObject({ orgId: null });
  const inSubject = { ticket: { subject: 'Org ID: 1000069001' }, description: 'Org ID: 1000391001' };
  expect((await run(inSubject)).findings.map(({ field, value }) => [field, value])).toEqual([
    ['subject', '1000069001'],
    ['description', '1000391001'],
  ]);
});

test('an address that failed may tell later, one that tells nothing never will', async () => {
  const failing = await setUp({ 'tiemhoamau.example': { kind: 'failed', why: 'timeout' } }).run(
    url('tiemhoamau.example'),
  );
  expect(failing).toMatchObject({
    orgId: null,
    failed: true,
    metaFailures: [{ address: 'https://tiemhoamau.example/meta.json', outcome: 'failed', why: 'timeout' }],
  });
  const empty = await setUp({ 'tiemhoamau.example': { kind: 'found', name: 'Tiệm' } }).run(url('tiemhoamau.example'));
  expect(empty).toMatchObject({ failed: false, metaFailures: [{ outcome: 'none', why: 'no_org_id' }] });
});

test('a failing address does not keep the next from being asked, and three are enough', async () => {
  const hosts = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example`);
  const { run, asked } = setUp({ 'a.example': { kind: 'failed', why: 'unreachable' } });
  await run(url(hosts.join(' ')));
  expect(asked).toEqual(hosts.slice(0, 3));
});

test('guarded domains are never asked, and told', async () => {
  const { run, asked } = setUp();
  const found = await run(url('https://www.facebook.com/tiemhoamau google.com'));
  expect(asked).toEqual([]);
  expect(found.metaFailures.map(({ why }) => why)).toEqual(['guarded_domain', 'guarded_domain']);
});

test('an address that an agent gives is read in place of those on the ticket', async () => {
  const { run } = setUp();
  expect(await run(url('1000069001'), '1000391001')).toMatchObject({
    orgId: '1000391001',
    findings: [{ field: 'store_url' }],
  });
});

test('a helpdesk that fails is not taken for a ticket that says nothing', async () => {
  const { run, tickets } = setUp();
  tickets.failNext('readFirstMessage');
  await expect(run({ description: '' })).rejects.toBeInstanceOf(HelpdeskError);
});
