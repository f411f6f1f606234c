import { createHmac } from 'node:crypto';
import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { contract } from '@deskside/shared/contract';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { beforeAll, expect, test } from 'vitest';
import { webhookSecret } from '../../demo/world.ts';
import { decisionsOf, profileOf } from '../kit.ts';
import { nativeRules, openTodos, routedWorld, setAvailability, settle, ticketOf } from '../pipeline-kit.ts';
import { deskForProcesses, firstSweep, spawnProxy } from '../processes.ts';

const waves = sized({ small: 1, full: 20 });
const perWave = 5;
/** How often the replica that does the regular work is killed. */
const kills = sized({ small: 1, full: 4 });

let server: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  server = await startPostgres('failover');
  return () => server.stop();
});

async function onPostgres(database: string) {
  await server.createDatabase(database);
  return routedWorld({ environment: { DATABASE_URL: server.urlOf(database), LOG_LEVEL: 'silent' } });
}

test('the database loses its connections and crashes while tickets come in: each is routed once, without a restart', async () => {
  const w = await onPostgres('crashes');
  nativeRules(w, false);
  setAvailability(w, 'an@support.example', 'Active');
  await w.pipeline.sweep();
  const names: string[] = [];
  const insert = async () => {
    for (let n = 0; n < perWave; n += 1)
      names.push(
        await w.helpdesk.insertTicket(demo.service.name, { subject: 'x', raised_by: 'khach.la@hopthu.example' }),
      );
  };
  for (let wave = 0; wave < waves; wave += 1) {
    await Promise.all([insert(), wave % 2 === 0 ? server.crashAndRestart() : server.terminateConnections()]);
    // The panel goes on being answered.
    await expect
      .poll(() =>
        profileOf(w, demo.tickets.matched).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  }
  await expect
    .poll(async () => {
      // What a webhook could not tell is found by the sweep, as it is in service.
      await w.pipeline.sweep().catch(() => {});
      await settle(w);
      return names.filter((name) => ticketOf(w, name).group !== 'CS 60p');
    })
    .toEqual([]);
  for (const name of names) {
    expect([name, (await decisionsOf(w, name)).length]).toEqual([name, 1]);
    expect([name, openTodos(w, name).length]).toEqual([name, 1]);
  }
});

test('while the database is away a profile is a 503 that says so, and no event is acknowledged', async () => {
  const w = await onPostgres('away');
  const { matched } = demo.tickets;
  await profileOf(w, matched);
  await server.crash();
  const about = `${w.proxyUrl}${contract.customerProfile.path}?ticket=${matched}`;
  for (let n = 0; n < 20; n += 1) {
    const answer = await fetch(about, { headers: { authorization: keyOf(demo.agent) } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    const { data } = (await answer.json()) as { data: unknown };
    expect(data).toMatchObject({ code: 'store_unavailable', retry_after_seconds: 2 });
  }
  const creation = w.helpdesk.document('HD Ticket', matched)?.creation;
  const body = JSON.stringify({ event: 'after_insert', name: matched, creation });
  const deliver = () =>
    fetch(`${w.proxyUrl}/webhooks/helpdesk/ticket/after-insert`, {
      method: 'POST',
      body,
      headers: { 'x-frappe-webhook-signature': createHmac('sha256', webhookSecret).update(body).digest('base64') },
    });
  expect((await deliver()).status).toBe(503);
  await server.restart();
  await expect.poll(() => deliver().then(({ status }) => status)).toBe(202);
});

test('a replica that is killed is replaced: what no webhook told of is found by the others', async () => {
  // Tickets are routed, but nobody tells of them.
  const { helpdesk, environment, insert } = await deskForProcesses({ database: server.urlOf('postgres') });
  const routed = (name: string) => expect.poll(() => ticketOf({ helpdesk }, name).group).toBe('CS 60p');

  const owner = async () => (await server.query("select owner from leases where key = 'loops'"))[0]?.owner;

  let running = await spawnProxy(environment);
  await expect.poll(() => server.query(`select note from ${firstSweep}`)).toHaveLength(1);
  for (let killed = 0; killed < kills; killed += 1) {
    const first = await owner();
    expect(first).toBeTypeOf('string');
    const second = await spawnProxy(environment);
    // On a busy machine the second may have had to take over already.
    const before = await owner();
    const [holder, other] = before === first ? [running, second] : [second, running];
    // One is taken up when the process is killed, if it is quick, and the others come after.
    const names = [await insert()];
    await holder.end();
    names.push(await insert(), await insert());
    for (const name of names) await routed(name);
    for (const name of names) expect([name, openTodos({ helpdesk }, name).length]).toEqual([name, 1]);
    expect(await owner()).not.toBe(before);
    running = other;
  }
});
