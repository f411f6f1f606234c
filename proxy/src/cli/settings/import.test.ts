import { describe, expect, test } from 'vitest';
import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { generations, signal, useSimulatedSite } from '#adapters/helpdesk-frappe/testing/simulated-site.ts';
import { createSealer } from '#adapters/sealing/aes-gcm.ts';
import { openStored } from '#app/settings/open-stored.ts';
import { settingKinds } from '#config/settings-catalogue.ts';
import { fakeClock } from '#ports/testing/quiet.ts';
import { readIntegrationsSettings } from '#setup/read-integrations-settings.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { takeOver } from './import.ts';

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

describe('taking them over', () => {
  const imported = [
    { name: 'CRM_WEBHOOK_URL', field: 'crm_webhook_url', value: hook },
    { name: 'CRM_TIMEOUT_SECONDS', field: 'crm_timeout_seconds', value: '90' },
    { name: 'CRM_REFRESH_TTL_MINUTES', field: 'crm_refresh_ttl_minutes', value: '45' },
  ] as const;

  function setUp(answer: boolean | null) {
    const { settings: store } = memoryStore();
    const sealer = createSealer([Buffer.alloc(32, 1).toString('base64')]);
    const inForce = () => ({
      sourceOf: () => 'default' as const,
      hasSecret: () => false,
      shown: () => '60',
    });
    const printed: string[] = [];
    const ctx = {
      settings: {
        store,
        kinds: settingKinds,
        sealer,
        inForce,
        trySetting: async () => ({ problems: [], notes: [] }),
        refresh: async () => {},
      },
      clock: fakeClock(),
      actor: { name: 'command line, lan' },
    };
    const ask = answer === null ? null : async () => (answer ? 'y' : 'n');
    const io = { print: (text: string) => void printed.push(text), printError: () => {}, askSecret: null, ask };
    const stored = async () => openStored((await store.read()).settings, sealer).stored;
    return { run: (isSure = false) => takeOver(imported, ctx, io, isSure), printed, stored };
  }

  test.each([false, null])('is not done without a yes (%s)', async (answer) => {
    const w = setUp(answer);
    expect(await w.run()).toBe(2);
    expect(await w.stored()).toEqual({});
  });

  test('shows no secret, tries each, and goes on after one that is refused', async () => {
    const w = setUp(true);
    expect(await w.run()).toBe(1);
    expect(await w.stored()).toEqual({ CRM_WEBHOOK_URL: hook, CRM_REFRESH_TTL_MINUTES: '45' });
    const shown = w.printed.join('\n');
    expect(shown).not.toContain('c4n4ry');
    expect(shown).toMatch(/REFUSED {2}CRM_TIMEOUT_SECONDS: expected a whole number from 1 to 55/);
    expect(shown).toMatch(/done {5}CRM_REFRESH_TTL_MINUTES/);
  });
});
