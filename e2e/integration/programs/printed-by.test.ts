import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { printedBy } from '@deskside/testing/printed-by';
import { expect, test } from 'vitest';

function setUp(keep?: number) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const child = Object.assign(new EventEmitter(), { stdout, stderr });
  return { ...printedBy(child as unknown as ChildProcess, keep), stdout, end: () => child.emit('close', 1, null) };
}

test('an address that comes in two pieces is one address', async () => {
  const { address, stdout } = setUp();
  for (const piece of ['starts\nhttp://127.0.0.1:80', '87\n', 'listens\n']) stdout.write(piece);
  expect(await address).toBe('http://127.0.0.1:8087');
});

test('of what is printed no more is kept than twice what was asked for, and its end is in the error', async () => {
  const { address, output, stdout, end } = setUp(50);
  for (let nth = 0; nth < 30; nth += 1) stdout.write('x'.repeat(10));
  stdout.write('the end');
  await expect.poll(output).toMatch(/the end$/);
  expect(output().length).toBeLessThanOrEqual(100);
  end();
  await expect(address).rejects.toThrow(/^A process ended: x+the end$/);
});
