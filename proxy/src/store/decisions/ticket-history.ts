import { OrgId } from '@deskside/shared/orgid';
import { RoutingDecision } from '@deskside/shared/routing';
import * as z from 'zod';
import type { InsertedTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { TicketHistory } from '#ports/routing/decisions.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';
import { noteTickets, selectTombstone } from '#store/tickets/records.ts';

const Inserted = z.object({
  creation: z.string(),
  owner: z.string(),
  raisedBy: z.string().nullable(),
  agentGroup: z.string().nullable(),
  splitFrom: z.string().nullable(),
  orgIdFields: z.array(z.object({ field: z.string(), value: z.string().nullable() })),
});

const Sight = z.object({
  entered: z.object({ agent: z.string(), orgId: OrgId }).nullable(),
  groupSetBy: z.enum(['person', 'sender', 'deskside']).nullable(),
  customer: z.string().nullable(),
  sender: z.object({ raisedBy: z.string().nullable(), isCopied: z.boolean() }).optional(),
  filled: z.partialRecord(z.enum(['segment', 'shopplan', 'servicePlan', 'responsible']), z.string()).optional(),
});

/** What the records say of one ticket, on any database that Kysely supports: its decisions, and what it was like at first. */
export function createTicketHistory(db: StateDb): TicketHistory {
  return {
    async latest(ticket) {
      const row = await selectOfTicket(db, ticket).limit(1).executeTakeFirst();
      return row ? decisionOf(row) : null;
    },

    async list(ticket) {
      return (await selectOfTicket(db, ticket).execute()).map(decisionOf);
    },

    async isForgotten(ticket, creation) {
      return (await selectTombstone(db, ticket, creation).executeTakeFirst()) !== undefined;
    },

    async keepFirstState({ ticket, creation, ...firstState }, at) {
      await db.transaction().execute(async (trx) => {
        await noteTickets(trx, [{ ticket, active_at: at, gone: 0 }]).execute();
        await insertSight(trx, { ticket, creation, sight: JSON.stringify(firstState), at }).execute();
      });
    },

    async firstState(ticket, creation) {
      const row = await selectSight(db, ticket, creation).executeTakeFirst();
      return row === undefined ? null : { ticket, creation, ...Sight.parse(JSON.parse(row.sight)) };
    },

    async inserted(ticket, creation) {
      return (await insertedOf(db, ticket)).find((inserted) => inserted.creation === creation) ?? null;
    },

    async insertedFor(ticket) {
      const row = await selectLastSight(db, ticket).executeTakeFirst();
      if (row !== undefined) return Sight.parse(JSON.parse(row.sight)).sender ?? null;
      const last = (await insertedOf(db, ticket)).at(-1);
      return last === undefined ? null : { raisedBy: last.raisedBy, isCopied: false };
    },
  };
}

/** What a row says. Throws if it is not a valid decision: it is our own record, and nothing else says what was decided. */
export function decisionOf({ id, decision }: { id: number; decision: string }): RoutingDecision {
  return RoutingDecision.parse({ ...JSON.parse(decision), id: String(id) });
}

/** In the order of the tickets that had the name. */
async function insertedOf(db: StateDb, ticket: string): Promise<InsertedTicket[]> {
  const rows = await selectInserted(db, ticket).execute();
  const all = rows.map(({ inserted }) => Inserted.parse(JSON.parse(inserted ?? '')));
  return all.sort((a, b) => (a.creation < b.creation ? -1 : 1));
}

/** Newest first. */
export function selectOfTicket(db: StateDb, ticket: string) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('ticket', '=', ticket)
    .orderBy('number', 'desc');
}

function insertSight(db: StateDb, row: StateSchema['first_sight']) {
  return db
    .insertInto('first_sight')
    .values(row)
    .onConflict((conflict) => conflict.columns(['ticket', 'creation']).doNothing());
}

function selectSight(db: StateDb, ticket: string, creation: string) {
  return db.selectFrom('first_sight').select('sight').where('ticket', '=', ticket).where('creation', '=', creation);
}

/** Of several tickets that had the name, the last. */
function selectLastSight(db: StateDb, ticket: string) {
  return db.selectFrom('first_sight').select('sight').where('ticket', '=', ticket).orderBy('creation', 'desc').limit(1);
}

/** What events said of the insert. */
function selectInserted(db: StateDb, ticket: string) {
  return db
    .selectFrom('ticket_event')
    .select('inserted')
    .where('ticket', '=', ticket)
    .where('inserted', 'is not', null);
}
