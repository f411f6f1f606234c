import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import type { AppEnv } from '#http/context.ts';

/** One file of the built page. `name`: relative to its folder. */
export interface PageFile {
  name: string;
  type: string;
  body: Uint8Array<ArrayBuffer>;
}

/** GET /operator and below: the page itself, which holds nobody's data and is therefore open. */
export function pageRoute(files: readonly PageFile[]) {
  const index = files.find(({ name }) => name === 'index.html');
  return (c: Context<AppEnv>) => (index ? c.body(index.body, 200, { 'content-type': index.type }) : c.notFound());
}

/** GET /operator/assets/…: what the page is made of. The names say what is in them, so they never change. */
export function assetRoute(files: readonly PageFile[]) {
  const byPath = new Map(files.map((file) => [`/operator/${file.name}`, file]));
  return (c: Context<AppEnv>) => {
    const file = byPath.get(c.req.path);
    if (file === undefined) return c.notFound();
    return c.body(file.body, 200, {
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000, immutable',
    });
  };
}

/** Reads the page; where it is not built, it is built now. */
export async function readPage(): Promise<PageFile[]> {
  return readFiles(await folderOfPage());
}

/** A built proxy has the page beside it. */
async function folderOfPage(): Promise<string> {
  const beside = fileURLToPath(new URL('./operator', import.meta.url));
  if (existsSync(path.join(beside, 'index.html'))) return beside;
  // From the sources it is built now. Not by its name: the bundle must not hold what builds the page.
  const builder = '@deskside/operator/build';
  const { ensureOperatorPage } = (await import(builder)) as { ensureOperatorPage(): Promise<string> };
  return ensureOperatorPage();
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

async function readFiles(folder: string): Promise<PageFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name);
        const type = types[path.extname(entry.name)] ?? 'application/octet-stream';
        return { name: path.relative(folder, file).replaceAll(path.sep, '/'), type, body: await readFile(file) };
      }),
  );
}
