import type { AlsoNamed, CompanyFile, CrmBlock, LookupTrust } from '@deskside/shared/profile';
import type { RejectedCompany } from '@deskside/shared/rejection';
import type { ClaimsMode } from '@deskside/shared/routing';
import type { FindOwnerDeps } from '#app/crm/find-owner.ts';
import type { Lookup } from '#app/crm/lookup-company.ts';
import type { Candidate } from '#domain/customer/org-id-candidates.ts';
import type { Rejection } from '#ports/customer/company-rejections.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { companyFile, nothingLooked } from './company-file.ts';
import type { Judged } from './judge-companies.ts';

interface BlockDeps {
  clock: Clock;
  /** Null if no webhook is configured. */
  crm: FindOwnerDeps | null;
  crmEnabled: boolean;
  /** What claims may do; null while nobody has chosen that, which agents are told. */
  claims: ClaimsMode | null;
}

export interface BlockInput {
  file: TicketFile;
  candidates: Candidate[];
  rejections: Rejection[];
  /** The leading org id's look-up; null if there is none. */
  looked: Lookup | null;
  trust: LookupTrust | null;
  others: Judged[];
  refresh: boolean;
  requestId: string;
  startedAt: number;
  /** How many milliseconds the CRM may still take. */
  crmLeft: () => number;
}

/** What the CRM has for a ticket: the company that leads, those that are named beside it, and those rejected. */
export async function crmBlock(deps: BlockDeps, input: BlockInput): Promise<CrmBlock> {
  const { candidates, looked, trust, others, refresh } = input;
  const fileOf = (found: Lookup, isRefreshed: boolean) =>
    companyFile(deps, found, { ...input, refresh: isRefreshed, deadlineMs: input.crmLeft() });
  const status = candidates.length === 0 ? 'missing_orgid' : deps.crmEnabled ? 'missing_config' : 'disabled';
  const [leading, also_named] = await Promise.all([
    looked ? fileOf(looked, refresh) : nothingLooked(status),
    Promise.all(others.flatMap((other) => alsoNamed(other, fileOf(other.looked, false)))),
  ]);
  return {
    ...leading,
    enabled: deps.crmEnabled,
    configured: deps.crm !== null,
    lookup_candidates: candidates.map((c) => c.orgId),
    lookup_value: looked?.value ?? null,
    lookup_trust: trust,
    also_named,
    rejected: input.rejections.map(rejectedOf),
    ...(deps.claims === null && { claims_not_chosen: true }),
  };
}

function rejectedOf({ id, orgId, crmCompanyId, companyName, agent, reason, at, ticket }: Rejection): RejectedCompany {
  return {
    ...{ id, org_id: orgId, bitrix_id: crmCompanyId, company_name: companyName },
    ...{ agent, reason, at: new Date(at).toISOString(), ticket },
  };
}

function alsoNamed({ candidate, looked, trust }: Judged, file: Promise<CompanyFile>): Promise<AlsoNamed>[] {
  const { orgId, source, field } = candidate;
  return looked.companies.slice(0, 1).map(async ({ fields: { bitrix_id, company_name, url } }) => ({
    ...{ org_id: orgId, source, field, bitrix_id, company_name, url, trust },
    file: await file,
  }));
}
