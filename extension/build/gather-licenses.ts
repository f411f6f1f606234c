import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { licensesOf } from '@deskside/shared/licenses';
import type { Plugin } from 'vite';

/**
 * The licences of every package in the extension, in one `LICENSES.txt`. Scripts and pages are bundles of their own, so the
 * plugin gathers what is in each, and the file is written when all are built.
 */
export function gatherLicenses(): { plugin: Plugin; write(folder: string): Promise<void> } {
  const modules = new Set<string>();
  return {
    plugin: {
      name: 'deskside:gather-licenses',
      generateBundle() {
        for (const id of this.getModuleIds()) modules.add(id);
      },
    },
    write: (folder) => writeFile(path.join(folder, 'LICENSES.txt'), licensesOf(modules)),
  };
}
