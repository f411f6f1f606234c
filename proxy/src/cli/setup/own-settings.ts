import type { ClaimsMode } from '@deskside/shared/routing';
import type { SettingName } from '@deskside/shared/settings';
import { sealerOf } from '#adapters/sealing/aes-gcm.ts';
import { changeSetting } from '#app/settings/change-setting.ts';
import { withRecords } from '#checks/own-records.ts';
import { never, operator } from '#cli/arguments.ts';
import { withStore } from '#cli/own-store.ts';
import { parseSome } from '#config/environment.ts';
import { settingKinds } from '#config/settings-catalogue.ts';
import { Environment } from '#config/variables.ts';
import type { OwnSettings } from '#setup/provision/options.ts';
import { readStoredSettings, type Store } from '#store/store.ts';

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
  const { DATABASE_URL, RULES_FILE, OAUTH_CLIENT_IDS, ...keys } = parseSome(needed, environment);
  const sealer = sealerOf(keys);
  const { settings } = await readStoredSettings(DATABASE_URL.reveal());
  const inStore = (name: SettingName) => settings.find((one) => one.name === name)?.value;
  const [claims, clients] = [inStore('claims'), inStore('OAUTH_CLIENT_IDS')];
  const chosen = RULES_FILE.claims
    ? ({ mode: RULES_FILE.claims, by: 'environment' } as const)
    : claims === undefined
      ? null
      : ({ mode: JSON.parse(claims) as ClaimsMode, by: 'store' } as const);
  const kept = parseSome(needed, { OAUTH_CLIENT_IDS: clients }).OAUTH_CLIENT_IDS;
  const clientIds = environment.OAUTH_CLIENT_IDS?.trim()
    ? ({ ids: OAUTH_CLIENT_IDS, by: 'environment' } as const)
    : ({ ids: kept, by: clients === undefined ? null : 'store' } as const);

  const keep = (work: (store: Store) => Promise<unknown>) => withStore(DATABASE_URL.reveal(), work).then(() => {});

  return {
    claims: { given, chosen },
    clientIds,
    made: async () =>
      (await withRecords(DATABASE_URL.reveal(), ({ upkeep }) => upkeep.made())) ?? { fields: [], levels: [], rows: [] },
    keepMade: (made) => keep((store) => store.upkeep.noteMade(made)),
    keepSignUp: (isOpen) => keep((store) => store.upkeep.noteSignUp({ isOpen, at: Date.now() })),
    keep: (name, value) =>
      keep((store) => {
        const settings = {
          store: store.settings,
          kinds: settingKinds,
          sealer,
          inForce: () => ({ sourceOf: () => 'store' as const }),
          // What was to be tried has been, and every proxy on the store looks for changes.
          trySetting: async () => ({ problems: [], notes: [] }),
          refresh: async () => {},
        };
        const wanted = { actor: operator(), name, slot: 'current', value } as const;
        return changeSetting({ settings, clock: Date.now }, wanted, never());
      }),
  };
}

const needed = Environment.pick({
  DATABASE_URL: true,
  RULES_FILE: true,
  OAUTH_CLIENT_IDS: true,
  MASTER_KEY: true,
  MASTER_KEY_FILE: true,
});
