import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { demo } from '@deskside/simulators/seed/index';
import { startWorld, webhookSecret } from '../demo/world.ts';

/**
 * How long the helpdesk waits for the proxy while the CRM hangs: the webhook after an insert, and the Before Insert script,
 * against the same process's `/livez` in the same run. Tickets are being routed meanwhile.
 */
const scriptSecret = 'bench-script-secret';
const perSecond = 50;
const rounds = 400;

const data = await mkdtemp(path.join(tmpdir(), 'deskside-bench-'));
const world = await startWorld({ data, pipeline: true, environment: { HELPDESK_SCRIPT_SECRET: scriptSecret } });
const tickets = `${world.proxyUrl}/webhooks/helpdesk/ticket`;

async function timed(send: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now();
  const response = await send();
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The proxy answered ${response.status}.`);
  return performance.now() - startedAt;
}

const post = (at: string, body: string, headers: Record<string, string>) => () =>
  fetch(at, { method: 'POST', body, headers });

const ways = {
  livez: () => fetch(`${world.proxyUrl}/livez`),
  after_insert: () => {
    const body = JSON.stringify({ event: 'after_insert', name: demo.tickets.matched, modified: randomUUID() });
    const signature = createHmac('sha256', webhookSecret).update(body).digest('base64');
    return post(`${tickets}/after-insert`, body, { 'x-frappe-webhook-signature': signature })();
  },
  before_insert: () => {
    const body = JSON.stringify({ key: randomUUID(), owner: demo.portal.name, custom_orgid: '200000376001' });
    return post(`${tickets}/before-insert`, body, { 'x-deskside-secret': scriptSecret })();
  },
};

try {
  // What the Before Insert script is answered from.
  const values = { subject: 'x', custom_orgid: '200000376001' };
  await world.helpdesk.insertTicket(demo.portal.name, values, { portal: true });
  await world.helpdesk.webhooks.idle();
  await world.pipeline.processInbox();
  world.crm.fault = 'hang';
  const hanging = ['1000700213', '1000700214', '1000700215', '1000700216', '1000700217', '1000700218'];
  for (const custom_orgid of hanging)
    await world.helpdesk.insertTicket(demo.service.name, { subject: 'hangs', raised_by: 'a@b.example', custom_orgid });

  const times: Record<string, number[]> = { livez: [], after_insert: [], before_insert: [] };
  const running: Promise<unknown>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, send] of Object.entries(ways)) {
      running.push(timed(send).then((ms) => times[name]?.push(ms)));
      await wait(1_000 / perSecond / 3);
    }
  }
  await Promise.all(running);
  const at = (name: string, share: number) => {
    const sorted = (times[name] ?? []).toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  };
  console.log(`CRM hanging, ${rounds} of each, ${perSecond} a second:`);
  for (const name of Object.keys(ways)) {
    const ratio = at(name, 0.99) / at('livez', 0.99);
    console.log(
      `  ${name.padEnd(14)} p50 ${at(name, 0.5).toFixed(1)} ms, p99 ${at(name, 0.99).toFixed(1)} ms, p99 ${ratio.toFixed(1)} x that of /livez`,
    );
  }
} finally {
  await world.close();
  await rm(data, { recursive: true, force: true });
}
process.exit(0);
