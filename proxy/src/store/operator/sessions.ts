import * as z from 'zod';
import type { OperatorSessions } from '#ports/operator/operator-sessions.ts';
import type { StateDb } from '#store/schema.ts';

const Roles = z.array(z.string());

/** Sessions of the operator page on any database that Kysely supports. */
export function createOperatorSessions(db: StateDb): OperatorSessions {
  return {
    async begin(digest, { user, fullName, language, roles, signedInAt, usedAt }) {
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
    },

    async find(digest) {
      const row = await db.selectFrom('operator_session').selectAll().where('digest', '=', digest).executeTakeFirst();
      if (row === undefined) return null;
      const { user_id: user, full_name: fullName, language, signed_in_at: signedInAt, used_at: usedAt } = row;
      return { user, fullName, language, roles: Roles.parse(JSON.parse(row.roles)), signedInAt, usedAt };
    },

    async touch(digest, at) {
      await db.updateTable('operator_session').set({ used_at: at }).where('digest', '=', digest).execute();
    },

    async end(digest) {
      await db.deleteFrom('operator_session').where('digest', '=', digest).execute();
    },

    // Not by an index: there are as many rows as people look at the page.
    async deleteOver({ signedIn, used }, limit) {
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
    },
  };
}
