import { expect, test } from 'vitest';
import type { CrmState } from '#crm/crm.ts';
import type { PipelineBacklog } from '#store/backlog.ts';
import { createMetrics } from './metrics.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const none = { tickets: 0, since: null, creation: null };
const idle: PipelineBacklog = { unrouted: none, waiting: none };
const crmState: CrmState = {
  left: { click: 24, open: 10, bulk: 6 },
  waiting: { click: 0, open: 2, bulk: 0 },
  operatingSeconds: { companies: 12.5 },
  refusal: null,
};

/** A registry that watches a service, and how often each part of it was read. */
function watched(backlog: () => Promise<PipelineBacklog> = async () => idle) {
  const metrics = createMetrics('1.2.3');
  const reads = { crm: 0, backlog: 0 };
  metrics.watch({
    crm: async () => {
      reads.crm += 1;
      return crmState;
    },
    backlog: () => {
      reads.backlog += 1;
      return backlog();
    },
    instantOf: (stamp) => (stamp === 'unknown zone' ? null : Date.parse(stamp)),
    refusals: async () => [
      { fields: ['custom_product', 'custom_area'] },
      { fields: ['custom_product'] },
      { fields: [] },
    ],
    missedByWebhook: async () => 0,
    backedUpAt: async () => noon - 3 * 86_400_000,
    certificateEnd: async () => noon + 13.5 * 86_400_000,
    clock: () => noon,
  });
  return { metrics, reads };
}

/** The lines of our own metrics, without those that explain them. */
async function linesOf(metrics: { text(): Promise<string> }): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('deskside_'));
}

test('ages are seconds since the first that waits was created, and 0 where nothing does', async () => {
  const creation = new Date(noon - 90_000).toISOString();
  const unrouted = { tickets: 3, since: noon - 20_000, creation };
  const { metrics, reads } = watched(async () => ({ ...idle, unrouted }));
  expect(await linesOf(metrics)).toEqual(
    expect.arrayContaining([
      'deskside_inbox_tickets 3',
      'deskside_inbox_oldest_seconds 90',
      'deskside_waiting_oldest_seconds 0',
      'deskside_crm_budget_left{lane="click"} 24',
      'deskside_crm_queue{lane="open"} 2',
      'deskside_crm_operating_seconds{kind="companies"} 12.5',
      'deskside_refused_tickets{field="custom_product"} 2',
      'deskside_refused_tickets{field="none"} 1',
      'deskside_info{version="1.2.3"} 1',
      'deskside_backup_age_seconds 259200',
      'deskside_certificate_days 13.5',
    ]),
  );
  // Each part is read once.
  expect(reads).toEqual({ crm: 1, backlog: 1 });
});

test('while the time zone is not known ages count from when a ticket was first heard of', async () => {
  const waiting = { tickets: 1, since: noon - 30_000, creation: 'unknown zone' };
  const { metrics } = watched(async () => ({ ...idle, waiting }));
  expect(await linesOf(metrics)).toContain('deskside_waiting_oldest_seconds 30');
});

test('a store that fails takes only its own gauges along, and what it said before is not said again', async () => {
  let fails = false;
  const { metrics } = watched(() => (fails ? Promise.reject(new Error('SQLITE_IOERR')) : Promise.resolve(idle)));
  expect((await linesOf(metrics)).filter((line) => line.startsWith('deskside_inbox'))).toHaveLength(2);
  fails = true;
  const lines = await linesOf(metrics);
  expect(lines.filter((line) => line.startsWith('deskside_inbox'))).toEqual([]);
  expect(lines).toContain('deskside_crm_budget_left{lane="open"} 10');
});

test('a fault that lasts is seen until all its parts are over; each fault is counted, from 0 on', async () => {
  const metrics = createMetrics('1');
  const lines = async () => (await linesOf(metrics)).filter((line) => /crm_timeout|ticket_unreadable/.test(line));
  const idle = ['deskside_faults_total{fault="crm_timeout"} 0', 'deskside_faults_total{fault="ticket_unreadable"} 0'];
  expect(await lines()).toEqual([...idle, 'deskside_fault_active{fault="crm_timeout"} 0']);
  for (const part of ['companies', 'users', 'companies']) metrics.faultNoted('crm_timeout', part);
  metrics.faultNoted('ticket_unreadable', '');
  metrics.faultEnded('crm_timeout', 'companies');
  metrics.faultEnded('crm_redirected', '');
  const counted = [
    'deskside_faults_total{fault="crm_timeout"} 3',
    'deskside_faults_total{fault="ticket_unreadable"} 1',
  ];
  expect(await lines()).toEqual([...counted, 'deskside_fault_active{fault="crm_timeout"} 1']);
  metrics.faultEnded('crm_timeout', 'users');
  expect(await lines()).toEqual([...counted, 'deskside_fault_active{fault="crm_timeout"} 0']);
  for (const part of ['companies', 'users']) metrics.faultNoted('crm_timeout', part);
  metrics.faultEnded('crm_timeout', null);
  expect((await lines()).at(-1)).toBe('deskside_fault_active{fault="crm_timeout"} 0');
});
