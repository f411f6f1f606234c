import type { Plugin } from 'vite';

/**
 * WXT tells content scripts the build's mode as NODE_ENV, so in a build for browser tests React would be its development
 * build: slower, half as large again, holding a stack for every element, and not what is shipped. A build with it fails.
 */
export function productionReact(): Plugin {
  return {
    name: 'deskside:production-react',
    enforce: 'pre',
    apply: (_, { command, mode }) => command === 'build' && mode !== 'development',
    config: () => ({ define: { 'process.env.NODE_ENV': JSON.stringify('production') } }),
    transform(_, id) {
      if (id.endsWith('.development.js')) throw new Error(`Not to be shipped: ${id}`);
    },
  };
}
