import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { doctorCommand } from '@deskside/proxy/doctor';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, sharedSeed } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { onTestFinished, vi } from 'vitest';
import { proxyEnvironment } from '../demo/proxy-environment.ts';
import { webhookSecret } from '../demo/world.ts';
import { staff } from './pipeline-kit.ts';
import { type ServerProcess, serveProxy } from './servers.ts';

export interface CommandRun {
  code: number | null;
  out: string;
  error: string;
}

/** A command of the proxy in a process of its own, with this environment alone; nobody answers its questions. */
export async function runDeskside(args: readonly string[], environment: Record<string, string>): Promise<CommandRun> {
  const child = spawn(process.execPath, ['--', proxyCli, ...args], {
    cwd: '/',
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.error += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...said };
}

/**
 * A command of the proxy in this process, which costs a fraction of one of its own: what it prints and how it ends, where
 * it neither throws nor was called wrongly.
 */
export async function runHere(
  command: ReturnType<typeof doctorCommand>,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<CommandRun> {
  const [out, error]: [string[], string[]] = [[], []];
  const into = (said: string[], end: string) => (text: unknown) => said.push(`${text}${end}`) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into(out, '')),
    vi.spyOn(console, 'log').mockImplementation(into(out, '\n')),
    vi.spyOn(console, 'error').mockImplementation(into(error, '\n')),
  ];
  const signals = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, process.listeners(signal)] as const);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    await command.exitOverride().parseAsync(args, { from: 'user' });
    return { code: Number(process.exitCode ?? 0), out: out.join(''), error: error.join('') };
  } finally {
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
    // A command waits for the signals that end its process.
    for (const [signal, before] of signals)
      for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
  }
}

/**
 * A helpdesk whose agents are all there, and the settings of a proxy that is to be killed beside it. Its store is in
 * `folder`, or where `database` says. A concurrent test has to hand in the hook of its own.
 */
export async function deskForProcesses({ native = false, database = '', finished = onTestFinished } = {}) {
  const helpdesk = await startHelpdesk({ seed: sharedSeed().helpdesk });
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-processes-'));
  finished(async () => {
    await helpdesk.close();
    await rm(folder, { recursive: true, force: true });
  });
  staff({ helpdesk }, native);
  helpdesk.settings.webhookPauseScale = 0.01;
  const url = database || `file:${path.join(folder, 'data')}`;
  const environment = {
    ...proxyEnvironment({ helpdesk }, url),
    HELPDESK_WEBHOOK_SECRET: webhookSecret,
    LOG_LEVEL: 'silent',
  };
  const insert = (subject = 'x') =>
    helpdesk.insertTicket(demo.service.name, { subject, raised_by: 'khach.la@hopthu.example' });
  return { helpdesk, folder, url, environment, insert };
}

/** How many rows there are in a table of a SQLite store. */
export function countRows(table: string, file: string): unknown {
  const database = new DatabaseSync(file);
  try {
    return database.prepare(`select count(*) as rows from ${table}`).get()?.rows;
  } finally {
    database.close();
  }
}

/** The first sweep begins the time from which a sweep finds what no webhook could tell: one row. */
export const firstSweep = `notes where key = 'swept'`;

/** The proxy as a process of its own, which ends with the test, or when `finished` says. */
export async function spawnProxy(
  environment: Record<string, string>,
  finished: (end: () => Promise<void>) => void = onTestFinished,
): Promise<ServerProcess> {
  const proxy = await serveProxy({ LOG_LEVEL: 'warn', ...environment });
  finished(() => proxy.end());
  return proxy;
}
