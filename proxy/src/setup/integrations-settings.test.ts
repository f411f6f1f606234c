import { describe, expect, test } from 'vitest';
import { createAdminClient } from '#helpdesk/admin.ts';
import { generations, signal, useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { readIntegrationsSettings } from './integrations-settings.ts';

const field = (fieldname: string, fieldtype: string) => ({ fieldname, fieldtype, label: fieldname });
const hook = 'https://crm.example/rest/57/c4n4ry0fw3bh00k/';
const doctype = {
  name: 'Integrations Settings',
  module: 'Custom',
  custom: 1,
  issingle: 1,
  fields: [
    field('crm_enabled', 'Check'),
    field('crm_webhook_url', 'Password'),
    field('crm_responsible_webhook_url', 'Password'),
    field('crm_portal_url', 'Data'),
    field('crm_timeout_seconds', 'Int'),
    field('crm_refresh_ttl_minutes', 'Int'),
  ],
  permissions: [{ role: 'System Manager', read: 1, write: 1 }],
};

describe.each(generations)('Integrations Settings of Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const admin = () => createAdminClient(site.upstream, 'administrator:administrator-secret');

  test('are read with their passwords; what is blank or means the default is left out', async () => {
    expect(await readIntegrationsSettings(admin(), signal)).toBeNull();
    await admin().create('DocType', doctype, signal);
    const values = { crm_enabled: 0, crm_webhook_url: hook, crm_timeout_seconds: 0, crm_refresh_ttl_minutes: 45 };
    const address = 'https://portal.example/company/';
    await admin().update(doctype.name, doctype.name, { ...values, crm_portal_url: address }, signal);
    expect(await readIntegrationsSettings(admin(), signal)).toEqual([
      { name: 'CRM_WEBHOOK_URL', field: 'crm_webhook_url', value: hook },
      { name: 'CRM_PORTAL_URL', field: 'crm_portal_url', value: 'https://portal.example' },
      { name: 'CRM_REFRESH_TTL_MINUTES', field: 'crm_refresh_ttl_minutes', value: '45' },
      { name: 'CRM_ENABLED', field: 'crm_enabled', value: '0' },
    ]);
  });
});
