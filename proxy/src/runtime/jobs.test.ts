import { expect, test } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { AppError } from './app-error.ts';
import { createBackground, reasonOf, runRegularly } from './jobs.ts';
import type { LogFields } from './log.ts';
import { silent } from './testing/quiet.ts';

test('however many tickets are opened, only so many tasks are held, and later there is room again', async () => {
  const background = createBackground(silent);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let started = 0;
  const task = async () => {
    started += 1;
    await held;
  };
  for (let ticket = 0; ticket < 5_000; ticket += 1) background.run(`responsible ${ticket}`, task);
  await expect.poll(() => started).toBe(1_000);
  letGo();
  await background.idle();
  expect(started).toBe(1_000);
  background.run('responsible 4999', task);
  await background.idle();
  expect(started).toBe(1_001);
});

test.each([
  [new HelpdeskError('timeout', 'of Nguyễn Văn A'), 'helpdesk_timeout'],
  [new AppError('changed_since'), 'changed_since'],
  [new RangeError('of Nguyễn Văn A'), 'RangeError'],
  ['of Nguyễn Văn A', 'unknown'],
])('a log line says of %o what went wrong and quotes nothing', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

test('what a regular task fails of twice is a fault until it succeeds, and another cause is another fault', async () => {
  const noted: string[] = [];
  const note = ({ fault, fault_ended, kind }: LogFields) => {
    if (fault) noted.push(`${fault} of ${kind}`);
    if (fault_ended) noted.push(`${fault_ended} of ${kind} ended`);
  };
  const outcomes = ['works', 'store', 'works', 'store', 'store', 'store', 'helpdesk', 'bug', 'works', 'works'];
  const stop = new AbortController();
  const how = {
    name: 'sweep',
    everyMs: 0,
    logger: { ...silent, info: note, error: note },
    stopped: stop.signal,
    faultOf: ({ message }: Error) =>
      message === 'bug' ? null : message === 'store' ? ('store_failing' as const) : ('helpdesk_unreachable' as const),
  };
  const { ended } = runRegularly(how, async () => {
    const outcome = outcomes.shift();
    if (outcome === undefined) stop.abort();
    else if (outcome !== 'works') throw new Error(outcome);
  });
  await ended;
  expect(noted).toEqual([
    'store_failing of sweep',
    'store_failing of sweep ended',
    'helpdesk_unreachable of sweep',
    'helpdesk_unreachable of sweep ended',
  ]);
});
