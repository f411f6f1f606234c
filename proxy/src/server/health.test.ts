import { expect, test } from 'vitest';
import { HelpdeskError, refusalAsOutage, refusalOf } from '#helpdesk/errors.ts';
import type { LogFields } from '#runtime/log.ts';
import { silent } from '#runtime/testing/quiet.ts';
import { testContext } from '#testing/test-context.ts';
import { createReadiness, faultOf } from './health.ts';

/**
 * Readiness, with what was logged of the helpdesk and of its fields. `broken`: what keeps it from being ready; it works again
 * after the third pause.
 */
function setUp(broken: 'refused' | 'no agent' | 'field' | null) {
  const lines: string[] = [];
  const note = ({ check, fault, fault_ended }: LogFields, message: string) => {
    if (check === 'helpdesk') lines.push(fault ?? fault_ended ?? message.split(':')[0] ?? '');
    if (check === 'fields' && (fault || fault_ended)) lines.push(fault ?? `${fault_ended} ended`);
  };
  const ctx = testContext({ logger: { ...silent, info: note, warn: note, error: note } });
  const world = { clock: ctx.clock, lines, looks: 0, broken, ctx };
  ctx.helpdesk.missingFields = () => (world.broken === 'field' ? ['HD Ticket.custom_orgid'] : []);
  ctx.helpdesk.people.identifyService = async () => {
    world.looks += 1;
    if (world.broken === 'refused') throw new HelpdeskError('unauthenticated', 'refused');
    return { user: 'deskside@desk.example', isAgent: world.broken !== 'no agent' };
  };
  const stop = new AbortController();
  const pauses: number[] = [];
  const readiness = createReadiness(ctx, async (ms) => {
    pauses.push(ms);
    ctx.clock.advance(ms);
    if (pauses.length === 3) world.broken = null;
    if (pauses.length === 4) stop.abort();
  });
  return Object.assign(world, { readiness, pauses, stopped: stop.signal });
}

const works = 'The helpdesk answers the service account.';

test('however many ask, one look in five seconds answers them, whether it fails or not', async () => {
  const { clock, looks, readiness, ...world } = setUp('refused');
  const ask = async () => (await readiness.checks()).map(({ ok }) => ok);
  expect(await Promise.all(Array.from({ length: 100 }, ask))).toEqual(Array(100).fill([true, false, true, true]));
  clock.advance(4_999);
  await ask();
  expect(world.lines).toHaveLength(1);
  clock.advance(1);
  await ask();
  expect(world.lines).toHaveLength(2);
});

test.each([
  ['refused', 'service_key_refused'],
  ['no agent', 'service_account_limited'],
] as const)(
  'a helpdesk by which we are %s is said once without anybody asking, becomes a fault if it stays, and its end is said',
  async (broken, fault) => {
    const world = setUp(broken);
    await world.readiness.watch(world.stopped);
    expect(world.lines).toEqual(['Not ready', fault, 'Ready again', fault]);
    // Ten seconds at most, and five, until it is a fault.
    expect([world.pauses, world.looks]).toEqual([[5_000, 5_000, 5_000, 10_000], 4]);
  },
);

test('a field that the helpdesk lacks is a fault, and keeps nobody away', async () => {
  const world = setUp('field');
  const [isReady] = [(await world.readiness.checks()).every(({ ok }) => ok)];
  world.clock.advance(10_000);
  await world.readiness.watch(world.stopped);
  expect(isReady).toBe(true);
  expect(world.lines).toEqual([works, 'helpdesk_field_missing', 'helpdesk_field_missing ended']);
});

test('a store that cannot be written is looked at without anybody asking', async () => {
  const world = setUp(null);
  world.ctx.store.database.exec('drop table notes');
  const faults: unknown[] = [];
  world.ctx.logger.error = ({ fault }) => void faults.push(fault);
  await world.readiness.watch(world.stopped);
  expect(faults).toEqual(['store_failing']);
});

test.each([
  [401, 'AuthenticationError', 'service_key_refused'],
  [403, 'PermissionError', 'service_account_limited'],
  [500, 'OperationalError', 'helpdesk_unreachable'],
])('a task that the helpdesk answers %i %s fails of its own cause', (status, excType, fault) => {
  const refusal = refusalOf(status, { exc_type: excType }, 'Listing HD Ticket');
  expect(refusal && faultOf(refusalAsOutage(refusal))).toBe(fault);
});

test('where everything works it goes on looking', async () => {
  const world = setUp(null);
  await world.readiness.watch(world.stopped);
  expect([world.looks, world.lines, world.pauses]).toEqual([4, [works], Array(4).fill(10_000)]);
});
