import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { inRequest } from './request-id.ts';

/** Keeps what is written, and says what had been written whenever something was to be written at once. */
function written() {
  const texts: string[] = [];
  const flushed: number[] = [];
  const output = { write: (text: string) => void texts.push(text), flush: () => void flushed.push(texts.length) };
  return { output, flushed, lines: () => texts.map((text) => JSON.parse(text)) };
}

test('a line has level, time, the request that it belongs to, its fields and its message, and no secret', () => {
  const { output, lines } = written();
  const logger = createLogger('info', (text) => text.replaceAll('s3cret', '[secret]'), output);
  inRequest('r-1', () => logger.warn({ key: 's3cret', code: undefined }, 'Refused'));
  expect(lines()).toEqual([
    { level: 40, time: expect.stringMatching(/^\d{4}-.*Z$/), request_id: 'r-1', key: '[secret]', msg: 'Refused' },
  ]);
});

test('a level that is not wanted is not written', () => {
  const { output, lines } = written();
  const logger = createLogger('warn', (text) => text, output);
  logger.info({}, 'note');
  logger.error({}, 'trouble');
  expect(lines().map(({ msg }) => msg)).toEqual(['trouble']);
});

test('notes wait for each other; a warning is written at once, after what came before it', () => {
  const { output, flushed } = written();
  const logger = createLogger('info', (text) => text, output);
  logger.info({}, 'one');
  logger.info({}, 'two');
  expect(flushed).toEqual([]);
  logger.warn({}, 'three');
  expect(flushed).toEqual([3]);
});

test('what cannot be written as JSON does not end what wanted to log it', () => {
  const { output, lines } = written();
  createLogger('info', (text) => text, output).error({ count: 1n }, 'Odd');
  expect(lines()).toEqual([{ level: 50, time: expect.any(String), msg: 'Odd' }]);
});
