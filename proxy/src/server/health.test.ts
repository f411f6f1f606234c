import { expect, test } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { LogFields } from '#runtime/log.ts';
import { silent } from '#testing/quiet.ts';
import { testContext } from '#testing/test-context.ts';
import { createReadiness } from './health.ts';

const { signal } = new AbortController();

/** Readiness, with what was logged of the helpdesk, which works again after the third pause. */
function setUp({ isRefused }: { isRefused: boolean }) {
  const lines: string[] = [];
  const note = (fields: LogFields, message: string) =>
    void (fields.check === 'helpdesk' && lines.push(fields.fault ?? fields.fault_ended ?? message.split(':')[0] ?? ''));
  const ctx = testContext({ logger: { ...silent, info: note, warn: note, error: note } });
  const world = { clock: ctx.clock, lines, looks: 0, isRefused };
  ctx.helpdesk.missingFields = () => [];
  ctx.helpdesk.people.ping = async () => {
    world.looks += 1;
    if (world.isRefused) throw new HelpdeskError('unauthenticated', 'refused');
  };
  let slept = 0;
  const readiness = createReadiness(ctx, async (ms) => {
    slept += 1;
    ctx.clock.advance(ms);
    if (slept === 3) world.isRefused = false;
  });
  return Object.assign(world, { readiness });
}

const works = 'The helpdesk answers the service account.';
const fails = ['Not ready', 'service_key_refused', 'Ready again', 'service_key_refused'];

test('however many ask, one look in five seconds answers them, whether it fails or not', async () => {
  const { clock, looks, readiness, ...world } = setUp({ isRefused: true });
  const ask = async () => (await readiness.checks()).map(({ ok }) => ok);
  expect(await Promise.all(Array.from({ length: 100 }, ask))).toEqual(Array(100).fill([true, false, true]));
  clock.advance(4_999);
  await ask();
  expect(world.lines).toHaveLength(1);
  clock.advance(1);
  await ask();
  expect(world.lines).toHaveLength(2);
});

test('what keeps it from being ready is said once, becomes a fault if it stays, and its end is said', async () => {
  const world = setUp({ isRefused: true });
  await world.readiness.untilReady(signal);
  expect([world.lines, world.looks]).toEqual([fails, 4]);
});

test('what fails while it runs is looked into without anybody asking, once', async () => {
  const world = setUp({ isRefused: false });
  await world.readiness.checks();
  world.isRefused = true;
  await Promise.all([world.readiness.lookAgain(signal), world.readiness.lookAgain(signal)]);
  expect([world.lines, world.looks]).toEqual([[works, ...fails], 4]);
});

test('where everything works it is looked at once', async () => {
  const world = setUp({ isRefused: false });
  await world.readiness.untilReady(signal);
  expect([world.looks, world.lines]).toEqual([1, [works]]);
});
