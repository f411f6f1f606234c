import type { Plugin } from 'vite';

const assignment = /\b\w+\.innerHTML = [^;)]+/g;

/**
 * Takes out of React the places where it writes markup, which are `dangerouslySetInnerHTML` and the creation of script
 * elements: nothing in a package can turn text into markup then, and the stores' linters have nothing to warn of.
 * The build fails where React no longer looks as expected.
 */
export function noMarkup(): Plugin {
  return {
    name: 'deskside:no-markup',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/react-dom-client.production.js')) return null;
      const found = code.match(assignment)?.length ?? 0;
      if (found !== 3) throw new Error(`React writes markup in ${found} places, not in 3: see build/no-markup.ts.`);
      return { code: code.replace(assignment, 'void 0'), map: null };
    },
  };
}
