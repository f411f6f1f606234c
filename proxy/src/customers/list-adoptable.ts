import type { AdoptionCandidate } from '@deskside/shared/enrichment';
import type { Context } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { AppError } from '#runtime/app-error.ts';
import { explainCustomerRefusal } from '#runtime/helpdesk-refusal.ts';
import { requireCustomerWrite } from '#server/require-write.ts';
import type { Match } from './apply-match.ts';
import { fitOf } from './customer-fit.ts';
import { nameWithoutId } from './customer-name.ts';

/** As many as a person compares at a glance. */
const maxCandidates = 5;

/**
 * The customers made by hand that the company may be: the ticket's own, and those of the company's name that the caller
 * may read, if they belong to no company yet. A name alone proves nothing, so a person decides (docs/decisions.md 12).
 * Throws AppError and HelpdeskError.
 */
export async function listAdoptable(
  ctx: Context,
  { match: { orgId, company }, ofTicket, caller }: { match: Match; ofTicket: string | null; caller: Caller },
  signal: AbortSignal,
): Promise<AdoptionCandidate[]> {
  const { helpdesk } = ctx;
  const name = nameWithoutId(company.fields.company_name ?? '');
  const [own, named] = await Promise.all([
    ofTicket === null ? null : helpdesk.customers.read(ofTicket, signal),
    name === '' ? [] : helpdesk.customers.findNamed(name, signal),
  ]);
  const target = { orgId, crmCompanyId: company.fields.bitrix_id };
  const found = [...(own ? [own] : []), ...named.filter((record) => record.name !== own?.name)]
    .filter((record) => record.orgId === null && fitOf(record, target) !== 'other')
    .slice(0, maxCandidates);
  const candidates = await Promise.all(
    found.map(async (record) => {
      const of_ticket = record.name === own?.name;
      const may_adopt = of_ticket || (await may(requireCustomerWrite(ctx, caller, record.name, signal)));
      const may_see =
        may_adopt ||
        (await may(explainCustomerRefusal(helpdesk.rights.requireCustomerRead(caller, record.name, signal))));
      return may_see ? [{ name: record.name, of_ticket, may_adopt }] : [];
    }),
  );
  return candidates.flat();
}

const refusals: ReadonlySet<string> = new Set(['customer_not_writable', 'customer_not_readable', 'customer_not_found']);

/** Whether the helpdesk lets the caller. */
async function may(asked: Promise<void>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof AppError && refusals.has(error.code)) return false;
    throw error;
  }
}
