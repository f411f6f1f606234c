import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rawConnection } from '@deskside/proxy/testing/raw-http';
import { contract } from '@deskside/shared/contract';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed } from '@deskside/simulators/seed/index';
import { createRandom } from '@deskside/simulators/seed/random';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { percentile } from '../bench/frame/closed-loop.ts';
import { proxyEnvironment } from '../demo/proxy-environment.ts';
import { keyOf } from '../integration/key-of.ts';
import {
  costlyRequest,
  eventToken,
  type FuzzRequest,
  fuzzRequest,
  publicUrl,
  scriptSecret,
  webhookSecret,
} from './fuzz-request.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** Address of an empty PostgreSQL database; SQLite without. */
  postgres?: string;
}

export interface FuzzReport {
  /** How often each HTTP status was answered; 0 where the connection ended without an answer. */
  statuses: Record<number, number>;
  logLines: number;
  writes: number;
  /** What the second caller waited, in milliseconds: alone, and while costly requests came. */
  waits: { alone: number; meanwhile: number };
  /** What must not have happened; the number of the request finds it again with the same seed. */
  findings: string[];
}

/** Who may not write anything. */
const strangers = [
  '',
  'Basic YTpi',
  'Bearer nobody',
  'token a:b',
  'token \u00e9:x',
  keyOf(demo.portal),
  keyOf(demo.sysonly),
];
/** Who may. */
const agents = [demo.agent, demo.otherAgent, demo.manager, demo.service].map(keyOf);
const mayWrite = new Set([demo.agent, demo.otherAgent, demo.manager, demo.service].map(({ name }) => name));
const second = { authorization: keyOf(demo.otherAgent) };
const concurrency = 32;
/** How many times what a caller waits alone they may wait while somebody else sends what is costly. */
const longerBy = 3;
/** A busy machine is not the service's fault: what is found has to be found each time. */
const looks = 3;
const asksPerRound = 30;
const shapesPerRound = 10;
/** Not `100 Continue`, which only says that the body may come. */
const finalAnswer = /^HTTP\/1\.1 (?!100).*\r\n\r\n(\{.*\})?$/ms;

/**
 * Sends so many odd requests to a real proxy between the simulators: first as people who may not write, then as people who
 * may, with signed events among them. Nothing may be answered with 5xx or logged as an error of ours, nobody may have
 * written who must not, and no secret may be in the log. Then one caller of any kind sends what is costly to read, and of
 * what a second caller waits meanwhile the 99th percentile is at most three times what it is alone.
 */
export async function runFuzz({ requests, seed, postgres }: FuzzOptions): Promise<FuzzReport> {
  const seeds = makeSeed();
  const helpdesk = await startHelpdesk({ seed: seeds.helpdesk });
  const crm = await startCrm({ seed: seeds.crm });
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-fuzz-'));
  const report: FuzzReport = { statuses: {}, logLines: 0, writes: 0, waits: { alone: 0, meanwhile: 0 }, findings: [] };
  const secrets = [...crm.secrets, demo.service.apiSecret, webhookSecret, scriptSecret, eventToken];
  const needles = [...secrets, ...seeds.helpdesk.users.map(({ apiSecret }) => apiSecret)];
  const proxy = spawn(process.execPath, [proxyCli, 'serve'], {
    cwd: data,
    env: childEnvironment({
      ...proxyEnvironment({ helpdesk, crm }, postgres ?? `file:${data}`),
      HELPDESK_WEBHOOK_SECRET: webhookSecret,
      HELPDESK_SCRIPT_SECRET: scriptSecret,
      CRM_EVENT_TOKEN: eventToken,
      ...{ OPERATOR_UI: '1', PUBLIC_URL: publicUrl, OAUTH_CLIENT_IDS: '{"operator":"fuzz-operator"}' },
      CRM_TIMEOUT_SECONDS: '1',
      CRM_PLAN: 'enterprise',
      LOG_LEVEL: 'debug',
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => proxy.on('close', () => resolve()));
  const started = Promise.withResolvers<string>();
  const readLine = (line: string) => {
    report.logLines += 1;
    if (/^http:\/\/\S+$/.test(line)) started.resolve(line);
    for (const needle of needles)
      if (line.includes(needle)) report.findings.push(`a secret in the log: ${line.slice(0, 400)}`);
    if (/"level":50/.test(line)) report.findings.push(`an error in the log: ${line.slice(0, 1_000)}`);
  };
  for (const stream of [proxy.stdout, proxy.stderr]) {
    let rest = '';
    stream.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(readLine);
    });
  }
  void ended.then(() => started.reject(new Error('The proxy ended.')));

  async function send(url: string, number: number, isStranger: boolean): Promise<void> {
    const random = createRandom(seed + number);
    const authorization = random.pick(isStranger ? strangers : agents);
    await exchange(url, number, fuzzRequest(random, authorization, !isStranger));
  }

  async function exchange(url: string, number: number, { bytes, isWhole }: FuzzRequest): Promise<void> {
    const connection = rawConnection(url, bytes);
    if (!isWhole) connection.socket.end();
    await Promise.race([connection.closed, connection.until(finalAnswer).catch(() => '')]);
    const received = connection.received();
    connection.socket.destroy();
    const status = Number(/^HTTP\/1\.1 (?!100)(\d{3})/m.exec(received)?.[1] ?? 0);
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    if (status >= 500) report.findings.push(`request ${number}: ${status} for ${describe(bytes)}`);
    if (status === 0 && isWhole) report.findings.push(`request ${number}: no answer to ${describe(bytes)}`);
    // What the caller sent may come back to the caller.
    for (const needle of secrets)
      if (received.includes(needle) && !bytes.includes(needle))
        report.findings.push(`request ${number}: a secret in its answer`);
  }

  /** What the second caller waits, in milliseconds, for one profile after another. */
  async function askedBySecond(url: string): Promise<number[]> {
    const waits = [];
    for (const ticket of Object.values(demo.tickets).slice(0, asksPerRound)) {
      const startedAt = performance.now();
      const response = await fetch(`${url}${contract.customerProfile.path}?ticket=${ticket}`, { headers: second });
      await response.arrayBuffer();
      waits.push(performance.now() - startedAt);
    }
    return waits;
  }

  /** Alone and meanwhile in turn, so that whatever else keeps the machine busy is in both. */
  async function lookAtWaits(url: string, from: number): Promise<FuzzReport['waits']> {
    const waits: { alone: number[]; meanwhile: number[] } = { alone: [], meanwhile: [] };
    await askedBySecond(url);
    for (let number = from; number < from + requests / 10 || number < from + 100; number += shapesPerRound) {
      // Made beforehand: this process has the second caller and the helpdesk in it, who would wait for that too.
      const costly = Array.from({ length: shapesPerRound }, (_, n) => {
        const random = createRandom(seed + number + n);
        return costlyRequest(random, random.pick([...strangers, ...agents]));
      });
      waits.alone.push(...(await askedBySecond(url)));
      let isAsking = true;
      const sending = (async () => {
        for (let sent = 0; isAsking; sent += 1) {
          const request = costly[sent % shapesPerRound];
          if (request) await exchange(url, number + (sent % shapesPerRound), request);
        }
      })();
      waits.meanwhile.push(...(await askedBySecond(url)));
      isAsking = false;
      await sending;
    }
    return { alone: percentile(waits.alone, 0.99), meanwhile: percentile(waits.meanwhile, 0.99) };
  }

  async function judgeWaits(url: string): Promise<void> {
    for (let look = 0; look < looks; look += 1) {
      report.waits = await lookAtWaits(url, requests + look * 1_000_000);
      if (report.waits.meanwhile <= longerBy * report.waits.alone) return;
    }
    const { alone, meanwhile } = report.waits;
    report.findings.push(`a second caller waits ${meanwhile.toFixed(0)} ms instead of ${alone.toFixed(0)}`);
  }

  /** Looks at what was written to the helpdesk since the last look. */
  function judgeWrites(isStrangers: boolean): void {
    for (const { method, path: at, user } of helpdesk.journal) {
      if (method === 'GET') continue;
      report.writes += 1;
      if (isStrangers || !mayWrite.has(user)) report.findings.push(`${user} wrote: ${method} ${at}`);
    }
    helpdesk.clearJournal();
  }

  try {
    const url = await started.promise;
    const half = Math.floor(requests / 2);
    for (const [from, to, isStrangers] of [
      [0, half, true],
      [half, requests, false],
    ] as const) {
      let next = from;
      const worker = async () => {
        while (next < to && proxy.exitCode === null) {
          next += 1;
          await send(url, next - 1, isStrangers);
          if (helpdesk.journal.length > 5_000) judgeWrites(isStrangers);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      judgeWrites(isStrangers);
    }
    await judgeWaits(url);
    judgeWrites(false);
    if (proxy.exitCode !== null) report.findings.push(`the proxy ended with ${proxy.exitCode}`);
  } finally {
    proxy.kill('SIGTERM');
    await ended;
    await Promise.all([helpdesk.close(), crm.close()]);
    await rm(data, { recursive: true, force: true });
  }
  return report;
}

function describe(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 600).toString('latin1'));
}
