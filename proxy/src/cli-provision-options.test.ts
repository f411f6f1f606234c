import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HelpdeskSimulator } from '../../e2e/simulators/helpdesk/api.ts';
import { generations, useSimulatedSite } from './adapters/helpdesk-frappe/testing/simulated-site.ts';
import { bare, createTicket, keys, run, secrets } from './setup/provision/testing/run-provision.ts';
import { wantedFields } from './setup/wanted.ts';

const script = 'Deskside: before insert';
const probe = 'Deskside: probe';

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
      const ours = wantedFields['HD Ticket'].filter(({ serviceOnly }) => serviceOnly).length;
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

  describe('--before-insert', () => {
    const options = { beforeInsert: true, browsers: 'none' };
    const environment = { DESKSIDE_ADMIN_KEY: keys.Administrator };

    test('tries a harmless script, switches its own on, and leaves it alone afterwards', async () => {
      const first = await run(simulator, options, environment);
      expect(first.code).toBe(0);
      expect(simulator.document('Server Script', script)).toMatchObject({
        script_type: 'DocType Event',
        reference_doctype: 'HD Ticket',
        doctype_event: 'Before Insert',
        disabled: 0,
      });
      expect(simulator.document('Server Script', probe)).toBeUndefined();
      expect(await run(simulator, options, environment)).toMatchObject({ code: 0, writes: [] });

      const rotated = { ...environment, HELPDESK_SCRIPT_SECRET: 'the-next-script-secret' };
      expect(await run(simulator, options, rotated)).toMatchObject({ code: 0 });
      expect(simulator.document('Server Script', script)?.script).toContain('"the-next-script-secret"');
      expect(await run(simulator, options, rotated)).toMatchObject({ code: 0, writes: [] });
    });

    test('where server scripts are off it stays disabled and blocks nothing', async () => {
      simulator.settings.serverScriptEnabled = false;
      const off = await run(simulator, options, environment);
      expect(off.code).toBe(1);
      expect(off.out).toMatch(/FAILED +Server Script .*403 ServerScriptNotEnabled.*left disabled/);
      expect(simulator.document('Server Script', script)).toMatchObject({ disabled: 1 });
      expect(simulator.document('Server Script', probe)).toBeUndefined();
      expect(await createTicket(simulator, { subject: 'Vẫn tạo được' })).toMatchObject({ status: 200 });
      simulator.settings.serverScriptEnabled = true;
      expect(await run(simulator, options, environment)).toMatchObject({ code: 0 });
      expect(simulator.document('Server Script', script)).toMatchObject({ disabled: 0 });
    });

    test('is refused without Script Manager, and with protected fields; protecting is refused with it', async () => {
      expect(await run(simulator, options)).toMatchObject({
        code: 1,
        writes: [],
        out: expect.stringContaining('Script Manager'),
      });
      await run(simulator, { protect: true, browsers: 'none' });
      expect(await run(simulator, options, environment)).toMatchObject({
        code: 1,
        writes: [],
        out: expect.stringContaining('--before-insert is refused'),
      });
      const other = (await site.another(bare)).simulator;
      await run(other, options, environment);
      expect(await run(other, { protect: true }, environment)).toMatchObject({
        code: 1,
        writes: [],
        out: expect.stringContaining('--protect is refused'),
      });
    });
  });

  test('what it makes works: a new ticket asks before the insert, and is told after it', async () => {
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
      await expect.poll(() => heard.length, { timeout: 15_000 }).toBe(2);
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
    const [before, after] = heard;
    expect(before?.path).toBe('/webhooks/helpdesk/ticket/before-insert');
    expect(before?.headers['x-deskside-secret']).toBe(secrets.HELPDESK_SCRIPT_SECRET);
    expect(JSON.parse(before?.body ?? '')).toMatchObject({ custom_orgid: '200000001', key: expect.any(String) });
    expect(after?.path).toBe('/webhooks/helpdesk/ticket/after-insert');
    expect(JSON.parse(after?.body ?? '')).toMatchObject({ event: 'after_insert', name: expect.any(String) });
    const signature = createHmac('sha256', secrets.HELPDESK_WEBHOOK_SECRET).update(after?.body ?? '');
    expect(after?.headers['x-frappe-webhook-signature']).toBe(signature.digest('base64'));
  });
});
