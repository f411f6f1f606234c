import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

/**
 * Has HTML's entities as the table that their library otherwise unpacks whenever it is loaded: in loops so long that V8
 * brings in its optimizing compiler, which is 5 MB of a process that has just started.
 */
export const unpackEntities = {
  name: 'unpack-entities',
  async load(id) {
    if (!/[\\/]entities[\\/].*[\\/]decode-data-html\.js$/.test(id)) return null;
    const { htmlDecodeTree } = (await import(pathToFileURL(id).href)) as { htmlDecodeTree: Uint16Array<ArrayBuffer> };
    const bytes = Buffer.from(htmlDecodeTree.buffer).toString('base64');
    return `export const htmlDecodeTree = new Uint16Array(Uint8Array.from(Buffer.from('${bytes}', 'base64')).buffer);`;
  },
} satisfies Plugin;
