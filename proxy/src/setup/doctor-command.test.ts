import { execFile } from 'node:child_process';
import { demo } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { slicesOf } from '@deskside/testing/slices-of';
import { describe, expect, test } from 'vitest';
import { webhookName } from './desired-state.ts';
import { putScript, webhook } from './testing/doctor-faults.ts';
import { adminKey, type Clinic, clinic, secrets } from './testing/doctor-kit.ts';

describe('the command', () => {
  /** Runs `doctor` in a process of its own. */
  const run = ({ data, environment }: Clinic, ...options: string[]) =>
    new Promise<{ code: number; printed: string }>((resolve) => {
      const env = childEnvironment({ ...environment, DESKSIDE_ADMIN_KEY: adminKey });
      execFile(process.execPath, [proxyCli, 'doctor', ...options], { cwd: data, env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, printed: stdout + stderr }),
      );
    });

  test('ends with 0 where nothing is wrong or only a warning was found, and with 1 otherwise', async () => {
    const world = await clinic();
    const healthy = await run(world);
    expect(healthy).toMatchObject({ code: 0, printed: expect.stringContaining('Nothing is wrong.') });
    world.change('Webhook', webhookName, { webhook_secret: secrets.previous });
    expect(await run(world)).toMatchObject({ code: 0, printed: expect.stringContaining('0 faults, 1 warning.') });
    world.change('Webhook', webhookName, { enabled: 0 });
    const { code, printed } = await run(world);
    expect(code).toBe(1);
    expect(printed).toMatch(/✗ The webhook .* is disabled\.\n {4}→ Run "deskside provision"/);
  });

  test('as JSON, whatever is wrong, no secret is printed', async () => {
    const world = await clinic();
    const { environment, helpdesk, crm } = world;
    const whole = [demo.service.apiSecret, demo.administrator.apiSecret];
    const needles = [...slicesOf([...crm.secrets, ...Object.values(secrets)]), ...whole];
    const leaks = (text: string) => needles.filter((needle) => text.includes(needle));
    putScript(world, { text: (text) => text.replace(secrets.script, secrets.previous) });
    webhook(world, { webhook_secret: secrets.script, request_url: crm.webhookUrl });
    const first = await run(world, '--json');
    const report = JSON.parse(first.printed) as { healthy: boolean; said: { check: string; level: string }[] };
    expect(report.healthy).toBe(false);
    expect(report.said.filter(({ level }) => level === 'fault').map(({ check }) => check)).toEqual([
      'Webhook',
      'Webhook',
      'Before Insert script',
    ]);
    expect(leaks(first.printed)).toEqual([]);
    helpdesk.fault = () => 500;
    for (const fault of ['cut', 'html', 'unauthorized', 'redirect'] as const) {
      crm.fault = fault;
      expect(leaks((await run(world)).printed)).toEqual([]);
    }
    environment.CRM_WEBHOOK_URL = `https://crm.example/rst/1/${crm.secrets[0]}`;
    const refused = await run(world);
    expect(refused.printed).toContain('CRM_WEBHOOK_URL');
    expect(leaks(refused.printed)).toEqual([]);
  });
});
