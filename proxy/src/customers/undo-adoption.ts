import type { FieldChange } from '@deskside/shared/enrichment';
import type { Context } from '#context.ts';
import { hideServiceRefusal } from '#runtime/helpdesk-refusal.ts';
import { retryIfChanged } from '#runtime/retry-if-changed.ts';
import type { Adoption } from '#store/adoptions.ts';
import * as adoptions from '#store/adoptions.ts';
import { orgIdOf } from './customer-fit.ts';

/**
 * Takes an adoption back: the customer is what it was, as far as nobody else has changed it since, and no company's any
 * more. One that is another company by now stays what it is. Repeatable. Null if there is no such adoption; returns it
 * and what changed on the customer. Throws AppError `changed_since` and if the helpdesk fails.
 */
export async function undoAdoption(
  ctx: Context,
  id: string,
  signal: AbortSignal,
): Promise<{ adoption: Adoption; changes: FieldChange[] } | null> {
  const adoption = await adoptions.get(ctx.db, id);
  if (adoption === null) return null;
  const release = (work: AbortSignal) => releaseCustomer(ctx, adoption, AbortSignal.any([signal, work]));
  return { adoption, changes: await hideServiceRefusal(ctx.withLock(`enrich ${adoption.orgId}`, release)) };
}

/** `undoAdoption` for callers that hold the company's lock. Throws AppError `changed_since` and HelpdeskError. */
export async function releaseCustomer(
  { helpdesk, db, clock }: Context,
  { id, customer, orgId, changes }: Adoption,
  signal: AbortSignal,
): Promise<FieldChange[]> {
  const back = await retryIfChanged(async () => {
    const record = await helpdesk.customers.read(customer, signal);
    return record?.orgId === orgId ? helpdesk.customers.takeBack(record, changes, signal) : [];
  });
  await adoptions.markUndone(db, id, clock());
  return back;
}

/**
 * Makes a customer the company again of which an adoption was undone, as far as it still shows what it was before. Nothing
 * if it is a company's by now, or the company has another customer. Repeatable. Throws as `undoAdoption` does.
 */
export async function restoreAdoption(ctx: Context, id: string, signal: AbortSignal): Promise<void> {
  const { helpdesk, db } = ctx;
  const adoption = await adoptions.get(db, id);
  if (adoption === null || adoption.undoneAt === null) return;
  const { customer, orgId, changes } = adoption;
  const again = changes.map(({ field, from, to }) => ({ field, from: to, to: from }));
  await hideServiceRefusal(
    ctx.withLock(`enrich ${orgId}`, async (work) => {
      const within = AbortSignal.any([signal, work]);
      const given = await retryIfChanged(async () => {
        const record = await helpdesk.customers.read(customer, within);
        const others = await helpdesk.customers.findByOrgId(orgId, within);
        if (record === null || orgIdOf(record) !== null || others.length > 0) return null;
        return helpdesk.customers.takeBack(record, again, within);
      });
      if (given === null) return;
      await adoptions.restore(db, id);
    }),
  );
}
