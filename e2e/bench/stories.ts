import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contract } from '@deskside/shared/contract';
import { demo } from '@deskside/simulators/seed/index';
import { startWorld } from '../demo/world.ts';
import { keyOf } from '../integration/key-of.ts';
import { nativeRules, settle } from '../integration/pipeline-kit.ts';
import { routedCases } from '../integration/routed-cases.ts';

/**
 * How much of the proxy somebody has to read who follows one request: the files in which a function ran in every run, all
 * their lines, and the lines of those functions alone. `--files` names them.
 */
const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } });
const runs = 6;
/** After so long an answer of one second is forgotten. */
const forgotten = 1_100;
const root = fileURLToPath(new URL('../..', import.meta.url));
const production = /^(proxy|shared)\/src\/(?!.*(testing\/|\.test\.|\.contract\.))/;

const folder = await mkdtemp(path.join(tmpdir(), 'deskside-stories-'));
const rules = path.join(folder, 'no-platform-accounts.json');
await writeFile(rules, JSON.stringify({ platform_hosts: ['myplatform.example'] }));
const world = await startWorld({ data: path.join(folder, 'data'), pipeline: true, environment: { RULES_FILE: rules } });
world.helpdesk.settings.webhookDelayMs = 0;
nativeRules(world, false);
const { prepare, insert } = routedCases['a known customer, by an address of the CRM'] ?? {};
prepare?.(world);
const session = new Session();
session.connect();
await session.post('Profiler.enable');

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
await showProfile();
await tell('GET profile, warm', showProfile, forgotten);
await tell('GET profile, again within a second', showProfile);
await route();
await tell('webhook until the agent is assigned', route);
session.disconnect();
await world.close();
await rm(folder, { recursive: true, force: true });

async function tell(name: string, story: () => Promise<unknown>, pause = 0): Promise<void> {
  await story();
  const ran: Map<string, Set<string>>[] = [];
  for (let run = 0; run < runs; run += 1) {
    await wait(pause);
    ran.push(await functionsOf(story));
  }
  const [first = new Map<string, Set<string>>()] = ran;
  const files: { file: string; lines: number; ran: number }[] = [];
  for (const [file, functions] of first) {
    const always = [...functions].filter((range) => ran.every((one) => one.get(file)?.has(range)));
    if (always.length === 0) continue;
    const text = await readFile(path.join(root, file), 'utf8');
    files.push({ file, lines: text.split('\n').length - 1, ran: linesOf(text, always) });
  }
  const sum = (of: 'lines' | 'ran') => files.reduce((all, one) => all + one[of], 0);
  console.log(`${name}: ${files.length} files, ${sum('lines')} lines, ${sum('ran')} of them in functions that ran`);
  if (!values.files) return;
  for (const one of files.sort((a, b) => a.ran - b.ran)) console.log(`  ${one.ran}\tof ${one.lines}\t${one.file}`);
}

/** Which functions of the product ran meanwhile: by file, as `from-to` in characters. */
async function functionsOf(story: () => Promise<unknown>): Promise<Map<string, Set<string>>> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await story();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const files = new Map<string, Set<string>>();
  for (const { url, functions } of result) {
    const file = url.startsWith('file:') ? path.relative(root, fileURLToPath(url)) : '';
    const ranges = functions.flatMap((one) => one.ranges.filter(({ count }) => count > 0));
    if (production.test(file) && ranges.length > 0)
      files.set(file, new Set(ranges.map(({ startOffset, endOffset }) => `${startOffset}-${endOffset}`)));
  }
  return files;
}

function linesOf(text: string, ranges: readonly string[]): number {
  const lines = new Set<number>();
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  for (const range of ranges) {
    const [from = 0, to = 0] = range.split('-').map(Number);
    for (let line = lineAt(from); line <= lineAt(to); line += 1) lines.add(line);
  }
  return lines.size;
}
