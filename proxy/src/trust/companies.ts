import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import type { ClaimsMode, RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { LookupOutcome, TrustLevel } from '@deskside/shared/status';
import type { Candidate } from '#intake/org-id.ts';

/** A company by its ids: of the platform and, if the CRM is known to have it, of the CRM. */
export interface CompanyIds {
  orgId: OrgId;
  crmCompanyId: string | null;
}

/** A company that may lack the platform's id, as a search finds it. */
type FoundIds = Pick<CompanyIds, 'crmCompanyId'> & { orgId: OrgId | null };

/** Whether two are one company: either id will do. */
export function isSameCompany(a: CompanyIds, b: FoundIds): boolean {
  return a.orgId === b.orgId || (a.crmCompanyId !== null && a.crmCompanyId === b.crmCompanyId);
}

/**
 * Whether a ticket still has the customer that a Sync put there: by its name or, where that has been changed since, by the
 * org id on its record.
 */
export function standsOn(
  sync: { orgId: OrgId; customer: string },
  ticket: { customer: string | null; customerOrgId: OrgId | null },
): boolean {
  return sync.customer === ticket.customer || sync.orgId === ticket.customerOrgId;
}

/** Whether a Sync was about this sender: who has an account may put their own address on any ticket, and read it. */
export function isAbout(sync: { sender: string | null }, sender: string | null): boolean {
  return sync.sender === null || sync.sender === sender;
}

/** Whether an agent has rejected the company (decision 13: wrong customer). */
export function isRejected(company: CompanyIds, rejections: readonly CompanyIds[]): boolean {
  return rejections.some((rejection) => isSameCompany(rejection, company));
}

/** Which of the choices a company is: 0 for the first, their number for none of them. */
export function choiceRank(company: FoundIds, choices: readonly CompanyIds[]): number {
  const rank = choices.findIndex((choice) => isSameCompany(choice, company));
  return rank === -1 ? choices.length : rank;
}

/**
 * Puts what agents chose earlier for a sender first, in the order of the choices; the rest keeps its order. It decides
 * nothing: what is not in the list does not come into it, and nothing is vouched for by it (decision 10: who leads).
 */
export function chosenFirst<T extends { orgId: OrgId }>(candidates: readonly T[], choices: readonly CompanyIds[]): T[] {
  const rankOf = ({ orgId }: T) => choiceRank({ orgId, crmCompanyId: null }, choices);
  return candidates.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** How well a company is vouched for; what could not be judged counts as a claim. */
export function levelOf(trust: LookupTrust | null): TrustLevel {
  return trust?.level ?? 'claimed';
}

const ranks = { claimed: 0, likely: 1, confirmed: 2 } as const;

/**
 * Which of the org ids of a ticket leads (decision 10: who leads): the one that is vouched for best, of equals the first.
 * One whose trust is unknown counts as a claim, and a rejected one never leads. Undefined only if there are none.
 */
export function leaderOf<T extends { trust: LookupTrust | null; isRejected: boolean }>(
  weighed: readonly T[],
): T | undefined {
  const rankOf = ({ trust }: T) => ranks[levelOf(trust)];
  return weighed
    .filter(({ isRejected }) => !isRejected)
    .reduce<T | undefined>(
      (leader, next) => (leader === undefined || rankOf(next) > rankOf(leader) ? next : leader),
      undefined,
    );
}

/**
 * Which look-ups, in the order of the candidates, found a company, and which one is the answer if none did. Nothing
 * below an unanswered look-up counts: its company could be the one that matters (decision 3: deadlines).
 *
 * @returns `otherwise` is undefined only if there are no look-ups
 */
export function namedCompanies<T extends { lookup: { outcome: LookupOutcome | null } }>(
  lookups: readonly T[],
): { companies: T[]; otherwise: T | undefined } {
  const unanswered = lookups.findIndex(({ lookup }) => lookup.outcome === null);
  const counting = unanswered === -1 ? lookups : lookups.slice(0, unanswered);
  return {
    companies: counting.filter(({ lookup }) => lookup.outcome === 'matched'),
    otherwise: unanswered === -1 ? lookups.at(-1) : lookups[unanswered],
  };
}

/**
 * Which candidate a decision goes by (decision 10: who leads): of the companies that the CRM has the best vouched for, as in
 * the panel. Where it has none of them the helpdesk's customer decides, by the org id that it carries, else the first. An
 * unanswered look-up counts as in the panel, and where no CRM is asked the candidates stand as they are vouched for.
 */
export function decidingOf<
  T extends {
    candidate: Pick<Candidate, 'source'>;
    lookup: { outcome: LookupOutcome | null } | null;
    trust: LookupTrust | null;
    isRejected: boolean;
  },
>(weighed: readonly T[]): T | undefined {
  const standing = weighed.filter(({ isRejected }) => !isRejected);
  const asked = standing.flatMap((one) => (one.lookup === null ? [] : [{ one, lookup: one.lookup }]));
  if (asked.length < standing.length) return leaderOf(standing);
  const { companies, otherwise } = namedCompanies(asked);
  if (companies.length > 0) return leaderOf(companies.map(({ one }) => one));
  if (otherwise?.lookup.outcome === null) return otherwise.one;
  return standing.find(({ candidate }) => candidate.source !== 'ticket') ?? standing[0];
}

/** An org id with who vouches for it. */
interface OrgIdTrust {
  org_id: Pick<NonNullable<RoutingInputs['org_id']>, 'trust'> | null;
}

/** Whether only the sender vouches for the org id that a decision rests on. */
export function isClaim({ org_id }: OrgIdTrust): boolean {
  return org_id !== null && (org_id.trust?.level ?? 'claimed') === 'claimed';
}

/**
 * Whether the company decides the team and nothing else of it goes on the ticket (decisions 9 and 11: claims, which
 * customer): a claim, where claims are held; a claim on a ticket that somebody else reads; and where the ticket's
 * customer was made by hand, has not become the company, and does not decide itself.
 */
export function isHeld(
  { org_id, adoption, looked_up }: OrgIdTrust & Partial<Pick<RoutingInputs, 'adoption' | 'looked_up'>>,
  mode: ClaimsMode,
): boolean {
  if (adoption?.done === false && looked_up !== null) return true;
  if (!isClaim({ org_id })) return false;
  const isReadByOther = org_id?.trust?.evidence.some(({ code }) => readings.has(code));
  return mode === 'hold' || isReadByOther === true;
}

/** Why somebody else reads a ticket. */
const readings: ReadonlySet<string> = new Set([
  'contact_of_other',
  'guest_ticket',
  'made_by_other',
  'shared_with_other',
] satisfies TrustEvidence['code'][]);

/**
 * Whether a decision was made on a claim that was held: it is judged again once a Sync, the CRM or a look at the profile
 * brings evidence (decision 9: claims). A later change of rules does not affect it.
 */
export function isOpenClaim({ inputs }: Pick<RoutingDecision, 'inputs'>): boolean {
  return openClaimOf(inputs) !== null;
}

export function openClaimOf(inputs: RoutingInputs): OrgId | null {
  return isClaim(inputs) && isHeld(inputs, inputs.claims) ? (inputs.org_id?.value ?? null) : null;
}

/** Whether a decision goes by the ticket's customer, and that one is this company's: the ticket may name another one. */
export function isByCustomerOf({ customer, looked_up }: RoutingInputs, orgId: OrgId): boolean {
  return customer?.org_id === orgId && looked_up === null;
}

/** Whether a decision goes by an agent's Sync with this company. */
export function restsOnSync({ cause, inputs }: Pick<RoutingDecision, 'cause' | 'inputs'>, orgId: OrgId): boolean {
  const { org_id, customer } = inputs;
  // The ticket may name another company that is vouched for, and is decided by its customer all the same.
  if (cause === 'sync' && customer?.org_id === orgId) return true;
  const evidence = org_id?.trust?.evidence ?? [];
  return org_id?.value === orgId && evidence.some(({ code }) => code === 'linked_by_agent');
}

/**
 * Whether a decision gave the ticket this org id: intake found it, or the ticket's customer has it. One that was on the
 * ticket is not ours.
 */
export function hasGiven({ inputs }: Pick<RoutingDecision, 'inputs'>, orgId: OrgId): boolean {
  const { org_id, findings } = inputs;
  if (findings.some(({ value }) => value === orgId)) return true;
  return org_id?.value === orgId && org_id.source !== 'ticket' && !isClaim(inputs);
}
