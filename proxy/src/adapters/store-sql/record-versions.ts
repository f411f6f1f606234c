import { type Kysely, sql } from 'kysely';
import type { RecordVersions } from '#ports/profile/record-versions.ts';
import { selectStanding } from './company-rejections.ts';
import { selectOfTicket } from './pipeline/decision-statements.ts';
import type { PipelineSchema } from './pipeline/pipeline-schema.ts';
import { selectChoices, selectLatest } from './sync-log.ts';

/**
 * Versions of our own records on PostgreSQL (docs/decisions.md 40): which versions of which rows the reads would get. The
 * server counts them anyway, so no writer has to, and replicas do not wait for each other. One statement.
 */
export function createRecordVersions(db: Kysely<PipelineSchema>): RecordVersions {
  return {
    atOnce: () => null,
    async of({ ticket, sender, choicesOf }) {
      const reads = [
        selectLatest(db, ticket).clearSelect().select(rowVersion),
        selectOfTicket(db, ticket).clearSelect().select(rowVersion),
        selectStanding(db, ticket, sender).clearSelect().select(rowVersion),
      ];
      if (choicesOf) {
        const { address, domain } = choicesOf;
        reads.push(selectChoices(db, 'sender', address).clearSelect().select(rowVersion));
        if (domain !== null) reads.push(selectChoices(db, 'sender_domain', domain).clearSelect().select(rowVersion));
      }
      const each = reads.map((read) => sql`(select string_agg(row, ' ' order by row) from ${read} as rows)`);
      const { rows } = await sql<{ version: string }>`select concat_ws('|', ${sql.join(each)}) as version`.execute(db);
      return rows[0]?.version ?? '';
    },
  };
}

/** The transaction that wrote a row, and where it stands. */
const rowVersion = sql<string>`xmin::text || ctid::text`.as('row');
