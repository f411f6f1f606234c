import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface Counts {
  passed: number;
  failed: number;
}

/** Runs a tool of the workspace with its output on the terminal; gives its exit code. */
export function run(tool: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const bin =
    [path.join(root, 'node_modules', '.bin', tool), path.join(root, 'e2e', 'node_modules', '.bin', tool)].find(
      existsSync,
    ) ?? tool;
  const child = spawn(bin, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** One yes-or-no check, counted as one test. */
export async function check(name: string, tool: string, args: string[]): Promise<Counts> {
  const startedAt = Date.now();
  const ok = (await run(tool, args)) === 0;
  console.log(`${ok ? '✓' : '✗'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  return { passed: Number(ok), failed: Number(!ok) };
}

/** Lint, format and types. */
export async function runCheck(): Promise<Counts> {
  const results = [await check('lint and format', 'biome', ['ci', '--error-on-warnings', '.'])];
  for (const name of ['shared', 'proxy', 'extension', 'e2e'])
    results.push(await check(`types of ${name}`, 'tsc', ['-p', name]));
  return sum(results);
}

/** A test runner that writes its counts as JSON: `args` gets the file's path, `read` takes the counts out of it. */
export async function runner(
  tool: string,
  args: (file: string) => string[],
  env: (file: string) => Record<string, string>,
  read: (report: unknown) => Counts,
): Promise<Counts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-report-'));
  const file = path.join(folder, 'report.json');
  try {
    const code = await run(tool, args(file), env(file));
    const counts = read(JSON.parse(await readFile(file, 'utf8')));
    // A runner that failed without a failed test has failed all the same.
    return { passed: counts.passed, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function sum(results: Counts[]): Counts {
  return {
    passed: results.reduce((total, r) => total + r.passed, 0),
    failed: results.reduce((total, r) => total + r.failed, 0),
  };
}
