import { HelpdeskTeams, SettingsList } from '@deskside/shared/operator/settings';
import { demo } from '@deskside/simulators/seed/index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import type { World } from '../../demo/world.ts';
import { world } from '../kit.ts';
import { Visitor } from '../operator-kit.ts';

let w: World;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const environment = { MASTER_KEY: Buffer.alloc(32, 5).toString('base64') };
  w = await world({ operator: true, claims: null, environment }, (end) => void ends.push(end as () => Promise<void>));
});
afterAll(() => Promise.all(ends.map((end) => end())));

async function signedIn(user: string) {
  const visitor = new Visitor(w);
  await visitor.signIn(user);
  const post = (endpoint: 'changeSetting' | 'previewRule' | 'promoteSetting', input: object) =>
    visitor.ask(endpoint, { body: JSON.stringify(input), headers: { 'content-type': 'application/json' } });
  const list = async () => {
    const { body } = await visitor.ask('settings');
    return z.object({ data: SettingsList }).parse(body).data;
  };
  return { visitor, post, list };
}

test('every operator sees the settings and their trail, and a System Manager alone changes them', async () => {
  const manager = await signedIn(demo.manager.name);
  const admin = await signedIn(demo.admin.name);
  const wanted = { name: 'claims', value: 'accept' };
  expect(await manager.post('changeSetting', wanted)).toMatchObject({
    status: 403,
    body: { data: { code: 'not_a_system_manager' }, message: 'Only System Managers may change this.' },
  });
  expect(await manager.post('promoteSetting', { name: 'CRM_EVENT_TOKEN' })).toMatchObject({ status: 403 });
  expect(await admin.post('changeSetting', wanted)).toMatchObject({ status: 200, body: { data: { version: 1 } } });
  const { settings, takes_secrets } = await manager.list();
  expect(takes_secrets).toBe(true);
  expect(settings.find(({ name }) => name === 'claims')).toMatchObject({
    ...{ value: 'accept', source: 'store', default: null, stored: { by: demo.admin.name } },
  });
  expect(settings.find(({ name }) => name === 'CRM_WEBHOOK_URL')).toMatchObject({
    source: 'environment',
    value: '••••',
  });
  expect(await manager.visitor.ask('settingsAudit')).toMatchObject({
    body: { data: { changes: [{ by: demo.admin.name, name: 'claims', old: null, new: 'accept' }] } },
  });
});

test('a rule says what it would have moved before it is set, to whoever may set it; a setting is removed by null', async () => {
  const admin = await signedIn(demo.admin.name);
  const manager = await signedIn(demo.manager.name);
  const wanted = { name: 'teams', value: '{"sme":"Service Ecom"}' };
  const nothing = { looked: 0, moved: 0, untold: 0, ways: [] };
  expect(await admin.post('previewRule', wanted)).toMatchObject({ status: 200, body: { data: nothing } });
  expect(await admin.post('previewRule', { name: 'teams', value: null })).toMatchObject({ status: 200 });
  expect(await manager.post('previewRule', wanted)).toMatchObject({ status: 403 });
  expect(await admin.post('previewRule', { name: 'teams', value: '{"sme":"","medium_grow":""}' })).toMatchObject({
    status: 400,
    body: { data: { issues: [{ params: { at: 'teams.medium_grow' } }, { params: { at: 'teams.sme' } }] } },
  });
  // Only what routing goes by can be told.
  expect(await admin.post('previewRule', { name: 'platform_hosts', value: '[]' })).toMatchObject({ status: 400 });
  const { body } = await manager.visitor.ask('settingTeams');
  expect(z.object({ data: HelpdeskTeams }).parse(body).data.teams).toContainEqual({
    name: 'CS 60p',
    is_disabled: false,
  });

  expect(await admin.post('changeSetting', wanted)).toMatchObject({ status: 200 });
  expect((await admin.list()).settings.find(({ name }) => name === 'teams')).toMatchObject({
    stored_value: '{"sme":"Service Ecom"}',
  });
  expect(await admin.post('changeSetting', { name: 'teams', value: null })).toMatchObject({ status: 200 });
  const teams = (await admin.list()).settings.find(({ name }) => name === 'teams');
  expect(teams).toMatchObject({ source: 'default', stored: null, stored_value: null });
  expect(await admin.visitor.ask('settingsAudit')).toMatchObject({
    body: {
      data: {
        changes: [
          { name: 'teams', new: null, default: teams?.default },
          { name: 'teams', old: null },
          { name: 'claims' },
        ],
      },
    },
  });
});

test('who is no System Manager any more changes nothing from that moment on, nor does anybody while the helpdesk is silent', async () => {
  const admin = await signedIn(demo.admin.name);
  const wanted = { name: 'medium_segments', value: '["Middle"]' };
  const before = (await admin.list()).version;
  const { roles } = demo.admin;
  w.helpdesk.setRoles(demo.admin.name, ['Agent Manager']);
  expect(await admin.post('changeSetting', wanted)).toMatchObject({
    status: 403,
    body: { data: { code: 'not_a_system_manager' } },
  });
  expect(await admin.visitor.ask('me')).toMatchObject({ body: { data: { may_change_settings: false } } });
  w.helpdesk.setRoles(demo.admin.name, roles);
  w.helpdesk.fault = () => 'cut';
  expect(await admin.post('changeSetting', wanted)).toMatchObject({
    status: 503,
    body: { data: { code: 'helpdesk_unavailable' } },
  });
  w.helpdesk.fault = null;
  expect((await admin.list()).version).toBe(before);
  expect(await admin.post('changeSetting', wanted)).toMatchObject({ status: 200 });
});

test('what cannot be used is refused with its name, and nobody without a session gets anything', async () => {
  const admin = await signedIn(demo.admin.name);
  expect(await admin.post('changeSetting', { name: 'CRM_TIMEOUT_SECONDS', value: '90' })).toMatchObject({
    status: 400,
    body: {
      data: {
        issues: [
          {
            ...{ field: 'CRM_TIMEOUT_SECONDS', message: expect.stringContaining('from 1 to 55') },
            ...{ code: 'value_unusable', params: { at: 'CRM_TIMEOUT_SECONDS' } },
          },
        ],
      },
    },
  });
  expect(await admin.post('changeSetting', { name: 'HELPDESK_URL', value: 'https://x.example' })).toMatchObject({
    status: 400,
    body: { data: { issues: [{ field: 'name' }] } },
  });
  const stranger = new Visitor(w);
  for (const endpoint of ['settings', 'settingsAudit', 'changeSetting', 'promoteSetting'] as const)
    expect(await stranger.ask(endpoint), endpoint).toMatchObject({ status: 401 });
});
