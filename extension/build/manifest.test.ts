import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifestFor } from './manifest.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
let out: string;
let chrome: string;

const { PATH, NODE_COMPILE_CACHE } = process.env;

const manifest = async (folder: string) => JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
const optional = ['https://*/*', 'http://127.0.0.1/*', 'http://localhost/*'];

beforeAll(async () => {
  out = await mkdtemp(path.join(tmpdir(), 'deskside-manifest-'));
  await run(process.execPath, ['node_modules/wxt/bin/wxt.mjs', 'build', '--browser', 'chrome'], {
    cwd: root,
    env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), EXTENSION_OUT: out },
  });
  chrome = path.join(out, 'chrome-mv3');
});
afterAll(() => rm(out, { recursive: true, force: true }));

test('the Chrome package requests only the permissions it needs, and stays within its size limits', async () => {
  const { key, version, ...rest } = await manifest(chrome);
  expect(version).toBe(JSON.parse(await readFile(path.join(root, '..', 'package.json'), 'utf8')).version);
  expect(rest).toMatchInlineSnapshot(`
    {
      "action": {
        "default_title": "Deskside",
      },
      "background": {
        "service_worker": "background.js",
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
      "icons": {
        "128": "icon/128.png",
        "16": "icon/16.png",
        "32": "icon/32.png",
        "48": "icon/48.png",
      },
      "manifest_version": 3,
      "minimum_chrome_version": "123",
      "name": "Deskside",
      "optional_host_permissions": [
        "https://*/*",
        "http://127.0.0.1/*",
        "http://localhost/*",
      ],
      "options_ui": {
        "open_in_tab": true,
        "page": "options.html",
      },
      "permissions": [
        "storage",
        "scripting",
        "identity",
      ],
      "short_name": "Deskside",
      "storage": {
        "managed_schema": "managed-schema.json",
      },
    }
  `);
  const id = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  expect([...id].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')).toBe(
    'jhjoljfecgnnofpkppemifcbcoihkgho',
  );
  expect((await stat(path.join(chrome, 'launcher.js'))).size).toBeLessThanOrEqual(8_100);
  expect((await stat(path.join(chrome, 'background.js'))).size).toBeLessThanOrEqual(108_000);
  expect((await stat(path.join(chrome, 'panel.js'))).size).toBeLessThanOrEqual(436_000);
  const managed = JSON.parse(await readFile(path.join(chrome, 'managed-schema.json'), 'utf8'));
  expect(Object.keys(managed.properties)).toEqual(['helpdesk_url', 'proxy_url', 'language']);
});

test('the listing says of every permission why it is needed; its summaries are those of the package, and fit', async () => {
  const listing = await readFile(path.join(root, '..', 'extension/STORE.md'), 'utf8');
  const { permissions, optional_host_permissions: optionalHosts } = await manifest(chrome);
  expect(optionalHosts).toEqual(optional);
  for (const name of [...permissions, 'optional_host_permissions', 'host_permissions']) {
    expect(listing).toMatch(new RegExp(`^\\| \`${name}\`.* \\| .{40,} \\|$`, 'm'));
  }
  for (const [language, label] of Object.entries({ en: 'Summary', vi: 'Tóm tắt' })) {
    const messages = JSON.parse(await readFile(path.join(chrome, '_locales', language, 'messages.json'), 'utf8'));
    expect(listing).toContain(`**${label}**: ${messages.description.message}\n`);
    // Chrome refuses longer ones.
    expect(messages.description.message.length).toBeLessThanOrEqual(132);
  }
});

test('a package for a store leaves the id to the store', () => {
  const preset = { helpdesk: null, proxy: null, insecureHosts: [], version: '1' };
  expect(manifestFor('chrome', { ...preset, forStore: false })).toHaveProperty('key');
  expect(manifestFor('chrome', { ...preset, forStore: true })).not.toHaveProperty('key');
});

test('the package loads no remote code', async () => {
  const files = (await readdir(chrome, { recursive: true })).filter((file) => file.endsWith('.js'));
  for (const file of files) {
    const code = await readFile(path.join(chrome, file), 'utf8');
    expect.soft(code, file).not.toMatch(/\bnew Function\b|\beval\(|importScripts\(/);
  }
  expect(files.length).toBeGreaterThan(2);
});
