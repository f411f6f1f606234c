import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { beforeEach, describe, expect, test } from 'vitest';
import { generations, useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { desiredFields } from './desired-state.ts';
import { bare, createTicket, keys, run, secrets } from './testing/run-provision.ts';

describe.each(generations)('options of provision on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  beforeEach(async () => {
    simulator = (await site.another(bare)).simulator;
  });

  describe('--protect', () => {
    const protect = { protect: true, browsers: 'none' };

    test('level 1 for what only the service writes, and rows for the desk; twice changes nothing', async () => {
      const first = await run(simulator, protect);
      expect(first.code).toBe(0);
      expect(first.out).toContain('Warning: --protect gives HD Ticket role permissions of its own');
      const levelOf = (field: string) => simulator.document('Custom Field', `HD Ticket-${field}`)?.permlevel;
      expect(levelOf('custom_platform_routing_reason')).toBe(1);
      expect(levelOf('custom_orgid')).toBe(0);
      expect(simulator.document('Custom Field', 'HD Customer-custom_crm_sync_status')).toMatchObject({ permlevel: 0 });
      const second = await run(simulator, protect);
      expect(second).toMatchObject({ code: 0, writes: [] });
      expect(second.out).not.toContain('Warning');
    });

    test('also for fields that are there already', async () => {
      await run(simulator, { browsers: 'none' });
      const ours = desiredFields['HD Ticket'].filter(({ serviceOnly }) => serviceOnly).length;
      const first = await run(simulator, protect);
      expect(first.writes.filter((write) => write.startsWith('PUT /api/resource/Custom Field/'))).toHaveLength(ours);
      expect(first.writes.findLastIndex((write) => write.includes('permission_manager'))).toBeLessThan(
        first.writes.findIndex((write) => write.includes('Custom Field')),
      );
      expect((await run(simulator, protect)).writes).toEqual([]);
    });

    test('no field is hidden from the desk while a row is missing', async () => {
      simulator.fault = ({ path }) => (path.endsWith('permission_manager.add') ? 500 : null);
      const { code, out } = await run(simulator, protect);
      expect(code).toBe(1);
      expect(out).toMatch(/FAILED +HD Ticket.custom_shopplan: not tried/);
      expect(simulator.document('Custom Field', 'HD Ticket-custom_shopplan')).toBeUndefined();
    });
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
