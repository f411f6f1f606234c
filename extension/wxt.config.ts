import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import remToPx from 'postcss-rem-to-responsive-pixel';
import { defineConfig } from 'wxt';
import root from '../package.json' with { type: 'json' };
import { manifestFor } from './build/manifest.ts';
import { gatherLicenses, leanQueries, leanScript, noMarkup, productionReact } from './build/plugins.ts';
import { readPreset } from './build/preset.ts';

const preset = await readPreset(process.env);
const forStore = process.env.FOR_STORE === '1';
const licenses = gatherLicenses();

/**
 * `EXTENSION_OUT`: parent of the build's own folder (`chrome-mv3`, …), so that concurrent builds can be kept apart.
 * `FOR_STORE=1`: a package for the browsers' stores.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  srcDir: 'src',
  publicDir: 'src/public',
  outDir: process.env.EXTENSION_OUT || '.output',
  outDirTemplate: '{{browser}}-mv{{manifestVersion}}',
  imports: false,
  manifestVersion: 3,
  modules: ['@wxt-dev/module-react'],
  manifest: ({ browser }) => manifestFor(browser, { ...preset, version: root.version, forStore }),
  // Mozilla's reviewers get the whole repository instead.
  zip: { artifactTemplate: 'deskside-{{version}}-{{browser}}.zip', zipSources: false },
  hooks: { 'build:done': ({ config }) => licenses.write(config.outDir) },
  // Chrome refuses content scripts that contain Unicode noncharacters, which the bundler may emit.
  experimental: { escapeUnicode: true },
  vite: () => ({
    plugins: [licenses.plugin, leanScript(), leanQueries(), noMarkup(), productionReact(), tailwindcss()],
    define: {
      'import.meta.env.HELPDESK_ORIGIN': JSON.stringify(preset.helpdesk),
      'import.meta.env.PROXY_ORIGIN': JSON.stringify(preset.proxy),
      'import.meta.env.INSECURE_HOSTS': JSON.stringify(preset.insecureHosts),
    },
    // The browsers that the manifest requires, so that nothing is transpiled for older ones.
    build: { target: ['chrome123', 'firefox142'], cssTarget: ['chrome123', 'firefox142'] },
    css: {
      // A rem would depend on the helpdesk's own html element.
      postcss: { plugins: [remToPx({ rootValue: 16, propList: ['*'], transformUnit: 'px' })] },
    },
  }),
});
