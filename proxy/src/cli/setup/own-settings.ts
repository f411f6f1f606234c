import { userInfo } from 'node:os';
import type { ClaimsMode } from '@deskside/shared/routing';
import { openStore, readStoredSettings, type Store } from '#adapters/store-sql/store.ts';
import { createChangeSetting } from '#app/settings/change-setting.ts';
import { sayWaiting } from '#cli/terminal/say-waiting.ts';
import { parseSome } from '#config/environment.ts';
import { settingKinds } from '#config/settings-catalogue.ts';
import { Environment } from '#config/variables.ts';
import type { OwnSettings } from '#setup/provision/options.ts';

/**
 * What `provision` reads and keeps of our own store, with an environment that need not be complete. A store is made only
 * once something is kept in it.
 *
 * @param given by `--claims`
 * @throws ConfigError, and StoreError
 */
export async function ownSettings(
  environment: Record<string, string | undefined>,
  given: ClaimsMode | null,
): Promise<OwnSettings> {
  const needed = Environment.pick({ DATABASE_URL: true, RULES_FILE: true });
  const { DATABASE_URL, RULES_FILE } = parseSome(needed, environment);
  const { settings } = await readStoredSettings(DATABASE_URL.reveal());
  const stored = settings.find(({ name }) => name === 'claims');
  const inStore = stored && ({ mode: JSON.parse(stored.value) as ClaimsMode, by: 'store' } as const);
  const chosen = RULES_FILE.claims ? ({ mode: RULES_FILE.claims, by: 'environment' } as const) : (inStore ?? null);

  async function keep(work: (store: Store) => Promise<unknown>): Promise<void> {
    const store = await openStore(DATABASE_URL.reveal(), Date.now, sayWaiting);
    try {
      await work(store);
    } finally {
      await store.close();
    }
  }

  return {
    claims: { given, chosen },
    keepSignUp: (isOpen) => keep((store) => store.upkeep.noteSignUp({ isOpen, at: Date.now() })),
    keepClaims: (mode) =>
      keep((store) => {
        const { change } = createChangeSetting({
          ...{ store: store.settings, kinds: settingKinds, sealer: null, clock: Date.now },
          // Neither helpdesk nor CRM has a say in it, and every proxy on the store looks for changes.
          ...{ trySetting: async () => ({ problems: [], notes: [] }), onChanged: async () => {} },
          inForce: () => ({ sourceOf: () => 'store' }),
        });
        const actor = { name: `command line, ${userInfo().username}`, mayChangeSettings: true };
        return change(actor, { name: 'claims', slot: 'current', value: mode }, new AbortController().signal);
      }),
  };
}
