import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { callProxy } from '@deskside/shared/client';
import { demo } from '@deskside/simulators/seed/index';
import { createRandom } from '@deskside/simulators/seed/random';
import type { Page } from 'playwright';
import { buildExtension } from '../browser/build-extension.ts';
import { findChromium, howToGetChromium } from '../browser/find-chromium.ts';
import { launchWithExtension } from '../browser/launch.ts';
import { startWorld } from '../demo/world.ts';
import { keyOf } from '../integration/key-of.ts';
import { PanelPage } from '../tests/setup/panel-page.ts';
import { seenBy, watchForWrongCustomer } from '../tests/setup/watch-panel.ts';

/**
 * An agent's day with the docked panel: from ticket to ticket, some only skipped past. No company may ever stand under
 * another ticket's number, and the page's memory after the last switch may be a tenth above that after the first fifty.
 */
const { values } = parseArgs({ options: { switches: { type: 'string', default: '500' }, seed: { type: 'string' } } });
const switches = Number(values.switches);
const seed = Number(values.seed ?? Date.now() % 100_000);
const warmUp = 50;
const allowed = 1.1;

const executablePath = findChromium();
if (!executablePath) throw new Error(howToGetChromium);
const folder = await mkdtemp(path.join(tmpdir(), 'deskside-bench-'));
const world = await startWorld({ data: path.join(folder, 'data') });
const names = Object.values(demo.tickets).slice(0, 24);
const first = names[0] ?? '';
const companies: Record<string, string | null> = {};
for (const name of names) {
  const options = { baseUrl: world.proxyUrl, authorization: keyOf(demo.agent) };
  const result = await callProxy('customerProfile', { ticket: name }, options);
  companies[name] = result.ok ? (result.data.bitrix.company?.company_name ?? null) : null;
}
const extension = await buildExtension({
  out: folder,
  helpdeskOrigin: world.helpdesk.url,
  proxyOrigin: world.proxyUrl,
  mode: 'e2e',
});
const { context, close } = await launchWithExtension({ executablePath, extension, headless: true });
await context.addCookies([{ name: 'sid', value: world.helpdesk.sessionFor(demo.agent.name), url: world.helpdesk.url }]);
const page = await context.newPage();
const panel = new PanelPage(page, world, 'en');
await panel.open(first);
await watchForWrongCustomer(page, companies);

const random = createRandom(seed);
const startedAt = performance.now();
let before = await memory(page);
for (let nth = 1; nth <= switches; nth += 1) {
  await panel.moveTo(random.pick(names));
  if (random.chance(0.3)) await panel.settled();
  else await page.waitForTimeout(random.int(120));
  if (nth === warmUp) before = await memory(page);
}
const after = await memory(page);
const seconds = (performance.now() - startedAt) / 1_000;
const { wrong, looks, matched } = await seenBy(page);
const growth = after.heap / before.heap;
console.log(`${switches} switches in ${seconds.toFixed(0)} s, seed ${seed}`);
console.log(
  `${looks} looks at the panel, ${matched} with a company, ${wrong.length} wrong ${wrong.slice(0, 5).join('; ')}`,
);
console.log(`after ${warmUp}: ${describe(before)}`);
console.log(`after ${switches}: ${describe(after)} (${((growth - 1) * 100).toFixed(1)} %)`);
await close();
await world.close();
await rm(folder, { recursive: true, force: true });
if (wrong.length > 0 || growth > allowed) process.exitCode = 1;

interface Memory {
  heap: number;
  nodes: number;
  listeners: number;
}

/** What the page and the scripts in it hold on the first ticket, once the garbage is gone. */
async function memory(of: Page): Promise<Memory> {
  await panel.moveTo(first);
  await panel.settled();
  const devtools = await of.context().newCDPSession(of);
  let snapshot = '';
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    snapshot += chunk;
  });
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
  await devtools.detach();
  return { heap: held(JSON.parse(snapshot)), nodes, listeners: jsEventListeners };
}

/** The parts of V8's heap snapshot that are used here. `nodes`: the fields of one node after those of another. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/**
 * Bytes of what scripts hold. Without compiled code, of which the browser makes more the longer something runs, and without
 * what belongs to the browser, such as the requests that the developer tools remember.
 */
function held({ snapshot: { meta }, nodes }: Snapshot): number {
  const size = meta.node_fields.indexOf('self_size');
  const type = meta.node_fields.indexOf('type');
  const ignored = ['code', 'native'].map((name) => meta.node_types[0].indexOf(name));
  let sum = 0;
  for (let at = 0; at < nodes.length; at += meta.node_fields.length) {
    if (!ignored.includes(nodes[at + type] ?? -1)) sum += nodes[at + size] ?? 0;
  }
  return sum;
}

function describe({ heap, nodes, listeners }: Memory): string {
  return `${(heap / 1e6).toFixed(2)} MB, ${nodes} nodes, ${listeners} listeners`;
}
