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
