import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { zipSync } from 'fflate';
import { installed } from '#commands/settings.ts';
import { ConfigError, Environment, parseSome } from '#config.ts';
import { version } from '#runtime/version.ts';
import { policyFiles } from './extension-policies.ts';

/** The addresses with which the archive's extension is built, and which are replaced (proxy/build/build-release.ts). */
const placeholders = { helpdesk: 'https://helpdesk.deskside.invalid', proxy: 'https://proxy.deskside.invalid' };

interface ExtensionOptions {
  helpdesk?: string;
  proxy?: string;
  host?: string;
  out: string;
}

/** `deskside extension`: the extension with both addresses built in, for Chromium and Edge signed and with its policy. */
export function extensionCommand(): Command {
  return new Command('extension')
    .description(
      'Write the extension with your addresses built in, and the policy that installs it (docs/extension.md)',
    )
    .option('--helpdesk <url>', 'address of the helpdesk (default: HELPDESK_URL)')
    .option('--proxy <url>', 'address of Deskside (default: PUBLIC_URL)')
    .option('--host <url>', 'where browsers will find the two files of the folder "web" (default: <proxy>/extension)')
    .option('--out <folder>', 'where it goes', 'deskside-extension')
    .action((options: ExtensionOptions) => {
      const given = { ...process.env, HELPDESK_URL: options.helpdesk ?? process.env.HELPDESK_URL };
      const { HELPDESK_URL, PUBLIC_URL } = parseSome(
        Environment.pick({ HELPDESK_URL: true, PUBLIC_URL: true }).required({ PUBLIC_URL: true }),
        { ...given, PUBLIC_URL: options.proxy ?? process.env.PUBLIC_URL },
      );
      const host = (options.host ?? `${PUBLIC_URL}/extension`).replace(/\/+$/, '');
      refuseHttp({ HELPDESK_URL, PUBLIC_URL, '--host': host });
      const key = keyBeside(installed.settings, options.out);
      const from = path.join(path.dirname(path.dirname(process.argv[1] ?? '')), 'extension');
      const id = writeExtension(from, options.out, { helpdesk: HELPDESK_URL, proxy: PUBLIC_URL, host, key: key.key });
      process.stdout.write(
        `${[
          `${options.out}/chromium: the unpacked extension; its id is ${id}.`,
          `${options.out}/web: deskside.crx and update.xml. Put both where ${host}/ leads.`,
          `${options.out}/policies: what installs it for everybody: chromium.json on Linux, windows.reg, macos.mobileconfig, and`,
          'firefox/policies.json (docs/extension.md says where each goes).',
          `${options.out}/firefox.zip: Firefox takes only what Mozilla has signed. Upload it on addons.mozilla.org for distribution on`,
          `your own, and put what comes back where ${host}/deskside.xpi leads.`,
          `${key.file}: the key that the id follows from. Keep it: another key is another extension.`,
          'Next: sudo deskside provision --admin-key-file <file>, which gives the id its sign-in.',
        ].join('\n')}\n`,
      );
    });
}

/** Browsers refuse the extension such addresses, or every agent's sign-in would cross the network in the clear. */
export function refuseHttp(addresses: Record<string, string>): void {
  for (const [name, address] of Object.entries(addresses))
    if (!/^https:\/\/[^/]/i.test(address))
      throw new ConfigError(`${name} is ${address}: the extension needs an https address. Nothing was written.`);
}

/** The key of the extension: beside the settings where they may be written, else beside what is made with it. */
function keyBeside(settings: string, out: string): { file: string; key: KeyObject } {
  const places = [
    path.join(path.dirname(settings), 'extension.pem'),
    path.join(path.dirname(path.resolve(out)), 'extension.pem'),
  ];
  const known = places.find((file) => existsSync(file));
  if (known !== undefined) return { file: known, key: createPrivateKey(readFileSync(known)) };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  for (const file of places)
    try {
      writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
      return { file, key: privateKey };
    } catch {
      // The next place.
    }
  throw new ConfigError('The key of the extension can be written neither beside the settings nor beside --out.');
}

/** The id that a key beside the settings gives the extension; null if there is none, or it may not be read. */
export function ownExtensionId(settingsFile: string | null): string | null {
  if (settingsFile === null) return null;
  try {
    return idOf(publicDer(createPrivateKey(readFileSync(path.join(path.dirname(settingsFile), 'extension.pem')))));
  } catch {
    return null;
  }
}

/**
 * Writes the extension for Chromium, Edge and Firefox with these addresses, its signed package with the manifest of its updates,
 * and the policies.
 *
 * @param from where the built extensions are, `chromium` and `firefox`
 * @returns its id in Chromium and Edge
 * @throws ConfigError
 */
export function writeExtension(
  from: string,
  out: string,
  { helpdesk, proxy, host, key }: { helpdesk: string; proxy: string; host: string; key: KeyObject },
): string {
  if (!existsSync(path.join(from, 'chromium', 'manifest.json')))
    throw new ConfigError(
      `There is no built extension in ${from}: this command is for the program as its archive has it.`,
    );
  const der = publicDer(key);
  const id = idOf(der);
  for (const browser of ['chromium', 'firefox']) {
    rmSync(path.join(out, browser), { recursive: true, force: true });
    cpSync(path.join(from, browser), path.join(out, browser), { recursive: true });
    for (const file of filesIn(path.join(out, browser)).filter((file) => /\.(js|json|html)$/.test(file)))
      replaceIn(file, { [placeholders.helpdesk]: helpdesk, [placeholders.proxy]: proxy });
    const manifest = path.join(out, browser, 'manifest.json');
    const told = JSON.parse(readFileSync(manifest, 'utf8'));
    // A pattern has no port.
    told.host_permissions = [...new Set([helpdesk, proxy].map((url) => new URL(url)))].map(
      ({ protocol, hostname }) => `${protocol}//${hostname}/*`,
    );
    if (browser === 'chromium') Object.assign(told, { key: der.toString('base64'), update_url: `${host}/update.xml` });
    writeFileSync(manifest, JSON.stringify(told, null, 2));
  }
  mkdirSync(path.join(out, 'web'), { recursive: true });
  writeFileSync(path.join(out, 'web', 'deskside.crx'), crxOf(zipOf(path.join(out, 'chromium')), key, der));
  writeFileSync(
    path.join(out, 'web', 'update.xml'),
    `<?xml version='1.0' encoding='UTF-8'?>
<gupdate xmlns='http://www.google.com/update2/response' protocol='2.0'>
  <app appid='${id}'><updatecheck codebase='${host}/deskside.crx' version='${version}' /></app>
</gupdate>
`,
  );
  const gecko = JSON.parse(readFileSync(path.join(out, 'firefox', 'manifest.json'), 'utf8'));
  const firefoxId: string = gecko.browser_specific_settings.gecko.id;
  writeFileSync(path.join(out, 'firefox.zip'), zipOf(path.join(out, 'firefox')));
  for (const [file, text] of Object.entries(policyFiles({ id, firefoxId, host }))) {
    const place = path.join(out, 'policies', file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  return id;
}

const publicDer = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });

/** The first half of the key's digest, with the letters a to p for its digits. */
function idOf(der: Buffer): string {
  const digits = createHash('sha256').update(der).digest('hex').slice(0, 32);
  return digits.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function replaceIn(file: string, texts: Record<string, string>): void {
  const before = readFileSync(file, 'utf8');
  const after = Object.entries(texts).reduce((text, [from, to]) => text.replaceAll(from, to), before);
  if (after !== before) writeFileSync(file, after);
}

/** A zip of a folder, without times, so that the same files give the same bytes. */
function zipOf(folder: string): Uint8Array {
  const names = filesIn(folder).map((file) => path.relative(folder, file).replaceAll(path.sep, '/'));
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name))]));
  return zipSync(files, { mtime: '1980-01-01T00:00' });
}

/**
 * A signed package in Chromium's third format: a header in protocol buffers with key and signature, then the zip
 * (components/crx_file/crx3.proto).
 */
function crxOf(zip: Uint8Array, key: KeyObject, der: Buffer): Buffer {
  const id = createHash('sha256').update(der).digest().subarray(0, 16);
  const signedData = field(1, id);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(signedData.length);
  const signature = sign('sha256', Buffer.concat([Buffer.from('CRX3 SignedData\0'), length, signedData, zip]), key);
  const header = Buffer.concat([
    field(2, Buffer.concat([field(1, der), field(2, signature)])),
    field(10_000, signedData),
  ]);
  const start = Buffer.alloc(12);
  start.write('Cr24');
  start.writeUInt32LE(3, 4);
  start.writeUInt32LE(header.length, 8);
  return Buffer.concat([start, header, zip]);
}

/** A field of bytes. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    bytes.push(left > 127 ? (left & 127) | 128 : left);
    if (left <= 127) return Buffer.from(bytes);
  }
}
