import { expect, test } from 'vitest';
import { createReadiness, type Looked } from '#server/health.ts';
import { fakeClock, silent } from '#testing/quiet.ts';
import type { LogFields } from './log.ts';

const fine: Looked = { ok: true, message: 'The helpdesk answers.' };
const refused: Looked = { ok: false, message: 'The key is refused.', fault: 'service_key_refused' };

/** Readiness whose helpdesk is as given, with what was logged of it. */
function setUp(helpdesk: Looked) {
  const clock = fakeClock();
  const lines: string[] = [];
  const note = (fields: LogFields, message: string) =>
    void (fields.check === 'helpdesk' && lines.push(fields.fault ?? fields.fault_ended ?? message));
  const world = { clock, lines, looks: 0, helpdesk, slept: 0 };
  const readiness = createReadiness({
    look: {
      store: async () => ({ ok: true, message: 'The store answers.' }),
      webhook: async () => ({ ok: true, message: 'No ticket has come yet.' }),
      helpdesk: async () => {
        world.looks += 1;
        return world.helpdesk;
      },
    },
    clock,
    logger: { ...silent, info: note, warn: note, error: note },
    sleep: async (ms) => {
      world.slept += 1;
      clock.advance(ms);
      if (world.slept === 3) world.helpdesk = fine;
    },
  });
  return Object.assign(world, { readiness });
}

test('however many ask, one look in five seconds answers them, whether it fails or not', async () => {
  const world = setUp(refused);
  const { clock, readiness } = world;
  const ask = async () => (await readiness.checks()).map(({ ok }) => ok);
  expect(await Promise.all(Array.from({ length: 100 }, ask))).toEqual(Array(100).fill([true, false, true]));
  clock.advance(4_999);
  expect(await ask()).toEqual([true, false, true]);
  expect(world.lines).toHaveLength(1);
  clock.advance(1);
  await ask();
  expect(world.lines).toHaveLength(2);
});

test('what keeps it from being ready is said once, becomes a fault if it stays, and its end is said', async () => {
  const world = setUp(refused);
  await world.readiness.untilReady(new AbortController().signal);
  expect(world.lines).toEqual([
    'Not ready: The key is refused.',
    'service_key_refused',
    'Ready again: The helpdesk answers.',
    'service_key_refused',
  ]);
  expect(world.looks).toBe(4);
});

test('what fails while it runs is looked into without anybody asking: a fault if it stays, and its end', async () => {
  const world = setUp(fine);
  const { signal } = new AbortController();
  await world.readiness.checks();
  world.helpdesk = refused;
  const looking = [world.readiness.lookAgain(signal), world.readiness.lookAgain(signal)];
  await Promise.all(looking);
  expect(world.lines).toEqual([
    'The helpdesk answers.',
    'Not ready: The key is refused.',
    'service_key_refused',
    'Ready again: The helpdesk answers.',
    'service_key_refused',
  ]);
  expect(world.looks).toBe(4);
});

test('another sentence about what works is no news', async () => {
  const world = setUp(fine);
  await world.readiness.checks();
  world.helpdesk = { ok: true, message: 'The helpdesk answers, and more.' };
  world.clock.advance(5_000);
  await world.readiness.checks();
  expect(world.lines).toEqual(['The helpdesk answers.']);
});

test('where everything works it is looked at once', async () => {
  const world = setUp(fine);
  await world.readiness.untilReady(new AbortController().signal);
  expect([world.looks, world.lines]).toEqual([1, ['The helpdesk answers.']]);
});
