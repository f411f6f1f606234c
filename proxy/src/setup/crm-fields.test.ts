import { describe, expect, test, vi } from 'vitest';
import { Rules } from '#rules.ts';
import { crmFieldsCommand } from './crm-fields.ts';
import { type Clinic, clinic } from './testing/doctor-kit.ts';

/** What `crm-fields` prints in the environment of a clinic; rejects with what it says instead. */
async function run({ environment }: Clinic, options: string[] = [], more: Record<string, string> = {}) {
  for (const [name, value] of Object.entries({ ...environment, ...more })) vi.stubEnv(name, value);
  const written = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await crmFieldsCommand().parseAsync(options, { from: 'user' });
    return `${written.mock.calls.map(([text]) => text).join('\n')}\n`;
  } finally {
    written.mockRestore();
    vi.unstubAllEnvs();
  }
}

describe('crm-fields', () => {
  test('lists the fields of companies, and as a crm_fields of the rules those that can be shown and are not yet', async () => {
    const world = await clinic();
    const printed = await run(world);
    expect(printed).toMatch(/\nUF_CRM_STORENAME +string +Tên cửa hàng +company_name\n/);
    expect(printed).toMatch(/\nUF_CRM_GMV_30D +money +GMV 30 ngày\n/);
    expect(printed).toMatch(/\nUF_CRM_CONTRACT_FILE +file +Hợp đồng\n/);
    expect(world.crm.journal.map(({ method }) => method)).toEqual(['crm.company.fields']);
    const rules = JSON.parse(printed.slice(printed.indexOf('{ "extra"')));
    expect(JSON.parse(await run(world, ['--json']))).toEqual(rules);
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

  test('without a webhook, and where the CRM does not say, it ends with one sentence', async () => {
    const world = await clinic();
    const none = 'CRM_WEBHOOK_URL is not set: there is no CRM to ask.';
    await expect(run(world, [], { CRM_WEBHOOK_URL: '' })).rejects.toThrow(none);
    world.crm.fault = 'no_auth';
    const refused = /^The CRM refuses the webhook in CRM_WEBHOOK_URL.*"deskside doctor" looks at the rest of it\.$/;
    await expect(run(world)).rejects.toThrow(refused);
  });
});
