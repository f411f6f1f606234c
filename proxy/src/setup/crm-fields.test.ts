import { describe, expect, test } from 'vitest';
import { Rules } from '#rules.ts';
import { crmFieldsCommand } from './crm-fields.ts';
import { clinic } from './testing/doctor-kit.ts';

describe('crm-fields', () => {
  test('lists the fields of companies, and as a crm_fields of the rules those that can be shown and are not yet', async () => {
    const world = await clinic();
    const printed = await world.run(crmFieldsCommand());
    expect(printed).toMatch(/\nUF_CRM_STORENAME +string +Tên cửa hàng +company_name\n/);
    expect(printed).toMatch(/\nUF_CRM_GMV_30D +money +GMV 30 ngày\n/);
    expect(printed).toMatch(/\nUF_CRM_CONTRACT_FILE +file +Hợp đồng\n/);
    expect(world.crm.journal.map(({ method }) => method)).toEqual(['crm.company.fields']);
    const rules = JSON.parse(printed.slice(printed.indexOf('{ "extra"')));
    expect(JSON.parse(await world.run(crmFieldsCommand(), '--json'))).toEqual(rules);
    const { extra } = Rules.parse({ crm_fields: rules }).crm_fields;
    expect(extra).toEqual(
      expect.arrayContaining([
        { field: 'UF_CRM_GMV_30D', key: 'gmv_30d', label: 'GMV 30 ngày', group: 'metrics' },
        { field: 'UF_CRM_LIFETIME_PROFIT', key: 'lifetime_profit', label: 'Lợi nhuận lũy kế', group: 'profit' },
        { field: 'UF_CRM_1713790573', key: 'field_1713790573', label: 'Trường cũ', group: 'context' },
      ]),
    );
    const names = extra.map(({ field }) => field);
    const contract = extra.find(({ field }) => field === 'UF_CRM_CONTRACT_FILE');
    expect(contract).toMatchObject({ label: 'Hợp đồng', group: 'context', type: 'file' });
    for (const name of ['UF_CRM_STORENAME', 'UF_CRM_1778130421650']) expect(names).not.toContain(name);
  });

  test('without a webhook, and where the CRM does not say, it ends with one sentence', async () => {
    const world = await clinic();
    const { CRM_WEBHOOK_URL: webhook = '' } = world.environment;
    world.environment.CRM_WEBHOOK_URL = '';
    const none = 'CRM_WEBHOOK_URL is not set: there is no CRM to ask.';
    await expect(world.run(crmFieldsCommand())).rejects.toThrow(none);
    world.environment.CRM_WEBHOOK_URL = webhook;
    world.crm.fault = 'no_auth';
    const refused = /^The CRM refuses the webhook in CRM_WEBHOOK_URL.*"deskside doctor" looks at the rest of it\.$/;
    await expect(world.run(crmFieldsCommand())).rejects.toThrow(refused);
  });
});
