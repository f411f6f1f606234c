import { inspect } from 'node:util';
import type { Remark } from '@deskside/shared/settings';
import { describe, expect, test } from 'vitest';
import { createSealer } from '#adapters/sealing/aes-gcm.ts';
import { settingKinds } from '#config/settings-catalogue.ts';
import type { ProposedSetting, Sealer, SettingsInForce } from '#ports/runtime/settings.ts';
import { fakeClock } from '#ports/testing/quiet.ts';
import type { Store } from '#store/store.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { changeSetting, promoteSetting, sealAgain } from './change-setting.ts';
import { listSettings } from './list-settings.ts';
import { openStored } from './open-stored.ts';
import { SettingRefused } from './setting-refused.ts';

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const lan = { name: 'lan@desk.example' };
const { signal } = new AbortController();
const canary = 'c4n4ry-of-a-secret-setting';

function setUp({
  store = memoryStore().settings,
  sealer = createSealer([keyOf(1)]) as Sealer | null,
  source = 'store' as ReturnType<SettingsInForce['sourceOf']>,
} = {}) {
  const proposed: ProposedSetting[] = [];
  const verdict = { problems: [] as Remark[], notes: [] as Remark[] };
  let applied = 0;
  const inForce = (): SettingsInForce => ({
    sourceOf: () => source,
    shown: (name) => `${name} in force`,
    hasSecret: () => true,
  });
  const ctx = {
    settings: {
      store,
      kinds: settingKinds,
      sealer,
      inForce,
      trySetting: async (wanted: ProposedSetting) => {
        proposed.push(wanted);
        return verdict;
      },
      refresh: async () => {
        applied += 1;
      },
    },
    clock: fakeClock(),
  };
  const set = (name: ProposedSetting['name'], value: string | null, slot: 'current' | 'next' = 'current', by = lan) =>
    changeSetting(ctx, { actor: by, name, slot, value }, signal);
  const promote = (by: typeof lan, name: ProposedSetting['name']) => promoteSetting(ctx, { actor: by, name }, signal);
  const stored = async () => openStored((await store.read()).settings, sealer).stored;
  return { ctx, set, promote, stored, store, list: () => listSettings(ctx), proposed, verdict, applied: () => applied };
}

describe('a change', () => {
  test('is tried as it would be, kept, put in force and in the audit trail', async () => {
    const w = setUp();
    await w.set('CRM_TIMEOUT_SECONDS', '20');
    expect(await w.set('CRM_TIMEOUT_SECONDS', ' 25\n')).toEqual({ version: 2, notes: [] });
    expect(w.proposed[1]).toEqual({
      name: 'CRM_TIMEOUT_SECONDS',
      slot: 'current',
      text: '25',
      stored: { CRM_TIMEOUT_SECONDS: '25' },
    });
    await w.set('CRM_TIMEOUT_SECONDS', null);
    expect(await w.stored()).toEqual({});
    expect(w.applied()).toBe(3);
    const trail = await w.store.changes({ limit: 9 });
    const by = { by: lan.name, default: '15' };
    expect(trail).toMatchObject([
      { ...by, action: 'unset', old: '25', new: null },
      { ...by, action: 'set', old: '20', new: '25' },
      { ...by, action: 'set', old: null, new: '20' },
    ]);
    expect(settingKinds.defaultOf('CRM_TIMEOUT_SECONDS')).toBe('15');
  });

  test.each([
    ['CRM_TIMEOUT_SECONDS', '56', /CRM_TIMEOUT_SECONDS: expected a whole number from 1 to 55\./],
    ['CRM_ENABLED', 'perhaps', /CRM_ENABLED: expected 1 or 0/],
    ['CRM_PORTAL_URL', 'https://crm.example/path', /CRM_PORTAL_URL: expected an address without a path/],
    ['teams', '{"sme":""}', /teams\.sme: expected a name \(such as \{.*First Line/],
    ['teams', '{"small":"CS"}', /teams: Unrecognized key: "small"/],
    ['claims', 'perhaps', /claims: expected accept or hold/],
    ['platform_hosts', '["a b"]', /platform_hosts\.0: expected a host name/],
    ['crm_fields', '{"company_id":"lower"}', /crm_fields\.company_id: expected the name of a CRM field/],
    ['crm_fields', '{company', /crm_fields: expected JSON/],
    ['HELPDESK_WEBHOOK_SECRET', 'short', /HELPDESK_WEBHOOK_SECRET: at least 16 characters/],
    ['CRM_EVENT_TOKEN', `${canary},${canary}2`, /CRM_EVENT_TOKEN: expected one value without a comma/],
    ['CRM_WEBHOOK_URL', `https://crm.example/rst/1/${canary}/`, /CRM_WEBHOOK_URL: expected the address of/],
  ] as const)('of %s to %s is refused with what is expected', async (name, value, message) => {
    const w = setUp();
    const error: unknown = await w.set(name, value).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SettingRefused);
    expect(error).toMatchObject({ why: 'refused', setting: name, message: expect.stringMatching(message) });
    expect(inspect(error)).not.toContain(canary);
    expect(await w.store.version()).toBe(0);
  });

  test('that the trial refuses is not kept, and says why; what it only notes is passed on', async () => {
    const w = setUp({ source: 'environment' });
    w.verdict.problems.push({ code: 'team_missing', params: {}, message: 'There is no team "CS".' });
    await expect(w.set('teams', '{"sme":"CS"}')).rejects.toMatchObject({
      message: 'There is no team "CS".',
      remarks: [{ code: 'team_missing' }],
    });
    expect(await w.store.version()).toBe(0);
    w.verdict.problems.pop();
    const note = { code: 'team_nobody_assignable', params: {}, message: 'Nobody is in it.' };
    w.verdict.notes.push(note);
    const environment = 'The environment sets teams, too, and goes over the store as long as it does.';
    expect((await w.set('teams', '{"sme":"CS"}')).notes).toEqual([
      note,
      { code: 'overridden', params: {}, message: environment },
    ]);
  });

  test('meets another one at the same moment: it is refused, not lost', async () => {
    const { settings: store } = memoryStore();
    const late: Store['settings'] = {
      ...store,
      change: async (edits, by) => {
        await setUp({ store }).set('claims', 'accept');
        return store.change(edits, by);
      },
    };
    const w = setUp({ store: late });
    await expect(w.set('claims', 'hold')).rejects.toMatchObject({ why: 'changed_since' });
    expect(await w.stored()).toEqual({ claims: '"accept"' });
  });
});

describe('a secret', () => {
  test('is sealed, and shown nowhere', async () => {
    const w = setUp();
    await w.set('HELPDESK_WEBHOOK_SECRET', canary);
    await w.set('HELPDESK_WEBHOOK_SECRET', `${canary}-2`, 'next');
    expect(await w.stored()).toEqual({ HELPDESK_WEBHOOK_SECRET: `${canary}-2,${canary}` });
    const shown = JSON.stringify([await w.store.read(), await w.store.changes({ limit: 9 }), await w.list()]);
    expect(shown).not.toContain(canary);
    const listed = (await w.list()).settings.find(({ name }) => name === 'HELPDESK_WEBHOOK_SECRET');
    expect(listed).toMatchObject({ is_secret: true, value: '••••', stored: { by: lan.name }, next: { by: lan.name } });
  });

  test('does not open in another place than its own', async () => {
    const w = setUp();
    await w.set('HELPDESK_WEBHOOK_SECRET', canary);
    const [row] = (await w.store.read()).settings;
    const moved = [{ ...row, name: 'HELPDESK_SCRIPT_SECRET' as const }] as Parameters<typeof openStored>[0];
    expect(openStored(moved, createSealer([keyOf(1)]))).toEqual({ stored: {}, unopened: ['HELPDESK_SCRIPT_SECRET'] });
  });

  test('needs a master key; without one it stays in the environment, and everything else works', async () => {
    const w = setUp({ sealer: null });
    await expect(w.set('CRM_EVENT_TOKEN', canary)).rejects.toMatchObject({
      message:
        'CRM_EVENT_TOKEN is a secret, and without MASTER_KEY or MASTER_KEY_FILE it has to stay in the environment.',
    });
    expect((await w.list()).takes_secrets).toBe(false);
    await w.set('claims', 'accept');
    expect(await w.stored()).toEqual({ claims: '"accept"' });
    await expect(w.set('claims', 'accept', 'next')).rejects.toMatchObject({ why: 'refused' });
  });

  test('is replaced by its next value, which is tried again first', async () => {
    const w = setUp();
    await w.set('CRM_EVENT_TOKEN', canary);
    await expect(w.promote(lan, 'CRM_EVENT_TOKEN')).rejects.toMatchObject({ why: 'refused' });
    await w.set('CRM_EVENT_TOKEN', `${canary}-2`, 'next');
    await w.promote(lan, 'CRM_EVENT_TOKEN');
    expect(await w.stored()).toEqual({ CRM_EVENT_TOKEN: `${canary}-2` });
    expect(w.proposed.at(-1)).toMatchObject({ text: `${canary}-2`, stored: { CRM_EVENT_TOKEN: `${canary}-2` } });
    expect((await w.store.changes({ limit: 2 })).map(({ action, slot }) => [action, slot])).toEqual([
      ['unset', 'next'],
      ['promoted', 'current'],
    ]);
  });

  test('is sealed again under a new master key, after which the old one opens nothing', async () => {
    const before = setUp();
    await before.set('CRM_EVENT_TOKEN', canary);
    await before.set('HELPDESK_SCRIPT_SECRET', canary, 'next');
    const both = setUp({ store: before.store, sealer: createSealer([keyOf(2), keyOf(1)]) });
    expect(await sealAgain(both.ctx, lan)).toBe(2);
    expect(await before.stored()).toEqual({});
    const after = setUp({ store: before.store, sealer: createSealer([keyOf(2)]) });
    expect(await after.stored()).toEqual({ CRM_EVENT_TOKEN: canary, HELPDESK_SCRIPT_SECRET: canary });
    await expect(sealAgain(before.ctx, lan)).rejects.toMatchObject({ message: expect.stringContaining('MASTER_KEY') });
    expect(await after.stored()).not.toEqual({});
  });
});
