import { type Kysely, sql } from 'kysely';

type Tables = { routing_decision: { id: number; decision: string } };

/** Decisions per statement: few enough to stay far below the 10 s after which the PostgreSQL client stops waiting. */
const batchSize = 1_000;

/**
 * Replaces a piece of text in the JSON of every decision, in batches. A second run changes nothing. `from` must be JSON
 * that user-supplied text cannot contain, such as a key with its unescaped quotes.
 */
export async function rewriteDecisions(db: Kysely<unknown>, from: string, to: string): Promise<void> {
  const decisions = db.withTables<Tables>();
  let after = 0;
  for (;;) {
    const ids = decisions
      .selectFrom('routing_decision')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize);
    const { last } = await decisions
      .selectFrom(ids.as('batch'))
      .select(({ fn }) => fn.max<number | null>('id').as('last'))
      .executeTakeFirstOrThrow();
    if (last === null) return;
    await decisions
      .updateTable('routing_decision')
      .set({ decision: sql<string>`replace(decision, ${from}, ${to})` })
      .where('id', '>', after)
      .where('id', '<=', last)
      .where('decision', 'like', `%${from}%`)
      .execute();
    after = last;
  }
}
