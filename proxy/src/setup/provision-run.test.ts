import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError } from '#config.ts';
import { builtExtensionIds } from './desired-state.ts';
import { type ProvisionOptions, readProvisionSettings } from './provision-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'deskside-provision-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options: ProvisionOptions = { extensionId: [] };
const environment = {
  HELPDESK_URL: 'https://help.example.com',
  PUBLIC_URL: 'https://deskside.example.com',
  HELPDESK_WEBHOOK_SECRET: 'webhook-secret-new,webhook-secret-old',
  HELPDESK_SCRIPT_SECRET: 'script-secret-current',
  DESKSIDE_ADMIN_KEY: 'admin:very-secret-word',
};

function problemOf(change: Partial<ProvisionOptions>, variables: Record<string, string | undefined> = {}): string {
  try {
    readProvisionSettings({ ...options, ...change }, { file: null, variables: { ...environment, ...variables } }, []);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('the settings of provision', () => {
  test('need no service account, and take the current secret', () => {
    const settings = readProvisionSettings(options, { file: null, variables: environment }, []);
    expect(settings.webhookSecrets[0]?.reveal()).toBe('webhook-secret-new');
    expect(settings.adminKey.reveal()).toBe('admin:very-secret-word');
    expect(settings.scriptSecret).toBeNull();
    expect(JSON.stringify(settings)).not.toContain('very-secret-word');
  });

  test('the key from a file goes before the environment', () => {
    const path = join(folder, 'key');
    writeFileSync(path, 'file:from-the-file\n');
    const settings = readProvisionSettings(
      { ...options, adminKeyFile: path },
      { file: null, variables: environment },
      [],
    );
    expect(settings.adminKey.reveal()).toBe('file:from-the-file');
  });

  test('an id of a store takes the place of the built-in one', () => {
    const id = 'abcdefghijklmnopabcdefghijklmnop';
    const settings = readProvisionSettings({ extensionId: [`edge=${id}`] }, { file: null, variables: environment }, []);
    expect(settings.extensionIds).toEqual({ ...builtExtensionIds, edge: id });
  });

  test.each<[string, Partial<ProvisionOptions>, Record<string, string | undefined>, RegExp]>([
    ['no helpdesk', {}, { HELPDESK_URL: undefined }, /HELPDESK_URL: missing/],
    [
      'a path in the address',
      {},
      { PUBLIC_URL: 'https://deskside.example.com/x' },
      /PUBLIC_URL: found "https:.*; expected an address/,
    ],
    ['http', {}, { PUBLIC_URL: 'http://deskside.example.com' }, /PUBLIC_URL: found an http address/],
    [
      'a short secret',
      {},
      { HELPDESK_WEBHOOK_SECRET: 'short' },
      /HELPDESK_WEBHOOK_SECRET: found a value of 5 characters; at least 16/,
    ],
    ['no key', {}, { DESKSIDE_ADMIN_KEY: undefined }, /DESKSIDE_ADMIN_KEY or --admin-key-file: missing/],
    ['half a key', {}, { DESKSIDE_ADMIN_KEY: 'very-secret-word' }, /DESKSIDE_ADMIN_KEY: expected .* key:secret/],
    ['no such file', { adminKeyFile: join(folder, 'none') }, {}, /--admin-key-file: expected the path/],
    ['a strange id', { extensionId: ['chrome=https://x'] }, {}, /--extension-id: expected/],
    [
      'no script secret',
      { beforeInsert: true },
      { HELPDESK_SCRIPT_SECRET: undefined },
      /HELPDESK_SCRIPT_SECRET: missing/,
    ],
    ['one that no header takes', { beforeInsert: true }, { HELPDESK_SCRIPT_SECRET: 'mật khẩu rất là dài' }, /ASCII/],
  ])('%s is refused by name', (_, change, variables, message) => {
    const problem = problemOf(change, variables);
    expect(problem).toMatch(message);
    expect(problem).not.toContain('very-secret-word');
  });

  test('all problems are told at once', () => {
    const problem = problemOf({}, { HELPDESK_URL: 'nonsense', DESKSIDE_ADMIN_KEY: undefined });
    expect(problem).toMatch(/HELPDESK_URL.*DESKSIDE_ADMIN_KEY/s);
  });
});
