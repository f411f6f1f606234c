import type { Plugin } from 'vite';

const entrypoint = '\0virtual:wxt-unlisted-script-entrypoint?';
const definer = '/wxt/dist/utils/define-unlisted-script.mjs';

/**
 * Starts an unlisted script without WXT's wrapper, whose logging is a tenth of what the launcher may weigh. Such a script
 * is given to `defineUnlistedScript` as an object. Its result is the value of the file, as WXT has it, so that whoever
 * injects the file can wait for it.
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
