// By its default: an older Node, which the program is to refuse by name, has no such exports.
import nodeModule from 'node:module';
import path from 'node:path';

/**
 * Has Node keep what it has compiled in a folder beside the built program, so that the next start takes less time and
 * memory; NODE_COMPILE_CACHE names another place. Where nothing can be written, such as on a read-only root, only what is
 * there already is used. Not in the folder for temporary files: what others put there would be run as the program.
 */
export function keepCompiled(): void {
  if (nodeModule.getCompileCacheDir() === undefined && import.meta.filename.endsWith('.js'))
    nodeModule.enableCompileCache(path.join(import.meta.dirname, '.compiled'));
}
