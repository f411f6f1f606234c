import { createHmac, randomUUID } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { demo } from '@deskside/simulators/seed/index';
import { webhookSecret } from '../../demo/world.ts';
import { alternate } from '../frame/alternate.ts';
import type { BenchCase } from '../frame/case.ts';
import { percentile } from '../frame/closed-loop.ts';
import type { Row } from '../frame/row.ts';
import { scriptSecret, startSite } from '../frame/site.ts';
import { startProcess } from '../frame/start-process.ts';

const orgId = '200000376001';

/**
 * How long the helpdesk waits for the proxy, while the CRM hangs and tickets are being routed: for the webhook after an
 * insert, which is acknowledged once the disk has it, and for the Before Insert script, which an agent or customer waits for.
 */
export const hooks: BenchCase = {
  name: 'hooks',
  async measure(conditions) {
    const { rounds, isSmall, folder } = conditions;
    const requests = isSmall ? 5 : 200;
    const site = await startSite(conditions, { routes: true });
    const program = fileURLToPath(new URL('../baselines/durable-http.ts', import.meta.url));
    const durable = await startProcess([program, path.join(folder, 'log'), webhookSecret]);
    try {
      const insert = (custom_orgid: string) =>
        site.helpdesk.insertTicket(demo.portal.name, { subject: 'x', custom_orgid }, { portal: true });
      // What the Before Insert script is answered from.
      await insert(orgId);
      await site.helpdesk.webhooks.idle();
      site.crm.fault = isSmall ? null : 'hang';
      if (!isSmall) for (let n = 3; n <= 8; n += 1) await insert(`100070021${n}`);
      const told = (url: string) => () => {
        const body = JSON.stringify({ event: 'after_insert', name: demo.tickets.matched, modified: randomUUID() });
        const signature = createHmac('sha256', webhookSecret).update(body).digest('base64');
        return post(`${url}/webhooks/helpdesk/ticket/after-insert`, body, { 'x-frappe-webhook-signature': signature });
      };
      const asked = () => {
        const body = JSON.stringify({ key: randomUUID(), owner: demo.portal.name, custom_orgid: orgId });
        const headers = { 'x-deskside-secret': scriptSecret };
        return post(`${site.proxy.url}/webhooks/helpdesk/ticket/before-insert`, body, headers);
      };
      const series = (send: () => Promise<Response>) => async () => {
        const milliseconds: number[] = [];
        const sender = async () => {
          for (let n = 0; n < requests; n += 4) milliseconds.push(await timed(send));
        };
        // As many as a helpdesk of a few workers sends at a time.
        await Promise.all(Array.from({ length: 4 }, sender));
        return milliseconds;
      };
      const measured = await alternate(rounds, {
        webhook: series(told(site.proxy.url)),
        durable: series(told(durable.url)),
        script: series(asked),
        livez: series(() => fetch(`${site.proxy.url}/livez`)),
      });
      const at = (name: keyof typeof measured, share: number) => measured[name].map((one) => percentile(one, share));
      const row = (measure: string, ours: 'webhook' | 'script', name: 'durable' | 'livez', share: number): Row => ({
        measure: `${measure}, 4 at a time, p${share * 100}`,
        unit: 'ms',
        ours: at(ours, share),
        baseline: {
          name: { durable: 'node:http with fdatasync', livez: 'its own /livez' }[name],
          figures: at(name, share),
        },
      });
      const webhook = 'webhook acknowledged (on disk), CRM hanging';
      const script = 'Before Insert answered, CRM hanging';
      return [
        row(webhook, 'webhook', 'durable', 0.5),
        row(webhook, 'webhook', 'durable', 0.99),
        row(script, 'script', 'livez', 0.5),
        row(script, 'script', 'livez', 0.99),
      ];
    } finally {
      await Promise.all([site.close(), durable.end()]);
    }
  },
};

function post(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers });
}

async function timed(send: () => Promise<Response>): Promise<number> {
  const from = performance.now();
  const answer = await send();
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}.`);
  return performance.now() - from;
}
