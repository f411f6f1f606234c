import { readFile, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { contract } from '@deskside/shared/contract';
import { demo } from '@deskside/simulators/seed/index';
import { startWorld } from '../demo/world.ts';
import { keyOf } from '../integration/key-of.ts';
import { nativeRules, settle } from '../integration/pipeline-kit.ts';
import { routedCases } from '../integration/routed-cases.ts';
import type { BenchCase, Row } from './measure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const production = /^(proxy|shared)\/src\/(?!.*(testing\/|\.test\.|\.contract\.))/;
/** After so long an answer of one second is forgotten. */
const forgotten = 1_100;

/**
 * How much of the proxy somebody has to read who follows one request: the files in which a function ran in every run, and the
 * lines of those functions.
 */
export const stories: BenchCase = {
  name: 'stories',
  isSlow: true,
  async measure({ isSmall, folder }) {
    const rules = path.join(folder, 'no-platform-accounts.json');
    await writeFile(rules, JSON.stringify({ platform_hosts: ['myplatform.example'] }));
    const environment = { RULES_FILE: rules };
    const world = await startWorld({ data: path.join(folder, 'data'), pipeline: true, environment });
    const session = new Session();
    session.connect();
    try {
      await session.post('Profiler.enable');
      world.helpdesk.settings.webhookDelayMs = 0;
      nativeRules(world, false);
      const { prepare, insert } = routedCases['a known customer, by an address of the CRM'] ?? {};
      prepare?.(world);
      // Not by the shared client, which would count as the proxy's.
      const showProfile = async () => {
        const at = `${world.proxyUrl}${contract.customerProfile.path}?ticket=${demo.tickets.matched}`;
        const answered = await fetch(at, { headers: { authorization: keyOf(demo.agent) } });
        if (!answered.ok) throw new Error(`${answered.status} ${await answered.text()}`);
        await answered.text();
      };
      const route = async () => {
        await insert?.(world);
        await settle(world);
      };
      const runs = isSmall ? 1 : 6;
      return [...(await rowsOf('a warm profile', showProfile, forgotten)), ...(await rowsOf('a routed ticket', route))];

      async function rowsOf(name: string, story: () => Promise<void>, pause = 0): Promise<Row[]> {
        const ran: Set<string>[] = [];
        for (let run = -1; run < runs; run += 1) {
          await wait(pause);
          // The first run only warms up.
          if (run < 0) await story();
          else ran.push(await functionsOf(session, story));
        }
        const always = [...(ran[0] ?? [])].filter((one) => ran.every((functions) => functions.has(one)));
        const files = Object.entries(Object.groupBy(always, (one) => one.split(':')[0] ?? ''));
        const lines = await Promise.all(files.map(([file, functions = []]) => linesOf(file, functions)));
        const sum = lines.reduce((all, one) => all + one, 0);
        return [
          { measure: `${name}, files to read`, unit: '', ours: [files.length] },
          { measure: `${name}, lines of functions that run`, unit: '', ours: [sum] },
        ];
      }
    } finally {
      session.disconnect();
      await world.close();
    }
  },
};

/** Which functions of the product ran meanwhile, as `file:from:to` in characters. */
async function functionsOf(session: Session, story: () => Promise<void>): Promise<Set<string>> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await story();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const ran = result.flatMap(({ url, functions }) => {
    const file = url.startsWith('file:') ? path.relative(root, fileURLToPath(url)) : '';
    const ranges = functions.flatMap((one) => one.ranges.filter(({ count }) => count > 0));
    return production.test(file) ? ranges.map((one) => `${file}:${one.startOffset}:${one.endOffset}`) : [];
  });
  return new Set(ran);
}

/** How many lines of a file these functions have, each counted once. */
async function linesOf(file: string, functions: readonly string[]): Promise<number> {
  const text = await readFile(path.join(root, file), 'utf8');
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const lines = new Set<number>();
  for (const one of functions) {
    const [, from = 0, to = 0] = one.split(':').map(Number);
    for (let line = lineAt(from); line <= lineAt(to); line += 1) lines.add(line);
  }
  return lines.size;
}
