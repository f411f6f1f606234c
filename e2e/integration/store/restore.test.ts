import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { backUp, restore } from '@deskside/proxy/backup';
import { parseConfig } from '@deskside/proxy/config';
import { type RunningProxy, startProxy } from '@deskside/proxy/start';
import { createRandom } from '@deskside/simulators/seed/random';
import { childEnvironment } from '@deskside/testing/child-environment';
import { freePort } from '@deskside/testing/free-port';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import { tellOfNewTickets, webhookSecret } from '../../demo/world.ts';
import { decisionsOf } from '../kit.ts';
import { assignmentsOf, settle, team, ticketOf } from '../pipeline-kit.ts';
import { countRows, deskForProcesses, firstSweep, runDeskside, spawnProxy } from '../processes.ts';

const timeout = 600_000;

/** A desk with a place for its backup. */
async function desk() {
  const made = await deskForProcesses();
  const file = path.join(made.folder, 'backup.db');
  /** Every assignment that was ever made, by us. */
  const todos = () => assignmentsOf(made);
  return { ...made, file, backUpNow: () => backUp(made.url, file, { clock: Date.now }), todos };
}

test('after an old backup is restored, what was routed since stays as it is, and new tickets are routed by the turns of the backup', async () => {
  const { helpdesk, url, file, backUpNow, environment, insert, todos } = await desk();
  /** One life of the proxy, ended by its own close. */
  const live = async (work: (proxy: RunningProxy, settled: () => Promise<void>) => Promise<void>) => {
    const proxy = await startProxy(parseConfig(environment));
    tellOfNewTickets(helpdesk, proxy.url);
    await work(proxy, () => settle({ helpdesk, pipeline: proxy.pipeline })).finally(() => proxy.close());
  };
  const tickets: string[] = [];
  const agentsOf = (names: string[]) => names.map((name) => ticketOf({ helpdesk }, name).assigned);
  await live(async ({ pipeline }, settled) => {
    await pipeline.sweep();
    for (let n = 0; n < 3; n += 1) tickets.push(await insert(`Before ${n}`));
    await settled();
    await backUpNow();
    for (let n = 0; n < 5; n += 1) {
      tickets.push(await insert(`Since ${n}`));
      await settled();
    }
  });
  expect(agentsOf(tickets.slice(3)).flat()).toEqual([3, 4, 5, 6, 0].map((n) => team[n]));
  const standing = async () => ({
    tickets: structuredClone(tickets.map((name) => helpdesk.document('HD Ticket', name))),
    todos: await todos(),
  });
  const before = await standing();

  await restore(url, file);
  await live(async ({ pipeline, url: proxyUrl }, settled) => {
    // A webhook comes again for some of them, and the sweep finds the others.
    for (const name of tickets.slice(2, 5))
      await tellAgain(proxyUrl, name, String(helpdesk.document('HD Ticket', name)?.creation));
    await settled();
    await pipeline.sweep();
    await settled();
    expect(await standing()).toEqual(before);
    for (const name of tickets.slice(3))
      expect(await decisionsOf({ proxyUrl } as never, name)).toMatchObject([
        { state: 'applied', outcome: { team: null }, assignment: { state: 'already_assigned' } },
      ]);
    const more = [await insert('After 1'), await insert('After 2')];
    await settled();
    expect(agentsOf(more).flat().sort()).toEqual([team[3], team[4]].sort());
    expect(await pipeline.sweep()).toBe(0);
  });
});

test(
  'backed up and restored under load, and killed in between: every ticket is assigned, none of them twice',
  async () => {
    const { helpdesk, url, file, environment, insert, todos } = await desk();
    const count = sized({ small: 42, full: 1_000 });
    const inserted: Promise<string>[] = [];
    const load = (subject: string) => {
      for (let n = 0; n < count / 3; n += 1) inserted.push(insert(`${subject} ${n}`));
    };
    const untilAssigned = (tickets: number) =>
      expect.poll(async () => (await todos()).length, { timeout, interval: 100 }).toBeGreaterThanOrEqual(tickets);
    const served = { ...environment, PORT: String(await freePort()) };
    const rows = (table: string, of = path.join(new URL(url).pathname, 'state.db')) => countRows(table, of);
    const first = await spawnProxy(served);
    await expect.poll(() => rows(firstSweep), { timeout, interval: 100 }).toBe(1);
    tellOfNewTickets(helpdesk, first.url);
    load('Before');
    await untilAssigned(count / 6);
    load('Meanwhile');
    const backedUp = { code: 0, out: `Backed up into ${file}.\n`, error: '' };
    expect(await runDeskside(['backup', file], environment)).toEqual(backedUp);
    load('Since');
    await untilAssigned(count / 2);
    const restoring = () => {
      const child = spawn(process.execPath, [proxyCli, 'restore', file], { env: childEnvironment(environment) });
      return { child, ...printedBy(child, Number.POSITIVE_INFINITY) };
    };
    const refused = restoring();
    expect(await refused.ended).toEqual([1, null]);
    expect(refused.output()).toContain('is in use: stop the service first.');
    await first.end();
    const lost = rows('decisions');

    // A restore that is killed leaves the one store or the other.
    const seed = sized({ small: 1, full: Date.now() % 1_000_000 });
    const random = createRandom(seed);
    for (let n = 0; n < sized({ small: 1, full: 25 }); n += 1) {
      const { child, ended } = restoring();
      await wait(50 + random.int(600));
      child.kill('SIGKILL');
      await ended;
      expect([lost, rows('decisions', file)], `seed ${seed}, kill ${n}`).toContain(rows('decisions'));
    }
    const restored = { code: 0, out: expect.stringContaining(`Restored from ${file}.`) };
    expect(await runDeskside(['restore', file], environment)).toMatchObject(restored);
    await spawnProxy(served);
    const tickets = await Promise.all(inserted);
    await untilAssigned(tickets.length);
    await expect.poll(() => rows('decisions'), { timeout, interval: 500 }).toBe(tickets.length);

    const made = await todos();
    expect(made.filter(({ status }) => status !== 'Open')).toEqual([]);
    expect(made.map(({ reference_name }) => reference_name).sort()).toEqual(tickets.toSorted());
  },
  timeout,
);

/** The helpdesk tells of a ticket once more, in other words. */
async function tellAgain(proxyUrl: string, name: string, creation: string): Promise<void> {
  const body = JSON.stringify({ name, creation, again: true });
  const signature = createHmac('sha256', webhookSecret).update(body).digest('base64');
  const headers = { 'content-type': 'application/json', 'x-frappe-webhook-signature': signature };
  const { ok } = await fetch(`${proxyUrl}/webhooks/helpdesk/ticket/after-insert`, { method: 'POST', headers, body });
  expect(ok).toBe(true);
}
