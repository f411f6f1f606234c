import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = JSON.stringify(new URL('./standard-output.ts', import.meta.url).href);

/** A program that writes, as arguments for Node. */
const program = (body: string) => [
  '--input-type=module',
  '--eval',
  `import fs from 'node:fs'; import { standardOutput } from ${module}; ${body}`,
];
const run = promisify(execFile);

test('where the reader is slow, a process waits for room instead of failing', async () => {
  const isNonBlocking =
    "parseInt(/flags:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/fdinfo/1', 'utf8'))[1], 8) & 0o4000";
  const { stderr } = await run(
    process.execPath,
    program(`
      process.stdout;
      const before = ${isNonBlocking};
      standardOutput();
      console.error(Boolean(before), Boolean(${isNonBlocking}));`),
  );
  expect(stderr.trim()).toBe('true false');
});

test('what waits is written when the process ends, and within a moment while it runs', async () => {
  const child = spawn(
    process.execPath,
    program(`
      const output = standardOutput();
      output.write('one\\n');
      process.stdin.once('data', () => {
        output.write('two\\n');
        process.exit();
      });`),
  );
  const [first] = await once(child.stdout, 'data');
  expect(String(first)).toBe('one\n');
  child.stdin.write('go on');
  expect(await text(child.stdout)).toBe('two\n');
});

test('nothing is lost where the output takes less than is written, and does not wait itself', async () => {
  const child = spawn(
    process.execPath,
    program(`
      const output = standardOutput();
      process.stdout._handle.setBlocking(false);
      output.write('ä'.repeat(500_000));
      process.stdout._handle.setBlocking(true);`),
  );
  expect(await text(child.stdout)).toBe('ä'.repeat(500_000));
});

test('a reader that has gone ends nothing', async () => {
  const child = spawn(
    process.execPath,
    program(`
      process.stdin.once('data', () => {
        standardOutput().write('x'.repeat(10_000));
        standardOutput().flush();
        console.error('still here');
        process.exit();
      });`),
  );
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.write('go on');
  expect(await text(child.stderr)).toBe('still here\n');
});
