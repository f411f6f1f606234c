import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { beforeEach, describe, expect, test } from 'vitest';
import { generations, useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { bare, createTicket, keys, run, secrets } from './testing/run-provision.ts';

describe.each(generations)('what provision makes on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  beforeEach(async () => {
    simulator = (await site.another(bare)).simulator;
  });

  test('what it makes works: a new ticket asks before the insert, and is told after it', async () => {
    // The trial, then the ticket twice.
    const heard: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
    const receiver = createServer(async (request, response) => {
      heard.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
      response.end(JSON.stringify({ success: true, data: { fields: { custom_shopplan: 'SME', priority: 'Urgent' } } }));
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const environment = { DESKSIDE_ADMIN_KEY: keys.Administrator, PUBLIC_URL: `http://127.0.0.1:${port}` };
    try {
      expect(await run(simulator, { beforeInsert: true }, environment)).toMatchObject({ code: 0 });
      const { data } = await createTicket(simulator, { subject: 'Cần giúp', custom_orgid: '200000001' });
      expect(data?.custom_shopplan).toBe('SME');
      // No field of the script's list.
      expect(data?.priority).not.toBe('Urgent');
      await expect.poll(() => heard.length).toBe(3);
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
    const [before, after] = heard.slice(1);
    expect(before?.path).toBe('/webhooks/helpdesk/ticket/before-insert');
    expect(before?.headers['x-deskside-secret']).toBe(secrets.HELPDESK_SCRIPT_SECRET);
    expect(JSON.parse(before?.body ?? '')).toMatchObject({ custom_orgid: '200000001', key: expect.any(String) });
    expect(after?.path).toBe('/webhooks/helpdesk/ticket/after-insert');
    expect(JSON.parse(after?.body ?? '')).toMatchObject({ event: 'after_insert', name: expect.any(String) });
    const signature = createHmac('sha256', secrets.HELPDESK_WEBHOOK_SECRET).update(after?.body ?? '');
    expect(after?.headers['x-frappe-webhook-signature']).toBe(signature.digest('base64'));
  });
});
