import type { AlsoNamed, CompanyFile, CrmBlock } from '@deskside/shared/profile';
import type { RejectedCompany } from '@deskside/shared/rejection';
import type { Context } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { type Candidate, orderCandidates } from '#intake/org-id.ts';
import * as adoptions from '#store/adoptions.ts';
import * as decisions from '#store/decisions.ts';
import type { Rejection } from '#store/rejections.ts';
import { namedCompanies } from '#trust/lead.ts';
import { companyFile, nothingLooked } from './company-file.ts';
import type { Found, Judged } from './judge-companies.ts';

interface Asked {
  file: TicketFile;
  refresh: boolean;
  requestId: string;
  startedAt: number;
  /** How many milliseconds the CRM may still take. */
  crmLeft: () => number;
}

/** The ticket's companies: its org ids in order, those looked up, those judged, and the one of these that leads. */
interface Companies {
  candidates: Candidate[];
  rejections: Rejection[];
  found: Found[];
  judged: Judged[];
  leader: Judged | undefined;
}

/**
 * What the CRM has for a ticket: the company that leads, those that are named beside it, and those rejected.
 */
export async function crmBlock(ctx: Context, asked: Asked, companies: Companies): Promise<CrmBlock> {
  const { found, judged, leader } = companies;
  // The CRM may have a rejected company under another org id as well.
  const dropped = new Set(judged.flatMap((one) => (one.isRejected ? [one.candidate] : [])));
  const candidates = companies.candidates.filter((one) => !dropped.has(one));
  const { otherwise } = namedCompanies(found.filter(({ candidate }) => !dropped.has(candidate)));
  const looked = (leader ?? otherwise)?.looked ?? null;
  const others = judged.filter((company) => company !== leader && !company.isRejected);
  const status = candidates.length === 0 ? 'missing_orgid' : ctx.crmEnabled ? 'missing_config' : 'disabled';
  const fileOf = (one: Lookup, refresh: boolean) =>
    companyFile(ctx, one, { ...asked, refresh, deadlineMs: asked.crmLeft() });
  const [leading, also_named, adoption] = await Promise.all([
    looked ? fileOf(looked, asked.refresh) : nothingLooked(status),
    Promise.all(others.flatMap((other) => alsoNamed(other, fileOf(other.looked, false)))),
    // Without our own records there is nothing to say about it.
    leader ? adoptionBlock(ctx, asked.file, leader.candidate).catch(() => ({})) : {},
  ]);
  return {
    ...leading,
    enabled: ctx.crmEnabled,
    configured: ctx.crm !== null,
    lookup_candidates: candidates.map((c) => c.orgId),
    lookup_value: looked?.value ?? null,
    lookup_trust: leader?.trust ?? null,
    also_named,
    rejected: companies.rejections.map(rejectedOf),
    ...adoption,
  };
}

/**
 * Whether the ticket's customer, made by hand, became the leading company (docs/decisions.md 11), or may be it, as its last
 * decision says.
 */
async function adoptionBlock(
  ctx: Context,
  { ticket, customer }: TicketFile,
  { orgId }: Pick<Candidate, 'orgId'>,
): Promise<Pick<CrmBlock, 'adoption' | 'adopted'>> {
  if (customer === null) return {};
  const { name } = customer;
  const [held] = orderCandidates([], customer).candidates;
  if (held !== undefined) {
    const adoption = held.orgId === orgId ? await adoptions.standing(ctx.db, name, orgId) : null;
    if (adoption === null) return {};
    const { id, by, via, at } = adoption;
    return { adopted: { id, customer: name, by, via, at: new Date(at).toISOString() } };
  }
  const latest = await decisions.latest(ctx.db, ticket.name);
  const offered = latest?.inputs.org_id?.value === orgId ? latest.inputs.adoption : undefined;
  if (offered?.customer !== name || offered.done) return {};
  return { adoption: { customer: name } };
}

function rejectedOf({ id, orgId, crmCompanyId, companyName, agent, reason, at, ticket }: Rejection): RejectedCompany {
  return {
    id,
    org_id: orgId,
    bitrix_id: crmCompanyId,
    company_name: companyName,
    agent,
    reason,
    at: new Date(at).toISOString(),
    ticket,
  };
}

function alsoNamed({ candidate, looked, trust }: Judged, file: Promise<CompanyFile>): Promise<AlsoNamed>[] {
  const { orgId, source, field } = candidate;
  return looked.companies.slice(0, 1).map(async ({ fields: { bitrix_id, company_name, url } }) => ({
    org_id: orgId,
    source,
    field,
    bitrix_id,
    company_name,
    url,
    trust,
    file: await file,
  }));
}
