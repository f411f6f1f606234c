import type { DeskCustomer } from '#helpdesk/whole.ts';
import { orgIdInName } from '#intake/org-id.ts';
import type { MatchCandidate, MatchFact } from './match-customer.ts';
import type { CustomerMatch, CustomersMatched } from './match-customers.ts';

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
