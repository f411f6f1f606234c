import { FieldChange } from '@deskside/shared/enrichment';
import { OrgId } from '@deskside/shared/orgid';
import { RejectionReason } from '@deskside/shared/profile';
import { type Expression, type ExpressionBuilder, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import * as z from 'zod/mini';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { machine } from '#runtime/machine.ts';
import { fixedRead } from './fixed-read.ts';
import { noteInUse } from './retention.ts';
import type { StateDb, StateSchema } from './schema.ts';

// Which companies agents have rejected for which senders: our own record, an input of every judgement. Entries are
// deleted with everything else about their ticket (`retention.ts`). Survives `kill -9`.

/** An agent's word that a company is not the customer of a ticket, nor of whoever raised it (decision 13: wrong customer). */
export interface Rejection {
  id: string;
  /** The one that it was made on. */
  ticket: TicketKey;
  /** The sender's address in lower case; null if the word is about this ticket alone. */
  sender: string | null;
  orgId: OrgId;
  /** Null if the CRM had no company for the org id. */
  crmCompanyId: string | null;
  /** As the CRM had it. */
  companyName: string | null;
  /** The agent's user id. */
  agent: string;
  reason: RejectionReason;
  /** What was taken back on the ticket; null until that is done. */
  taken: RejectionEffects | null;
  /** Whether the ticket's sender had made it in a session of their own. */
  signedIn: boolean;
  /** Epoch milliseconds. */
  at: number;
  /** When it ceased to count; null while it stands. */
  liftedAt: number | null;
}

/** What a rejection did to its ticket, so that it can be undone. */
export type RejectionEffects = z.output<typeof RejectionEffects>;

export const RejectionEffects = z.object({
  /** The customer that was taken off the ticket; null if none was. */
  customer: z.nullable(z.string()),
  /** The one that the ticket has instead. */
  instead: z.nullable(z.string()),
  changes: z.array(FieldChange),
  /** The sync that no longer counts since; null if there was none. */
  sync: z.nullable(z.string()),
  /** The adoption that was undone: by this ticket its customer had become the company. */
  adoption: z.optional(z.nullable(z.string())),
});

type NewRejection = Omit<Rejection, 'id' | 'taken' | 'liftedAt' | 'signedIn'> & { signedIn?: boolean };

/** Records a rejection before its effects; returns its id, which cannot be guessed. */
export async function record(db: StateDb, rejection: NewRejection): Promise<string> {
  const { ticket, sender, orgId, crmCompanyId, companyName, agent, reason, signedIn = false, at } = rejection;
  const id = machine.uuid();
  const company = { org_id: orgId, crm_company_id: crmCompanyId, company_name: companyName };
  await db.transaction().execute(async (trx) => {
    await noteInUse(trx, ticket, at);
    await trx
      .insertInto('rejections')
      .values({
        id,
        ticket: ticket.name,
        creation: ticket.creation,
        sender,
        agent,
        at,
        ...company,
        reason: JSON.stringify(reason),
        signed_in: signedIn ? 1 : 0,
      })
      .execute();
  });
  return id;
}

export async function get(db: StateDb, id: string): Promise<Rejection | null> {
  const row = await db.selectFrom('rejections').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : rejectionOf(row);
}

/** Those that stand for the ticket or for its sender, newest first. `ticket`: null before it has a name. */
export async function standing(db: StateDb, ticket: TicketKey | null, sender: string | null): Promise<Rejection[]> {
  return (await standingOf(db, ticket?.name ?? null, ticket?.creation ?? null, sender)).map(rejectionOf);
}

const standingOf = fixedRead((db, name: string | null, creation: string | null, sender: string | null) =>
  db
    .selectFrom('rejections')
    .selectAll()
    .where('lifted_at', 'is', null)
    .where(isOf({ name, creation }, sender))
    .orderBy('at', 'desc'),
);

export async function noteTaken(db: StateDb, id: string, taken: RejectionEffects): Promise<void> {
  await db
    .updateTable('rejections')
    .set({ taken: JSON.stringify(taken) })
    .where('id', '=', id)
    .execute();
}

/**
 * Lifts every standing rejection of the company for the ticket or the sender. `by`: what `restore` knows it by. What is said on a
 * ticket that was not signed in lifts for the sender only what was said on such tickets (decision 7: who vouches).
 */
export async function lift(
  db: StateDb,
  ticket: TicketKey,
  sender: string | null,
  { orgId, crmCompanyId, signedIn }: Pick<Rejection, 'orgId' | 'crmCompanyId' | 'signedIn'>,
  by: string,
  at: number,
): Promise<void> {
  await db
    .updateTable('rejections')
    .set({ lifted_at: at, lifted_by: by })
    .where('lifted_at', 'is', null)
    .where(isOf(ticket, sender, signedIn ? null : 0))
    .where((eb) => eb.or([eb('org_id', '=', orgId), eb('crm_company_id', '=', crmCompanyId)]))
    .execute();
}

/** Takes one back for good: what had lifted it before does not restore it. */
export async function takeBack(db: StateDb, id: string, at: number): Promise<void> {
  await db
    .updateTable('rejections')
    .set({ lifted_at: at, lifted_by: `undo ${id}` })
    .where('id', '=', id)
    .execute();
}

/** Lets stand again what this lifted. Repeatable. What another Sync has answered, too, is lifted by that one instead. */
export async function restore(db: StateDb, by: string): Promise<void> {
  const other = { lifted_at: ofOtherSync('linked_at'), lifted_by: ofOtherSync('id') };
  await db.updateTable('rejections').set(other).where('lifted_by', '=', by).execute();
}

/** The least value of the Syncs that stand and answer the rejection as `lift` has it; null: there are none. */
function ofOtherSync<Column extends 'id' | 'linked_at'>(
  column: Column,
): RawBuilder<StateSchema['syncs'][Column] | null> {
  return sql`(select min(s.${sql.ref(column)}) from syncs s
    where s.undone_at is null and s.linked_at is not null and s.at > rejections.at
      and (s.org_id = rejections.org_id or s.crm_company_id = rejections.crm_company_id)
      and ((s.ticket = rejections.ticket and s.creation = rejections.creation)
        or (s.sender = rejections.sender and s.signed_in >= rejections.signed_in)))`;
}

/** A comparison with null holds for no row. `signedIn`: only those of the sender with this flag; null: whichever. */
function isOf(
  { name, creation }: { name: string | null; creation: string | null },
  sender: string | null,
  signedIn: number | null = null,
) {
  return ({ and, eb, or }: ExpressionBuilder<StateSchema, 'rejections'>): Expression<SqlBool> => {
    const ofTicket = and([eb('ticket', '=', name), eb('creation', '=', creation)]);
    const ofSender = eb('sender', '=', sender);
    return or([ofTicket, signedIn === null ? ofSender : and([ofSender, eb('signed_in', '=', signedIn)])]);
  };
}

function rejectionOf(row: Selectable<StateSchema['rejections']>): Rejection {
  return {
    id: row.id,
    ticket: { name: row.ticket, creation: row.creation },
    sender: row.sender,
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    companyName: row.company_name,
    agent: row.agent,
    reason: RejectionReason.parse(JSON.parse(row.reason)),
    taken: row.taken === null ? null : RejectionEffects.parse(JSON.parse(row.taken)),
    signedIn: row.signed_in === 1,
    at: row.at,
    liftedAt: row.lifted_at,
  };
}
