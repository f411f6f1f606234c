import { createHash } from 'node:crypto';

/** What a policy is about: the ids of the extension, and where browsers find its packages. */
interface Packages {
  id: string;
  firefoxId: string;
  host: string;
}

/**
 * The policies that install the extension for everybody, by file: what each system takes (docs/extension.md#your-own-package).
 * Chromium's names are of https://chromeenterprise.google/policies, Firefox's of https://mozilla.github.io/policy-templates.
 */
export function policyFiles({ id, firefoxId, host }: Packages): Record<string, string> {
  const chromium = {
    ExtensionInstallForcelist: [`${id};${host}/update.xml`],
    // For a proxy on a private address, should the browser ask extensions, too (docs/extension.md#a-private-address).
    LocalNetworkAccessAllowedForUrls: [`chrome-extension://${id}`],
  };
  const settings = { installation_mode: 'force_installed', install_url: `${host}/deskside.xpi` };
  const firefox = { ExtensionSettings: { [firefoxId]: settings } };
  const apple = { EnterprisePoliciesEnabled: true, ...firefox };
  return {
    'chromium.json': json(chromium),
    'firefox/policies.json': json({ policies: firefox }),
    'windows.reg': registryOf(chromium),
    'macos.mobileconfig': profileOf(id, {
      'com.google.Chrome': chromium,
      'com.microsoft.Edge': chromium,
      'org.mozilla.firefox': apple,
    }),
  };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Chrome and Edge take any number as the name of a list's value; with 1, 2, … ours would take the place of others. */
function registryOf(lists: Record<string, string[]>): string {
  const keys = ['Google\\Chrome', 'Microsoft\\Edge'].flatMap((browser) =>
    Object.entries(lists).map(([policy, values]) => {
      const lines = values.map((value, i) => `"${8787 + i}"="${value}"`);
      return [`[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\${browser}\\${policy}]`, ...lines, ''].join('\r\n');
    }),
  );
  return ['Windows Registry Editor Version 5.00', '', ...keys, ''].join('\r\n');
}

/** A configuration profile, whose identifiers are the same each time, so that a new one takes the place of the last. */
function profileOf(id: string, byDomain: Record<string, object>): string {
  const payload = (type: string, name: string) => ({
    PayloadDisplayName: 'Deskside',
    PayloadIdentifier: `deskside.${id}.${name}`,
    PayloadType: type,
    PayloadUUID: uuidOf(`${id} ${name}`),
    PayloadVersion: 1,
  });
  const content = Object.entries(byDomain).map(([domain, values]) => ({ ...payload(domain, domain), ...values }));
  const profile = { ...payload('Configuration', 'profile'), PayloadScope: 'System', PayloadContent: content };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">${plist(profile)}</plist>
`;
}

function plist(value: unknown): string {
  if (value === true) return '<true/>';
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`;
  if (Array.isArray(value)) return `<array>${value.map(plist).join('')}</array>`;
  const entries = Object.entries(value as object).map(([key, one]) => `<key>${escaped(key)}</key>${plist(one)}\n`);
  return `<dict>\n${entries.join('')}</dict>`;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex').toUpperCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
}
