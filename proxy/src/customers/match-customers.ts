import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import type { SearchAnswer } from '#crm/search.ts';
import type { DeskCustomer } from '#helpdesk/whole.ts';
import { orgIdInName } from '#intake/org-id.ts';
import { readAddress } from '#intake/store-address.ts';
import * as syncs from '#store/syncs.ts';
import { isPublicMailDomain } from '#trust/evidence.ts';
import {
  type Judgement,
  type MatchCandidate,
  type MatchFact,
  marksOfAll,
  matchCustomer,
  plainDomain,
  plainName,
  questionsFor,
  type Settled,
  settleAll,
} from './match-customer.ts';
import { askPatiently, portion } from './refresh-customers.ts';

/** A customer without org id. `isAnswered`: whether the CRM has answered about it. */
export interface CustomerMatch extends Judgement, Settled {
  customer: string;
  isAnswered: boolean;
}

export interface CustomersMatched {
  matches: CustomerMatch[];
  twins: Map<DeskCustomer, Shared<DeskCustomer>[]>;
  customers: DeskCustomer[];
}

/**
 * Looks for the company of every customer without org id, by what the desk knows of it (docs/decisions.md 12), and for
 * twins among all. Writes nothing. The CRM is asked in the lane that only gets what the others leave. Null if the CRM
 * does not answer at all, and if the signal ends it. Throws HelpdeskError if the customers cannot be read.
 */
export async function matchCustomers(
  ctx: Context,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<CustomersMatched | null> {
  /** Whether anybody can have an address or a page at a host. */
  const isAnybodys = (host: string) => isPublicMailDomain(host) || readAddress(host, ctx.hosts)?.kind === 'guarded';
  const { crm } = ctx;
  if (crm === null) return null;
  const all = await ctx.helpdesk.whole.customersWithMembers(signal);
  const customers = all.map((one) => ({ ...one, domain: isAnybodys(plainDomain(one.domain)) ? '' : one.domain }));
  const marks = marksOfAll(customers, isAnybodys);
  const names = new Map(customers.map(({ orgId, name }) => [orgId, name]));
  const customerOf = (orgId: OrgId) => names.get(orgId) ?? null;
  const due = customers.filter(({ orgId }) => orgId === '');
  const judged = [];
  for (let at = 0; at < due.length; at += portion) {
    onProgress(at, due.length);
    const some = due.slice(at, at + portion).map(({ name }) => ({ customer: name, marks: marks.get(name) ?? [] }));
    const askAbout = (one: (typeof some)[number]) =>
      Promise.all(questionsFor(one.marks).map((question) => crm.search(question, 'backfill')));
    const ask = () => Promise.all(some.map(askAbout));
    const answers = await askPatiently(ctx, { ask, hasFailed }, signal);
    if (answers === null) return null;
    for (const [which, { customer, marks: own }] of some.entries()) {
      const answered = answers[which] ?? [];
      const isAnswered = !hasFailed(answered);
      const hits = isAnswered ? answered.flatMap(({ companies }) => companies) : [];
      const isCut = answered.some((one) => one.isCut);
      judged.push({ customer, isAnswered, ...matchCustomer(own, hits, { customerOf, isCut }) });
    }
  }
  onProgress(due.length, due.length);
  return { matches: settleAll(judged, await syncs.takenBackAdoptions(ctx.db)), twins: findTwins(customers), customers };
}

function hasFailed(answers: readonly SearchAnswer[]): boolean {
  return answers.some(({ failed }) => failed !== null);
}

/** The surest first. */
export const verdicts = ['certain', 'likely', 'several', 'none', 'twin'] as const;

export interface MatchRow {
  customer: string;
  members: string;
  company: string;
  'org id': string;
  verdict: (typeof verdicts)[number];
  'what agrees': string;
  'what is against': string;
}

const facts: Record<MatchFact['code'], string> = {
  org_id_in_name: 'org id in the name',
  member_address: 'e-mail',
  member_phone: 'telephone',
  same_domain: 'domain',
  same_name: 'name',
};
const weights: Record<MatchFact['weight'], string> = {
  full: '',
  similar: ' (others are called similarly)',
  shared: ' (others have it too)',
  unproven: ' (a website user may have written it)',
  part: ' (in part)',
};
const sharedMarks = { org_id: 'org id', crm_id: 'CRM id', name: 'name', domain: 'domain' };
/** As many as a person compares. */
const mostShown = 4;

/** A row for each customer without org id and, after these, for each twin. */
export function matchRows({ matches, twins, customers }: CustomersMatched): MatchRow[] {
  const members = new Map(customers.map((customer) => [customer.name, listed(customer.members.flatMap(reachOf))]));
  const ofMatches = matches.map((match): MatchRow => {
    const { customer, verdict, orgId, candidates } = match;
    const shown = verdict === 'none' ? [] : candidates.slice(0, orgId === null ? mostShown : 1);
    const company =
      orgId === null ? shown.map((one) => `${nameOf(one)} (${one.orgId ?? 'no org id'})`) : shown.map(nameOf);
    return {
      customer,
      members: members.get(customer) ?? '',
      company: company.join(' | '),
      'org id': orgId ?? '',
      verdict,
      'what agrees': shown.map(factsOf).join(' | '),
      'what is against': objectionsTo(match).join(', '),
    };
  });
  const ofTwins = [...twins].map(([{ name, orgId }, shared]): MatchRow => {
    const agrees = shared.map(({ what, customers: same }) => {
      const others = same.flatMap((one) => (one.name === name ? [] : [one.name]));
      return `same ${sharedMarks[what]} as ${listed(others)}`;
    });
    const row = { customer: name, members: members.get(name) ?? '', company: '', 'org id': orgId };
    return { ...row, verdict: 'twin', 'what agrees': agrees.join(', '), 'what is against': '' };
  });
  return [...ofMatches, ...ofTwins].toSorted((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict));
}

function objectionsTo({
  customer,
  isAnswered,
  orgId,
  candidates: [first, ...others],
  rivals,
  isUndone,
}: CustomerMatch): string[] {
  const named = orgIdInName(customer);
  return [
    ...(isAnswered ? [] : ['the CRM did not answer']),
    ...(orgId && first?.customer ? [`the company is the customer ${first.customer} already`] : []),
    ...(orgId && named !== null && named !== orgId ? [`its name stands for the org id ${named}: rename it first`] : []),
    ...(rivals.length > 0 ? [`as likely to be it: ${listed(rivals)}`] : []),
    ...(isUndone ? ['this was undone before'] : []),
    ...(orgId ? others.slice(0, mostShown).map((one) => `${nameOf(one)}: ${factsOf(one)}`) : []),
  ];
}

function nameOf({ name, crmId }: MatchCandidate): string {
  return name ?? `company ${crmId}`;
}

function factsOf(candidate: MatchCandidate): string {
  return candidate.facts.map(({ code, value, weight }) => `${facts[code]} ${value}${weights[weight]}`).join(', ');
}

function reachOf({ emails, phones }: DeskCustomer['members'][number]): string[] {
  return emails.length > 0 ? emails : phones;
}

function listed(names: readonly string[]): string {
  const more = names.length > mostShown ? [`${names.length - mostShown} more`] : [];
  return [...names.slice(0, mostShown), ...more].join(', ');
}

/** What of a customer may give it away as another's twin. Empty: unknown. */
export interface TwinCandidate {
  name: string;
  domain: string;
  orgId: string;
  crmId: string;
}

const marks = {
  org_id: ({ orgId }: TwinCandidate) => orgId,
  crm_id: ({ crmId }: TwinCandidate) => crmId,
  name: ({ name }: TwinCandidate) => plainName(name),
  domain: ({ domain }: TwinCandidate) => plainDomain(domain),
};

/** What customers share, themselves among them. */
export interface Shared<Customer> {
  what: keyof typeof marks;
  customers: readonly Customer[];
}

/**
 * Customers that look like one company, and by what: the same org id, the same id in the CRM, or the same name or domain
 * where at least one of them has no org id. Two shops of one name with an org id each are two shops.
 */
export function findTwins<Customer extends TwinCandidate>(
  customers: readonly Customer[],
): Map<Customer, Shared<Customer>[]> {
  const found = new Map<Customer, Shared<Customer>[]>();
  for (const what of ['org_id', 'crm_id', 'name', 'domain'] as const) {
    for (const [value, same] of Map.groupBy(customers, marks[what])) {
      if (value === '' || same.length < 2) continue;
      if ((what === 'name' || what === 'domain') && same.every(({ orgId }) => orgId !== '')) continue;
      for (const one of same) found.set(one, [...(found.get(one) ?? []), { what, customers: same }]);
    }
  }
  return found;
}
