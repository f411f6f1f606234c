import { expect, test } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { silent } from '#testing/quiet.ts';
import { AppError } from './app-error.ts';
import { createBackground, reasonOf } from './jobs.ts';

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
