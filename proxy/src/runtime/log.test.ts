import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskSecrets } from '#crm/rest.ts';
import { createLogger, createRedactor, inRequest, unexpected } from './log.ts';
import { Secret } from './secret.ts';

/** Keeps what is written. */
function written() {
  const texts: string[] = [];
  const output = { write: (line: string) => void texts.push(line) };
  return { output, lines: () => texts.map((line) => JSON.parse(line)) };
}

test('a line has level, time, the request that it belongs to, its fields and its message, and no secret', () => {
  const { output, lines } = written();
  const logger = createLogger('info', (line) => line.replaceAll('s3cret', '[secret]'), output);
  const named = { authorization: 'abc', password: 'abc', token: 'abc', secret: 'abc' };
  inRequest('r-1', () => {
    logger.warn({ key: 's3cret', code: undefined }, 'Refused s3cret');
    logger.warn({ request_id: 'r-2', ...named }, 'names its request');
  });
  logger.warn({}, 'in no request');
  logger.debug({}, 'not wanted');
  const line = { level: 40, time: expect.stringMatching(/^\d{4}-.*Z$/) };
  const hidden = Object.fromEntries(Object.keys(named).map((name) => [name, '[secret]']));
  expect(lines()).toEqual([
    { ...line, request_id: 'r-1', key: '[secret]', msg: 'Refused [secret]' },
    { ...line, request_id: 'r-2', ...hidden, msg: 'names its request' },
    { ...line, msg: 'in no request' },
  ]);
});

test('what cannot be written as JSON does not end what wanted to log it', () => {
  const { output, lines } = written();
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  createLogger('info', (line) => line, output).error({ count: 1n, circle }, 'Odd');
  expect(lines()).toEqual([expect.objectContaining({ level: 50, msg: 'Odd' })]);
});

const module = JSON.stringify(new URL('./log.ts', import.meta.url).href);

/** A program that logs, as arguments for Node. */
const program = (body: string) => [
  '--input-type=module',
  '--eval',
  `import { createLogger } from ${module}; const logger = createLogger('info', (line) => line); ${body}`,
];

test('what was logged last is written when the process ends, also by an exception, and to a slow reader', async () => {
  for (const end of ['process.exit();', 'throw new Error("x");', '']) {
    const lines = "for (let n = 0; n < 5_000; n += 1) logger.info({ n, x: 'x'.repeat(100) }, 'line');";
    const child = spawn(process.execPath, program(`${lines} ${end}`), { stdio: ['ignore', 'pipe', 'ignore'] });
    const said = (await text(child.stdout)).trim().split('\n');
    expect(said).toHaveLength(5_000);
    expect(JSON.parse(said.at(-1) ?? '')).toMatchObject({ n: 4_999 });
  }
});

test('a reader that has gone ends nothing', async () => {
  const child = spawn(
    process.execPath,
    program(`
      process.stdin.once('data', () => {
        for (let n = 0; n < 1_000; n += 1) logger.info({ x: 'x'.repeat(1_000) }, 'line');
        setTimeout(() => {
          logger.info({}, 'one more');
          console.error('still here');
          process.exit();
        }, 100);
      });`),
  );
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.write('go on');
  expect(await text(child.stderr)).toBe('still here\n');
});

const canary = 'c4n4ry-s3cr3t';

test('a Secret shows itself nowhere', () => {
  const secret = new Secret(canary);
  const shown = [
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    String(secret),
  ];
  expect(shown.join()).not.toContain(canary);
  expect(secret.reveal()).toBe(canary);
});

test('known secrets are taken out wherever they stand, also URL-encoded', () => {
  const redact = createRedactor([canary, 'p@ss word/1'], maskSecrets);
  expect(redact(`x${canary}y p@ss word/1 p%40ss%20word%2F1`)).toBe('x[secret]y [secret] [secret]');
});

test('a secret that begins like another goes as a whole, and what is too short for one stays', () => {
  const redact = createRedactor([canary, `${canary}-and-more`, 'words', 'sixfig'], maskSecrets);
  expect(redact(`some words ${canary}-and-more sixfig`)).toBe('some words [secret] [secret]');
});

test('without secrets a line stays as it is, but for credentials, of which the kind stays', () => {
  const redact = createRedactor([], maskSecrets);
  expect(redact('some words, Authorization: token abcdefgh12345678, and more')).toBe(
    'some words, Authorization: token [secret], and more',
  );
});

test.each([
  'https://crm.example/rest/57001/abcdefgh12345678/batch.json',
  'https://crm.example/rest/api/57001/abcdefgh12345678',
  'https%3A%2F%2Fcrm.example%2Frest%2F57001%2Fabcdefgh12345678%2F',
  'GET /show_file.php?auth=abcdefgh12345678&fileId=1',
  '{"url":"https://crm.example/x?id=1&access_token=abcdefgh12345678"}',
  'Authorization: token abcdefgh12345678',
  '{"authorization":"Bearer abcdefgh12345678"}',
])('a credential of anybody goes from %j', (text) => {
  expect(createRedactor([], maskSecrets)(text)).not.toContain('abcdefgh12345678');
});

test('no text around it lets a known secret through', () => {
  const redact = createRedactor([canary], maskSecrets);
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => !redact(before + canary + after).includes(canary)),
  );
});

test('of an unforeseen error its kind and the first places are told, and nothing of its message', () => {
  const places = Array.from({ length: 9 }, (_, at) => `    at step${at} (file.ts:${at}:1)`);
  const error = Object.assign(new TypeError(canary), {
    stack: [`TypeError: ${canary}`, `who lives at ${canary}`, ...places].join('\n'),
  });
  expect(unexpected(error)).toEqual({ error: 'TypeError', stack: places.slice(0, 7) });
  expect(unexpected(canary).error).toBe('Error');
  expect(unexpected(Object.assign(new Error(canary), { stack: undefined })).stack).toEqual([]);
});
