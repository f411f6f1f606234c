import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Counts, sum } from './read-reports.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the proxy is built. */
export const proxyFolder = path.join(root, 'proxy', '.output', 'deskside');

/** Runs a tool of the workspace; gives its exit code. */
export function run(tool: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return exitCodeOf(start(tool, args, 'inherit', env));
}

async function runSilently(
  tool: string,
  args: string[],
  env?: Record<string, string>,
): Promise<{ code: number; text: Buffer }> {
  const child = start(tool, args, ['ignore', 'pipe', 'pipe'], env);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await exitCodeOf(child);
  return { code, text: Buffer.concat(output) };
}

/** One yes-or-no check, counted as one test. Its output appears in one piece when it fails. */
async function check(name: string, tool: string, args: string[]): Promise<Counts> {
  const startedAt = Date.now();
  const { code, text } = await runSilently(tool, args);
  const ok = code === 0;
  if (!ok) process.stdout.write(text);
  console.log(`${ok ? '✓' : '✗'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  return { passed: Number(ok), failed: Number(!ok), skipped: [], failures: ok ? [] : [name] };
}

/** Lint, format, citations, what nothing uses, and types, all at once. What the compiler found out about unchanged files is kept between runs. */
export async function runCheck(): Promise<Counts> {
  const types = (name: string) => {
    const kept = path.join(root, 'node_modules', '.cache', 'deskside', `types-${name.replace('/', '-')}.json`);
    // Each checker of a process works out by itself what they have in common, and here five processes run at once.
    const args = ['-p', name, '--checkers', '1', '--incremental', '--tsBuildInfoFile', kept];
    return check(`types of ${name}`, 'tsc', args);
  };
  return sum(
    await Promise.all([
      check('lint and format', 'biome', ['ci', '--error-on-warnings', '.']),
      check('citations', 'node', ['scripts/check-citations.ts']),
      check('nothing unused', 'knip', ['--no-progress']),
      ...['shared', 'proxy', 'extension', 'e2e'].map(types),
    ]),
  );
}

function start(tool: string, args: string[], stdio: StdioOptions, env: Record<string, string> = {}): ChildProcess {
  const bin =
    [path.join(root, 'node_modules', '.bin', tool), path.join(root, 'e2e', 'node_modules', '.bin', tool)].find(
      existsSync,
    ) ?? tool;
  return spawn(bin, args, { cwd: root, stdio, env: { ...process.env, ...env }, shell: process.platform === 'win32' });
}

function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * A test runner that writes its counts as JSON: `args` gets the file's path, `read` takes the counts out of it. Its output
 * appears in one piece when it fails, and a line for each package in any case.
 */
export async function runner(
  tool: string,
  args: (file: string) => string[],
  env: (file: string) => Record<string, string>,
  read: (report: unknown) => { counts: Counts; lines: string[] },
): Promise<Counts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-report-'));
  const file = path.join(folder, 'report.json');
  try {
    const { code, text } = await runSilently(tool, args(file), env(file));
    if (code !== 0) process.stdout.write(text);
    const { counts, lines } = read(JSON.parse(await readFile(file, 'utf8')));
    for (const line of lines) console.log(line);
    // A runner that failed without a failed test has failed all the same.
    return code !== 0 && counts.failed === 0
      ? { ...counts, failed: 1, failures: [`${tool} ended with ${code}`] }
      : counts;
  } catch {
    return { passed: 0, failed: 1, skipped: [], failures: [`${tool} wrote no report`] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
