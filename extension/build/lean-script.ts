import type { Plugin } from 'vite';

const entrypoint = '\0virtual:wxt-unlisted-script-entrypoint?';
const definer = '/wxt/dist/utils/define-unlisted-script.mjs';

/**
 * Runs an unlisted script without WXT's wrapper, whose logging alone takes a tenth of the launcher's size budget. Such a
 * script passes an object to `defineUnlistedScript`. As with WXT, its result is the value of the file, so that whoever
 * injects the file can await it.
 */
export function leanScript(): Plugin {
  return {
    name: 'deskside:lean-script',
    enforce: 'pre',
    load(id) {
      if (id.endsWith(definer)) return 'export const defineUnlistedScript = (script) => script;';
      if (!id.startsWith(entrypoint)) return null;
      return `import script from ${JSON.stringify(id.slice(entrypoint.length))};\nexport default script.main();`;
    },
  };
}
