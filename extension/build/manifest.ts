import { matchPattern } from '../src/browser/match-pattern.ts';
import { chromeKey } from './chrome-key.ts';
import type { Preset } from './preset.ts';

/** Origins that can be requested at run time: the addresses of helpdesk and proxy are not known at build time. */
const optionalHosts = ['https://*/*', 'http://127.0.0.1/*', 'http://localhost/*'];

interface ManifestOptions extends Preset {
  version: string;
  /** A store gives the extension an id of its own and takes no key. */
  forStore: boolean;
}

/**
 * The manifest of one build. A package with both addresses built in has host permissions for exactly these two and cannot
 * request any other; any other package has none until the agent grants them (ARCHITECTURE.md#the-extension).
 */
export function manifestFor(browser: string, { helpdesk, proxy, insecureHosts, version, forStore }: ManifestOptions) {
  const firefox = browser === 'firefox';
  const built = [helpdesk, proxy].filter((origin) => origin !== null);
  const hosts = [...new Set(built.map((origin) => matchPattern(origin)))];
  return {
    name: 'Deskside',
    short_name: 'Deskside',
    version,
    // In public/_locales: the stores and the browser's own pages show them in the person's language.
    default_locale: 'en',
    description: '__MSG_description__',
    permissions: ['storage', 'scripting', 'identity'],
    ...(hosts.length > 0 && { host_permissions: hosts }),
    ...(built.length < 2 && {
      optional_host_permissions: [...optionalHosts, ...insecureHosts.map((host) => `http://${host}/*`)],
    }),
    // Set explicitly because Firefox's default upgrades http: addresses on loopback (docs/helpdesk.md#oauth).
    content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" },
    action: { default_title: 'Deskside' },
    commands: {
      'toggle-panel': {
        // Chromium never assigns Alt+Shift+C.
        suggested_key: { default: 'Alt+Shift+K' },
        description: '__MSG_togglePanel__',
      },
    },
    ...(firefox
      ? {
          browser_specific_settings: {
            gecko: {
              id: '{ac7e55df-2349-4967-bdd9-71e95296c59e}',
              // The first that asks about the data below on every platform.
              strict_min_version: '142.0',
              // The ticket's name and the sign-in token go to the company's own proxy.
              data_collection_permissions: { required: ['authenticationInfo' as const, 'websiteContent' as const] },
            },
          },
        }
      : {
          ...(!forStore && { key: chromeKey }),
          minimum_chrome_version: '123',
          storage: { managed_schema: 'managed-schema.json' },
        }),
  };
}
