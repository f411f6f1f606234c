import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** A file that the page loads. */
export interface Asset {
  path: string;
  type: string;
  content: string;
}

const here = (at: string) => new URL(at, import.meta.url);

let built: Promise<{ script: Asset; styles: Asset }> | undefined;

/**
 * What the page loads: one script and one stylesheet whose names say what is in them, as the real helpdesk's build has
 * them, so that a browser keeps them. Made once in a process, when the first page is asked for.
 */
export function pageAssets(): Promise<{ script: Asset; styles: Asset }> {
  built ??= build();
  return built;
}

async function build() {
  const [script, styles] = await Promise.all([bundle(), stylesheet()]);
  return {
    script: asset('js', 'text/javascript; charset=utf-8', script),
    styles: asset('css', 'text/css; charset=utf-8', styles),
  };
}

function asset(extension: string, type: string, content: string): Asset {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
  return { path: `/assets/helpdesk/desk/assets/index-${digest}.${extension}`, type, content };
}

async function bundle(): Promise<string> {
  const bundling = await rolldown({ input: fileURLToPath(here('./app/main.js')), logLevel: 'warn' });
  const { output } = await bundling.generate({ format: 'esm' });
  await bundling.close();
  return output[0].code;
}

/** In the order in which they count. */
const styles = ['hostile', 'tokens', 'base', 'frame', 'controls', 'list', 'ticket'];

async function stylesheet(): Promise<string> {
  const parts = await Promise.all(styles.map((name) => readFile(here(`./styles/${name}.css`), 'utf8')));
  return parts.join('\n');
}
