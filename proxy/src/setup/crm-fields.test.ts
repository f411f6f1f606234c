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
  test('lists the fields of companies, and as a crm_fields of the rules those that can be shown and are not yet', async () => {
    const world = await clinic();
    const { code, printed } = await run(world);
    expect(code).toBe(0);
    expect(printed).toMatch(/\nUF_CRM_STORENAME +string +Tên cửa hàng +company_name\n/);
    expect(printed).toMatch(/\nUF_CRM_GMV_30D +money +GMV 30 ngày\n/);
    expect(printed).toMatch(/\nUF_CRM_CONTRACT_FILE +file +Hợp đồng\n/);
    expect(world.crm.journal.map(({ method }) => method)).toEqual(['crm.company.fields']);
    const rules = JSON.parse(printed.slice(printed.indexOf('{ "extra"')));
    expect(JSON.parse((await run(world, ['--json'])).printed)).toEqual(rules);
    const { extra } = Rules.parse({ crm_fields: rules }).crm_fields;
    expect(extra).toEqual(
      expect.arrayContaining([
        { field: 'UF_CRM_GMV_30D', key: 'gmv_30d', label: 'GMV 30 ngày', group: 'metrics' },
        { field: 'UF_CRM_LIFETIME_PROFIT', key: 'lifetime_profit', label: 'Lợi nhuận lũy kế', group: 'profit' },
        { field: 'UF_CRM_1713790573', key: 'field_1713790573', label: 'Trường cũ', group: 'context' },
      ]),
    );
    const names = extra.map(({ field }) => field);
    for (const name of ['UF_CRM_STORENAME', 'UF_CRM_CONTRACT_FILE', 'UF_CRM_1778130421650'])
      expect(names).not.toContain(name);
  });

  test('without a webhook, and where the CRM does not say, it ends with 1 and one sentence', async () => {
    const world = await clinic();
    const none = await run(world, [], { CRM_WEBHOOK_URL: '' });
    expect(none).toEqual({ code: 1, printed: 'CRM_WEBHOOK_URL is not set: there is no CRM to ask.\n' });
    world.crm.fault = 'no_auth';
    const { code, printed } = await run(world);
    expect(code).toBe(1);
    expect(printed).toMatch(
      /^The CRM refuses the webhook in CRM_WEBHOOK_URL.*"deskside doctor" looks at the rest of it\.\n$/,
    );
  });
});
