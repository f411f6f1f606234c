import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { hideServiceRefusal } from '#runtime/helpdesk-refusal.ts';
import { isRejected } from '#trust/agents-word.ts';
import { candidatesOf } from '#trust/candidates.ts';
import { judgeMatch } from '#trust/evidence.ts';
import { leaderOf, namedCompanies } from '#trust/lead.ts';

const how = { refresh: false, lane: 'click' } as const;

/**
 * The look-up that a Sync goes by: of the org id that the caller names, whatever agents said of it before; else, of the
 * companies that the ticket names, of the best vouched for (docs/decisions.md 10a). Null if the ticket names none, or if
 * agents have rejected all of them. Throws AppError if the helpdesk fails.
 */
export async function chooseCompany(
  ctx: Context,
  file: TicketFile,
  asked: OrgId | null,
  signal: AbortSignal,
): Promise<Lookup | null> {
  if (asked !== null) return searchCompany(ctx, asked, how);
  const { ticket } = file;
  const { candidates: named, rejections } = await candidatesOf(ctx, file);
  const found = await Promise.all(
    named.map(async (candidate) => ({ candidate, looked: await searchCompany(ctx, candidate.orgId, how) })),
  );
  const counting = found.filter(
    ({ candidate: { orgId }, looked }) =>
      !isRejected({ orgId, crmCompanyId: looked.companies[0]?.fields.bitrix_id ?? null }, rejections),
  );
  const { companies, otherwise } = namedCompanies(counting);
  const [only, ...others] = companies;
  if (only === undefined) return otherwise?.looked ?? null;
  if (others.length === 0) return only.looked;
  const judged = await hideServiceRefusal(
    Promise.all(
      companies.map(async ({ candidate, looked }) => {
        const match = { ticket, candidate, company: looked.companies[0] ?? null };
        const { trust, isRejected: isOut } = await judgeMatch(ctx, match, signal);
        return { looked, trust, isRejected: isOut };
      }),
    ),
  );
  return leaderOf(judged)?.looked ?? null;
}
