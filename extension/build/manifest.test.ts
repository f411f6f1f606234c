import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { manifestFor } from './manifest.ts';

const preset = { helpdesk: null, proxy: null, insecureHosts: [], version: '1' };
const read = (file: string) => readFile(new URL(`../${file}`, import.meta.url), 'utf8');

test('the package for Chrome requests only the permissions that it needs, and has the id that sign-in is set up for', () => {
  const { key, ...rest } = { key: '', ...manifestFor('chrome', { ...preset, forStore: false }) };
  expect(rest).toMatchInlineSnapshot(`
    {
      "action": {
        "default_title": "Deskside",
      },
      "commands": {
        "toggle-panel": {
          "description": "__MSG_togglePanel__",
          "suggested_key": {
            "default": "Alt+Shift+K",
          },
        },
      },
      "content_security_policy": {
        "extension_pages": "script-src 'self'; object-src 'self'",
      },
      "default_locale": "en",
      "description": "__MSG_description__",
      "minimum_chrome_version": "123",
      "name": "Deskside",
      "optional_host_permissions": [
        "https://*/*",
        "http://127.0.0.1/*",
        "http://localhost/*",
      ],
      "permissions": [
        "storage",
        "scripting",
        "identity",
      ],
      "short_name": "Deskside",
      "storage": {
        "managed_schema": "managed-schema.json",
      },
      "version": "1",
    }
  `);
  const id = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  expect([...id].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')).toBe(
    'jhjoljfecgnnofpkppemifcbcoihkgho',
  );
});

test('a policy may set both addresses and the language', async () => {
  const { properties } = JSON.parse(await read('src/public/managed-schema.json'));
  expect(Object.keys(properties)).toEqual(['helpdesk_url', 'proxy_url', 'language']);
});

test('the listing says of every permission why it is needed; its summaries are those of the package, and fit', async () => {
  const listing = await read('../extension/STORE.md');
  const { permissions } = manifestFor('chrome', { ...preset, forStore: true });
  for (const name of [...permissions, 'optional_host_permissions', 'host_permissions']) {
    expect(listing).toMatch(new RegExp(`^\\| \`${name}\`.* \\| .{40,} \\|$`, 'm'));
  }
  for (const [language, label] of Object.entries({ en: 'Summary', vi: 'Tóm tắt' })) {
    const { description } = JSON.parse(await read(`src/public/_locales/${language}/messages.json`));
    expect(listing).toContain(`**${label}**: ${description.message}\n`);
    // Chrome refuses longer ones.
    expect(description.message.length).toBeLessThanOrEqual(132);
  }
});

test('a package for a store leaves the id to the store', () => {
  expect(manifestFor('chrome', { ...preset, forStore: true })).not.toHaveProperty('key');
});
