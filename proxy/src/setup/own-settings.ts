import { jsonOf } from '@deskside/shared/json';
import type { ClaimsMode } from '@deskside/shared/routing';
import { readVariables, rulesFileOf, type Variables } from '#commands/environment-file.ts';
import { withStore } from '#commands/own-store.ts';
import { parseSome } from '#config.ts';
import * as notes from '#store/notes.ts';
import type { Store } from '#store/store.ts';
import { Environment } from '#variables.ts';
import { withRecords } from './check-here.ts';
import type { OwnSettings } from './provision/options.ts';
import type { KeptSetting } from './provision/plan-item.ts';
import { mayWrite, writeRules, writeSettings } from './write-settings-file.ts';

/** Where the settings of a command come from: `file` below the environment, which `variables` have over it. */
export interface SettingsGiven {
  file: string | null;
  variables: Variables;
}

/**
 * What `provision` reads and keeps of our own settings, which need not be complete, and of our own store, which is made only
 * once something is kept in it.
 *
 * @param given by `--claims`
 * @returns `written`: the files that something was written into
 * @throws ConfigError, and StoreError
 */
export function ownSettings(
  { file, variables }: SettingsGiven,
  given: ClaimsMode | null,
): OwnSettings & { written: ReadonlySet<string> } {
  const { DATABASE_URL, RULES_FILE, OAUTH_CLIENT_IDS } = parseSome(needed, variables);
  const inFile = file === null ? {} : readVariables(file, { over: {}, mayMiss: true });
  const rules = variables.RULES_FILE?.trim() || (file && rulesFileOf(file));
  const isSet = Boolean(variables.OAUTH_CLIENT_IDS?.trim());
  const isInFile = isSet && inFile.OAUTH_CLIENT_IDS?.trim() === variables.OAUTH_CLIENT_IDS?.trim();
  const written = new Set<string>();

  const inStore = (work: (store: Store) => Promise<unknown>) => withStore(DATABASE_URL.reveal(), work).then(() => {});

  function keep(name: KeptSetting, value: string): string | null {
    const isRule = name === 'claims' || name === 'teams';
    const place = isRule ? rules : file;
    const rule = jsonOf(value) ?? value;
    const shown = isRule ? `"${name}": ${JSON.stringify(rule)}` : `${name}=${value}`;
    if (!place) return `There is no file to keep it in. Set it yourself: ${shown}`;
    if (!mayWrite(place)) return `This account may not write ${place}. Put into it: ${shown}`;
    if (isRule) writeRules(place, { [name]: rule });
    else writeSettings(place, { [name]: value });
    written.add(place);
    return null;
  }

  return {
    written,
    claims: { given, chosen: RULES_FILE.claims ? { mode: RULES_FILE.claims } : null },
    clientIds: { ids: OAUTH_CLIENT_IDS, by: isSet ? (isInFile ? 'file' : 'environment') : null },
    made: async () =>
      (await withRecords(DATABASE_URL.reveal(), (db) => notes.made(db))) ?? { fields: [], levels: [], rows: [] },
    keepMade: (made) => inStore((store) => notes.noteMade(store.db, made)),
    keepSignUp: (isOpen) => inStore((store) => notes.noteSignUp(store.db, { isOpen, at: Date.now() })),
    keep,
  };
}

const needed = Environment.pick({ DATABASE_URL: true, RULES_FILE: true, OAUTH_CLIENT_IDS: true });
