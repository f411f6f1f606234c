import { isTicket, type StateDb } from '#store/schema.ts';
import { accept, type Insert } from '#store/tickets.ts';

/** A ticket as a webhook may tell of it, apart from the given changes. */
export function insertedTicket(changes: Partial<Insert> = {}): Insert {
  return {
    creation: '2026-05-08 07:00:00.000000',
    owner: 'an@desk.example',
    raisedBy: 'Vy@Shop.example',
    contact: 'Vy',
    agentGroup: null,
    splitFrom: null,
    orgIds: [],
    ...changes,
  };
}

/** Keeps what a webhook told of a ticket, without having it worked on. */
export async function keepInsert(db: StateDb, name: string, told: Insert, at: number): Promise<void> {
  await accept(db, name, told, at);
  await db
    .updateTable('tickets')
    .set({ due_at: null })
    .where(isTicket({ name, creation: told.creation }))
    .execute();
}

/** How many tickets wait or are being worked on. */
export async function waitingIn(db: StateDb): Promise<number> {
  const { count } = await db
    .selectFrom('tickets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
