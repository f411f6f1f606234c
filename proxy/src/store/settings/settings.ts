import { type SettingChange as Change, SettingChange, SettingName, SettingSlot } from '@deskside/shared/settings';
import type { StateDb, StateSchema } from '#store/schema.ts';

// The settings of all processes on one store. Every function throws if the store fails.

/** One value in the store. */
export interface StoredSetting {
  name: SettingName;
  slot: SettingSlot;
  /** As it is set; sealed if it is a secret. */
  value: string;
  isSealed: boolean;
  /** Epoch milliseconds. */
  changedAt: number;
  changedBy: string;
}

/** One change to the store and what the audit trail says of it; `row`: null removes the value. */
export interface SettingEdit extends Pick<Change, 'name' | 'slot' | 'action' | 'old' | 'new' | 'default'> {
  row: Pick<StoredSetting, 'value' | 'isSealed'> | null;
}

/** Grows with every change, whoever makes it; 0 at first. Cheap: processes ask it every other second. */
export async function version(db: StateDb): Promise<number> {
  return (await db.selectFrom('settings_version').select('version').executeTakeFirst())?.version ?? 0;
}

/** All values of one moment, and the version that they make. */
export async function read(db: StateDb): Promise<{ version: number; settings: StoredSetting[] }> {
  // One after the other: a change in between makes the values newer than their version, and is read again.
  const before = await version(db);
  const rows = await db.selectFrom('setting').selectAll().execute();
  return { version: before, settings: rows.flatMap(settingOf) };
}

/**
 * Makes all changes, or none if the version is not `since` any more: somebody else has changed something. They are in
 * the audit trail then, under a version each.
 *
 * @returns the version afterwards; null if nothing was changed
 */
export function change(
  db: StateDb,
  edits: readonly SettingEdit[],
  { since, at, author }: { since: number; at: number; author: string },
): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    // Its row lock has changes wait for each other, so that versions are committed in their order.
    const after = since + edits.length;
    const counted = await trx
      .insertInto('settings_version')
      .values({ one: 1, version: after })
      .onConflict((conflict) =>
        conflict.column('one').doUpdateSet({ version: after }).where('settings_version.version', '=', since),
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
    return after;
  });
}

/** The audit trail, latest first, before a version if one is given. */
export async function changes(db: StateDb, { limit, before }: { limit: number; before?: number }): Promise<Change[]> {
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
}

/** A setting that only another version of Deskside knows is none of ours. */
function settingOf(row: StateSchema['setting']): StoredSetting[] {
  const [name, slot] = [SettingName.safeParse(row.name), SettingSlot.safeParse(row.slot)];
  if (!name.success || !slot.success) return [];
  const { value, sealed, changed_at: changedAt, changed_by: changedBy } = row;
  return [{ name: name.data, slot: slot.data, value, isSealed: sealed === 1, changedAt, changedBy }];
}
