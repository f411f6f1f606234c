import { execFile } from 'node:child_process';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { describe, expect, test } from 'vitest';
import { Rules } from '#rules.ts';
import { type Clinic, clinic } from './testing/doctor-kit.ts';

/** Runs `crm-fields` in a process of its own. */
const run = ({ data, environment }: Clinic, options: string[] = [], more: Record<string, string> = {}) =>
  new Promise<{ code: number; printed: string }>((resolve) => {
    const env = childEnvironment({ ...environment, ...more });
    execFile(process.execPath, [proxyCli, 'crm-fields', ...options], { cwd: data, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, printed: out + err }),
    );
  });

describe('crm-fields', () => {
  test('lists what the portal has for companies, with type and title, and what each is shown as already', async () => {
    const world = await clinic();
    const { code, printed } = await run(world);
    expect(code).toBe(0);
    expect(printed).toMatch(/\nUF_CRM_STORENAME +string +Tên cửa hàng +company_name\n/);
    expect(printed).toMatch(/\nUF_CRM_GMV_30D +money +GMV 30 ngày\n/);
    expect(printed).toMatch(/\nUF_CRM_CONTRACT_FILE +file +Hợp đồng\n/);
    expect(world.crm.journal.map(({ method }) => method)).toEqual(['crm.company.fields']);
  });

  test('what it prints is a crm_fields of the rules: the fields that can be shown and are not yet', async () => {
    const world = await clinic();
    const { printed } = await run(world, ['--json']);
    const { extra } = Rules.parse({ crm_fields: JSON.parse(printed) }).crm_fields;
    expect(extra).toContainEqual({ field: 'UF_CRM_GMV_30D', key: 'gmv_30d', label: 'GMV 30 ngày', group: 'metrics' });
    expect(extra).toContainEqual({
      field: 'UF_CRM_LIFETIME_PROFIT',
      key: 'lifetime_profit',
      label: 'Lợi nhuận lũy kế',
      group: 'profit',
    });
    expect(extra).toContainEqual({
      field: 'UF_CRM_1713790573',
      key: 'field_1713790573',
      label: 'Trường cũ',
      group: 'context',
    });
    const names = extra.map(({ field }) => field);
    expect(names).not.toContain('UF_CRM_STORENAME');
    expect(names).not.toContain('UF_CRM_CONTRACT_FILE');
    expect(names).not.toContain('UF_CRM_1778130421650');
  });

  test('without a webhook, and where the CRM does not say, it ends with 1 and one sentence', async () => {
    const world = await clinic();
    const none = await run(world, [], { CRM_WEBHOOK_URL: '' });
    expect(none).toEqual({ code: 1, printed: 'CRM_WEBHOOK_URL is not set: there is no CRM to ask.\n' });
    world.crm.fault = 'no_auth';
    const { code, printed } = await run(world);
    expect([code, printed]).toEqual([
      1,
      expect.stringMatching(
        /^The CRM refuses the webhook in CRM_WEBHOOK_URL.*"deskside doctor" looks at the rest of it\.\n$/,
      ),
    ]);
  });
});
