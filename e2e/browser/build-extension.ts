import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../extension', import.meta.url));

export const browsers = ['chrome', 'edge', 'firefox'] as const;
export type TargetBrowser = (typeof browsers)[number];

export interface BuildOptions {
  /** Folder to build into; the unpacked extension is in its `<browser>-mv3`. */
  out: string;
  browser?: TargetBrowser;
  helpdeskOrigin?: string;
  proxyOrigin?: string;
  /** `e2e` opens the shadow roots, so that a test can look in. */
  mode?: 'production' | 'e2e';
  /** Hosts that may be http because they are this machine (extension/build/preset.ts). */
  insecureHosts?: string[];
}

/** Builds the extension and returns the folder of the unpacked extension. Throws with the builder's output. */
export async function buildExtension(options: BuildOptions): Promise<string> {
  await wxt('build', options);
  return path.join(options.out, `${options.browser ?? 'chrome'}-mv3`);
}

/**
 * Builds the extension as the browsers' stores want it and returns the path of the zip, whose bytes depend on the sources
 * alone: its entries are sorted and bear no time. Throws with the builder's output.
 */
export async function packageExtension(options: Omit<BuildOptions, 'mode' | 'insecureHosts'>): Promise<string> {
  await wxt('zip', options, { FOR_STORE: '1' });
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  return path.join(options.out, `deskside-${version}-${options.browser ?? 'chrome'}.zip`);
}

async function wxt(command: 'build' | 'zip', options: BuildOptions, more: Record<string, string> = {}): Promise<void> {
  const { out, browser = 'chrome', helpdeskOrigin = '', proxyOrigin = '', mode = 'production' } = options;
  const child = spawn(process.execPath, [path.join('build', 'build.ts'), command, mode, browser], {
    cwd: folder,
    env: {
      ...process.env,
      // A test runner sets another one, with which React's development build would be packed.
      NODE_ENV: 'production',
      EXTENSION_OUT: out,
      HELPDESK_ORIGIN: helpdeskOrigin,
      PROXY_ORIGIN: proxyOrigin,
      INSECURE_HTTP_HOSTS: (options.insecureHosts ?? []).join(','),
      NO_COLOR: '1',
      ...more,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`The extension could not be built:\n${output}`);
}
