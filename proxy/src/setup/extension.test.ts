import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { refuseHttp, writeExtension } from './extension.ts';

test('both addresses stand in the extension, its package is signed, and the policy names its id', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-extension-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, out] = [path.join(folder, 'from'), path.join(folder, 'out')];
  for (const browser of ['chromium', 'firefox']) {
    mkdirSync(path.join(from, browser), { recursive: true });
    const manifest = { name: 'Deskside', key: 'x', browser_specific_settings: { gecko: { id: '{a}' } } };
    writeFileSync(path.join(from, browser, 'manifest.json'), JSON.stringify(manifest));
    writeFileSync(path.join(from, browser, 'a.js'), 'const at = "https://proxy.deskside.invalid";');
  }
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const [helpdesk, proxy, host] = ['https://help.example:8443', 'https://deskside.example', 'https://files.example/x'];
  const id = writeExtension(from, out, { helpdesk, proxy, host, key });
  expect(id).toMatch(/^[a-p]{32}$/);
  const read = (file: string) => readFileSync(path.join(out, file), 'utf8');
  expect(read('chromium/a.js')).toBe(`const at = "${proxy}";`);
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  expect(JSON.parse(read('chromium/manifest.json'))).toMatchObject({
    key: der.toString('base64'),
    update_url: `${host}/update.xml`,
    host_permissions: ['https://help.example/*', 'https://deskside.example/*'],
  });
  expect(JSON.parse(read('policies/chromium.json'))).toEqual({
    ExtensionInstallForcelist: [`${id};${host}/update.xml`],
    LocalNetworkAccessAllowedForUrls: [`chrome-extension://${id}`],
  });
  expect(JSON.parse(read('policies/firefox/policies.json')).policies.ExtensionSettings['{a}'].install_url).toContain(
    host,
  );
  expect(read('policies/windows.reg')).toContain(
    `[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome\\ExtensionInstallForcelist]\r\n"8787"="${id};${host}/update.xml"`,
  );
  expect(read('policies/macos.mobileconfig')).toContain(`<array><string>${id};${host}/update.xml</string></array>`);
  expect(read('policies/macos.mobileconfig')).toMatch(
    /<key>PayloadUUID<\/key><string>[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}<\/string>/,
  );
  expect(readFileSync(path.join(out, 'firefox.zip')).readUInt32LE(0)).toBe(0x04034b50);
  expect(read('web/update.xml')).toContain(`appid='${id}'`);

  // Chromium's third format: header with key and signature, then the zip.
  const crx = readFileSync(path.join(out, 'web', 'deskside.crx'));
  const zip = crx.subarray(12 + crx.readUInt32LE(8));
  expect(crx.toString('latin1', 0, 4)).toBe('Cr24');
  expect(zip.readUInt32LE(0)).toBe(0x04034b50);
  const header = crx.subarray(12, 12 + crx.readUInt32LE(8));
  const signature = header.subarray(header.indexOf(der) + der.length + 3, header.indexOf(der) + der.length + 3 + 256);
  const signed = Buffer.concat([Buffer.from([0x0a, 16]), createHash('sha256').update(der).digest().subarray(0, 16)]);
  const length = Buffer.from([signed.length, 0, 0, 0]);
  const text = Buffer.concat([Buffer.from('CRX3 SignedData\0'), length, signed, zip]);
  expect(verify('sha256', text, key, signature)).toBe(true);
});

test('an address without a certificate is refused, by its name', () => {
  const right = { HELPDESK_URL: 'https://help.example', PUBLIC_URL: 'https://deskside.example' };
  expect(() => refuseHttp({ ...right, '--host': 'http://files.example' })).toThrow('--host is http://files.example');
  expect(() => refuseHttp(right)).not.toThrow();
});
