import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../extension', import.meta.url));

export interface BuildOptions {
  /** Folder to build into; the unpacked extension is in its `chrome-mv3`. */
  out: string;
  helpdeskOrigin?: string;
  proxyOrigin?: string;
  /** `e2e` opens the shadow roots, so that a test can look in. */
  mode?: 'production' | 'e2e';
}

/** Builds the extension for Chromium and returns the folder of the unpacked extension. Throws with the builder's output. */
export async function buildExtension({
  out,
  helpdeskOrigin = '',
  proxyOrigin = '',
  mode = 'production',
}: BuildOptions): Promise<string> {
  const wxt = path.join(folder, 'node_modules', 'wxt', 'bin', 'wxt.mjs');
  const child = spawn(process.execPath, [wxt, 'build', '--mode', mode], {
    cwd: folder,
    env: {
      ...process.env,
      EXTENSION_OUT: out,
      HELPDESK_ORIGIN: helpdeskOrigin,
      PROXY_ORIGIN: proxyOrigin,
      NO_COLOR: '1',
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
  return path.join(out, 'chrome-mv3');
}
