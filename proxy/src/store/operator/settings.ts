import {
  type SettingChange as Change,
  SettingChange,
  SettingName,
  SettingSlot,
} from '@deskside/shared/operator/settings';
import type { SettingsStore, StoredSetting } from '#ports/operator/settings.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';

/** The settings on any database that Kysely supports. */
export function createSettingsStore(db: StateDb): SettingsStore {
  const versionIn = async (within: StateDb) =>
    (await within.selectFrom('settings_version').select('version').executeTakeFirst())?.version ?? 0;

  return {
    version: () => versionIn(db),

    async read() {
      // One after the other: a change in between makes the values newer than their version, and is read again.
      const version = await versionIn(db);
      const rows = await db.selectFrom('setting').selectAll().execute();
      return { version, settings: rows.flatMap(settingOf) };
    },

    change: (edits, { since, at, author }) =>
      db.transaction().execute(async (trx) => {
        // Its row lock has changes wait for each other, so that versions are committed in their order.
        const version = since + edits.length;
        const counted = await trx
          .insertInto('settings_version')
          .values({ one: 1, version })
          .onConflict((conflict) =>
            conflict.column('one').doUpdateSet({ version }).where('settings_version.version', '=', since),
          )
          .executeTakeFirst();
        if (counted.numInsertedOrUpdatedRows === 0n) return null;
        for (const [index, { name, slot, row, action, ...values }] of edits.entries()) {
          if (row === null) {
            await trx.deleteFrom('setting').where('name', '=', name).where('slot', '=', slot).execute();
          } else {
            const stored = { value: row.value, sealed: Number(row.isSealed), changed_at: at, changed_by: author };
            await trx
              .insertInto('setting')
              .values({ name, slot, ...stored })
              .onConflict((conflict) => conflict.columns(['name', 'slot']).doUpdateSet(stored))
              .execute();
          }
          await trx
            .insertInto('setting_change')
            .values({
              version: since + index + 1,
              at,
              author,
              name,
              slot,
              action,
              old: values.old,
              new: values.new,
              standard: values.default,
            })
            .execute();
        }
        return version;
      }),

    async changes({ limit, before }) {
      let query = db.selectFrom('setting_change').selectAll().orderBy('version', 'desc').limit(limit);
      if (before !== undefined) query = query.where('version', '<', before);
      const rows = await query.execute();
      return rows.flatMap(({ author, at, standard, ...row }): Change[] => {
        const parsed = SettingChange.safeParse({
          ...row,
          by: author,
          default: standard,
          at: new Date(at).toISOString(),
        });
        return parsed.success ? [parsed.data] : [];
      });
    },
  };
}

/** A setting that only another version of Deskside knows is none of ours. */
function settingOf(row: StateSchema['setting']): StoredSetting[] {
  const [name, slot] = [SettingName.safeParse(row.name), SettingSlot.safeParse(row.slot)];
  if (!name.success || !slot.success) return [];
  const { value, sealed, changed_at: changedAt, changed_by: changedBy } = row;
  return [{ name: name.data, slot: slot.data, value, isSealed: sealed === 1, changedAt, changedBy }];
}
