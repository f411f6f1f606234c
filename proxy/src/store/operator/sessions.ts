import * as z from 'zod';
import type { StateDb } from '#store/schema.ts';

// Sessions of the operator page, known to all processes on the store. The store has the digest of a session's token, which
// is of no use to whoever reads it.

/** Somebody who is signed in to the operator page. Times are epoch milliseconds. */
export interface OperatorSession {
  /** The helpdesk's user id. */
  user: string;
  fullName: string | null;
  /** The language they use the helpdesk in, as a code such as `vi`. */
  language: string | null;
  /** Those of their roles that the page knows, as of the sign-in. */
  roles: string[];
  signedInAt: number;
  usedAt: number;
}

const Roles = z.array(z.string());

export async function begin(db: StateDb, digest: string, session: OperatorSession): Promise<void> {
  const { user, fullName, language, roles, signedInAt, usedAt } = session;
  await db
    .insertInto('operator_session')
    .values({
      digest,
      user_id: user,
      full_name: fullName,
      language,
      roles: JSON.stringify(roles),
      signed_in_at: signedInAt,
      used_at: usedAt,
    })
    .execute();
}

export async function find(db: StateDb, digest: string): Promise<OperatorSession | null> {
  const row = await db.selectFrom('operator_session').selectAll().where('digest', '=', digest).executeTakeFirst();
  if (row === undefined) return null;
  const { user_id: user, full_name: fullName, language, signed_in_at: signedInAt, used_at: usedAt } = row;
  return { user, fullName, language, roles: Roles.parse(JSON.parse(row.roles)), signedInAt, usedAt };
}

/** Notes that the session was used. */
export async function touch(db: StateDb, digest: string, at: number): Promise<void> {
  await db.updateTable('operator_session').set({ used_at: at }).where('digest', '=', digest).execute();
}

/** Repeatable. */
export async function end(db: StateDb, digest: string): Promise<void> {
  await db.deleteFrom('operator_session').where('digest', '=', digest).execute();
}

/**
 * Deletes sessions that began, or were last used, before these times; at most `limit`; returns how many. Not by an index:
 * there are as many rows as people look at the page.
 */
export async function deleteOver(
  db: StateDb,
  { signedIn, used }: { signedIn: number; used: number },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('operator_session')
    .where('digest', 'in', ({ selectFrom }) =>
      selectFrom('operator_session as old')
        .select('old.digest')
        .where(({ or, eb }) => or([eb('old.signed_in_at', '<', signedIn), eb('old.used_at', '<', used)]))
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
