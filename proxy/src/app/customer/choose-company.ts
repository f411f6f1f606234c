import type { OrgId } from '@deskside/shared/orgid';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { hideServiceRefusal } from '#app/runtime/helpdesk-refusal.ts';
import type { JudgeMatch } from '#app/trust/judge-match.ts';
import type { SenderMemory } from '#app/trust/sender-memory.ts';
import type { Candidate } from '#domain/customer/org-id-candidates.ts';
import { chosenFirst, isRejected } from '#domain/trust/agents-word.ts';
import { leaderOf, namedCompanies } from '#domain/trust/lead.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import { carriedOrgIds } from './carried-org-ids.ts';
import type { SearchCompany } from './enrich-records.ts';

/**
 * The look-up that a Sync goes by: of the org id that the caller names, whatever agents said of it before; else, of the
 * companies that the ticket names, of the best vouched for (docs/decisions.md 10a). Null if the ticket names none, or if
 * agents have rejected all of them. Throws AppError if the helpdesk fails.
 */
export type ChooseCompany = (file: TicketFile, asked: OrgId | null, signal: AbortSignal) => Promise<Lookup | null>;

export function createChooseCompany(deps: {
  searchCompany: SearchCompany;
  judgeMatch: JudgeMatch;
  decisions: Pick<Decisions, 'list'>;
  senderMemory: SenderMemory;
}): ChooseCompany {
  const how = { by: 'platform_orgid_then_company_id', refresh: false, lane: 'click' } as const;

  return async (file, asked, signal) => {
    if (asked !== null) return deps.searchCompany(asked, how);
    const { ticket } = file;
    const { candidates } = await carriedOrgIds(deps.decisions, file);
    const [rejections, choices] = await Promise.all([
      deps.senderMemory.rejections(ticket),
      deps.senderMemory.choices(ticket),
    ]);
    const bare = ({ orgId }: Candidate) => ({ orgId, crmCompanyId: null });
    const named = chosenFirst(candidates, choices, bare).filter((one) => !isRejected(bare(one), rejections));
    const found = await Promise.all(
      named.map(async (candidate) => ({ candidate, looked: await deps.searchCompany(candidate.orgId, how) })),
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
          const { trust, isRejected: isOut } = await deps.judgeMatch(match, signal);
          return { looked, trust, isRejected: isOut };
        }),
      ),
    );
    return leaderOf(judged)?.looked ?? null;
  };
}
