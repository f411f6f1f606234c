import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { inRequest } from './request-id.ts';

/** Keeps what is written, and says what had been written whenever something was to be written at once. */
function written() {
  const texts: string[] = [];
  const flushed: number[] = [];
  const destination = { write: (text: string) => texts.push(text), flushSync: () => flushed.push(texts.length) };
  return { destination, flushed, lines: () => texts.map((text) => JSON.parse(text)) };
}

test('a line has level, time, the request that it belongs to, its fields and its message, and no secret', () => {
  const { destination, lines } = written();
  const logger = createLogger('info', (text) => text.replaceAll('s3cret', '[secret]'), destination);
  inRequest('r-1', () => logger.warn({ key: 's3cret', code: undefined }, 'Refused'));
  expect(lines()).toEqual([
    { level: 40, time: expect.stringMatching(/^\d{4}-.*Z$/), request_id: 'r-1', key: '[secret]', msg: 'Refused' },
  ]);
});

test('a level that is not wanted is not written', () => {
  const { destination, lines } = written();
  const logger = createLogger('warn', (text) => text, destination);
  logger.info({}, 'note');
  logger.error({}, 'trouble');
  expect(lines().map(({ msg }) => msg)).toEqual(['trouble']);
});

test('notes wait for each other; a warning is written at once, after what came before it', () => {
  const { destination, flushed } = written();
  const logger = createLogger('info', (text) => text, destination);
  logger.info({}, 'one');
  logger.info({}, 'two');
  expect(flushed).toEqual([]);
  logger.warn({}, 'three');
  expect(flushed).toEqual([3]);
});

test('what cannot be written as JSON does not end what wanted to log it', () => {
  const { destination, lines } = written();
  createLogger('info', (text) => text, destination).error({ count: 1n }, 'Odd');
  expect(lines()).toMatchObject([{ level: 50, msg: 'Odd' }]);
});

test('where the reader of its output is slow, a process waits for room instead of failing and sleeping', async () => {
  const isNonBlocking =
    "parseInt(/flags:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/fdinfo/1', 'utf8'))[1], 8) & 0o4000";
  const program = `
    import fs from 'node:fs';
    import { createLogger } from ${JSON.stringify(new URL('./logger.ts', import.meta.url).href)};
    process.stdout;
    const before = ${isNonBlocking};
    createLogger('info', (text) => text);
    console.error(Boolean(before), Boolean(${isNonBlocking}));`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  });
  expect(stderr.trim()).toBe('true false');
});
