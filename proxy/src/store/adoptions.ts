import { randomUUID } from 'node:crypto';
import { AdoptedVia } from '@deskside/shared/adoption';
import { FieldChange } from '@deskside/shared/enrichment';
import { OrgId } from '@deskside/shared/orgid';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { StateDb, StateSchema, TicketKey } from './schema.ts';

// Which customers made by hand became which company, why, and what they were before: what undoing rests on. Survives
// `kill -9`. An adoption that stands had its effect only if the customer has its org id.

/** Why a customer made by hand becomes a company, and at whose word. `at` in epoch milliseconds. */
export interface Adopting {
  /** The user's id; null: Deskside itself, because the company's own address raised the ticket. */
  by: string | null;
  via: AdoptedVia;
  ticket: TicketKey | null;
  at: number;
}

/** A customer without identity that became a company (docs/decisions.md 11). */
export interface Adoption extends Adopting {
  id: string;
  customer: string;
  orgId: OrgId;
  crmCompanyId: string;
  companyName: string | null;
  /** What was to be written to the customer, and what was there before. */
  changes: FieldChange[];
  undoneAt: number | null;
}

/**
 * Records an adoption before its effect and returns its id, which cannot be guessed. Takes the place of one that stands
 * for the same customer and org id: that one has not come to its effect, or somebody has taken the org id away since.
 */
export async function record(db: StateDb, adoption: Omit<Adoption, 'id' | 'undoneAt'>): Promise<string> {
  const { customer, orgId, crmCompanyId, companyName, by, via, ticket, changes, at } = adoption;
  const id = randomUUID();
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('syncs')
      .where('kind', '=', 'adoption')
      .where('customer', '=', customer)
      .where('org_id', '=', orgId)
      .where('undone_at', 'is', null)
      .execute();
    await trx
      .insertInto('syncs')
      .values({
        id,
        kind: 'adoption',
        ticket: ticket?.name ?? null,
        creation: ticket?.creation ?? null,
        agent: by,
        org_id: orgId,
        crm_company_id: crmCompanyId,
        customer,
        before: JSON.stringify({ companyName, via, changes } satisfies z.input<typeof Before>),
        sender: null,
        sender_domain: null,
        at,
        undone_at: null,
      })
      .execute();
  });
  return id;
}

/** What an adoption changes, and at whose word. */
const Before = z.object({ companyName: z.nullable(z.string()), via: AdoptedVia, changes: z.array(FieldChange) });

export async function get(db: StateDb, id: string): Promise<Adoption | null> {
  const row = await db
    .selectFrom('syncs')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'adoption')
    .executeTakeFirst();
  return row === undefined ? null : adoptionOf(row);
}

/** All of a customer, newest first. */
export async function ofCustomer(db: StateDb, customer: string): Promise<Adoption[]> {
  const rows = await db
    .selectFrom('syncs')
    .selectAll()
    .where('kind', '=', 'adoption')
    .where('customer', '=', customer)
    .orderBy('at', 'desc')
    .execute();
  return rows.map(adoptionOf);
}

/** The one by which a customer that has the org id got it; null if it was not adopted. */
export async function standing(db: StateDb, customer: string, orgId: string): Promise<Adoption | null> {
  const row = await db
    .selectFrom('syncs')
    .selectAll()
    .where('kind', '=', 'adoption')
    .where('customer', '=', customer)
    .where('org_id', '=', orgId)
    .where('undone_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : adoptionOf(row);
}

/** Which customers were made which company and are so no more, by whomever. */
export async function takenBack(db: StateDb): Promise<Pick<Adoption, 'customer' | 'orgId'>[]> {
  const rows = await db
    .selectFrom('syncs')
    .select(['customer', 'org_id'])
    .where('kind', '=', 'adoption')
    .where('undone_at', 'is not', null)
    .execute();
  return rows.map(({ customer, org_id }) => ({ customer, orgId: OrgId.parse(org_id) }));
}

/** Repeatable: the first time stays. */
export async function markUndone(db: StateDb, id: string, at: number): Promise<void> {
  await db.updateTable('syncs').set({ undone_at: at }).where('id', '=', id).where('undone_at', 'is', null).execute();
}

/** Lets an adoption count again. Repeatable. */
export async function restore(db: StateDb, id: string): Promise<void> {
  await db.updateTable('syncs').set({ undone_at: null }).where('id', '=', id).execute();
}

/** What a row of kind `adoption` says. */
export function adoptionOf(row: Selectable<StateSchema['syncs']>): Adoption {
  const { ticket, creation } = row;
  return {
    id: row.id,
    customer: row.customer,
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    by: row.agent,
    ticket: ticket === null || creation === null ? null : { name: ticket, creation },
    ...Before.parse(JSON.parse(row.before)),
    at: row.at,
    undoneAt: row.undone_at,
  };
}
