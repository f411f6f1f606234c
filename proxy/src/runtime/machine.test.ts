import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { machine, runOn } from './machine.ts';

const proxySrc = new URL('../', import.meta.url).pathname;

/** What takes time, chance or ids by itself. A time that is handed on as a value is none. */
const past =
  /\b(AbortSignal\.timeout|Math\.random|randomUUID|performance\.now|setTimeout|setInterval|setImmediate|Date\.now)\b|new Date\(\)/;

/** Commands and the start, which no simulation runs; the server's own sockets; and the machine itself. */
const exempt = [
  'commands/**',
  'setup/**',
  'main.ts',
  'server/http-server.ts',
  'runtime/machine.ts',
  '**/testing/**',
  '**/*.{test,contract}.ts',
];

test('what runs in the service takes time, chance and ids from its machine', () => {
  const files = globSync('**/*.ts', { cwd: proxySrc, exclude: exempt });
  expect(files.length).toBeGreaterThan(90);
  const lines = files.flatMap((file) =>
    readFileSync(`${proxySrc}${file}`, 'utf8')
      .split('\n')
      .filter((line) => past.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});

test('another machine is in force until it is put away', () => {
  const before = machine;
  const other = { ...before, uuid: () => 'one of ours' };
  const putAway = runOn(other);
  expect(machine.uuid()).toBe('one of ours');
  putAway();
  expect(machine).toBe(before);
});
