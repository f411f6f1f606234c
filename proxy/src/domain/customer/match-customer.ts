import type { CustomerMatch, MatchCandidate, MatchFact } from '@deskside/shared/customer-matches';
import type { OrgId } from '@deskside/shared/orgid';
import { normalizePhone } from '@deskside/shared/phone';
import type { CompanyHit } from '#domain/find/found-company.ts';
import type { Reading } from '#domain/find/read-query.ts';
import { compareNames, coreName, plainDomain } from './plain-name.ts';

/** Something by which a customer may be known to be a company. */
export interface Mark {
  code: MatchFact['code'];
  /** Of a domain the host alone, of an address in lower case, of a telephone number as `normalizePhone` has it. */
  value: string;
  /** Whether other customers of the helpdesk have it too, as they do a bookkeeper's address. */
  isShared: boolean;
  /** Whether no website user can have written it. */
  isDesks: boolean;
}

export type Judgement = Omit<CustomerMatch, 'customer' | 'at'>;

/** What agrees, in kinds that are independent of each other; two people of one agency are one. */
const kinds = {
  org_id_in_name: 'id',
  ticket_org_id: 'id',
  same_name: 'name',
  same_domain: 'writer',
  member_address: 'writer',
  member_phone: 'writer',
} as const satisfies Record<MatchFact['code'], string>;

/**
 * Judges which company a customer is that somebody made by hand (docs/decisions.md 42). *certain*: what it is called, or
 * its org id, and an independent fact say so, nothing speaks for another company, it is exactly one, and that has no other
 * customer. *likely*: more speaks for one company than for any other. *several*: as much speaks for others. *none*: not
 * enough speaks for any.
 *
 * @param how.customerOf the helpdesk's customer that has the org id already; null if none has
 * @param how.isCut whether the CRM has more companies than it listed, so that none can be known to be the only one
 */
export function matchCustomer(
  marks: readonly Mark[],
  hits: readonly CompanyHit[],
  how: { customerOf: (orgId: OrgId) => string | null; isCut: boolean },
): Judgement {
  const companies = [...Map.groupBy(hits, ({ orgId, crmId }) => orgId ?? `crm ${crmId}`).values()];
  const facts = companies.map((): MatchFact[] => []);
  for (const mark of marks) {
    const agreeing = companies.map((rows) => agreement(mark, rows));
    for (const [at, agrees] of agreeing.entries()) {
      const others = agreeing.filter((one, other) => one !== null && other !== at);
      if (agrees === null) continue;
      facts[at]?.push({ code: mark.code, value: mark.value, of: agrees.of, weight: weightOf(mark, agrees, others) });
    }
  }
  const candidates = companies
    .map(([first], at) => candidateOf(first as CompanyHit, facts[at] ?? [], how.customerOf))
    .filter((one) => one.facts.length > 0)
    .toSorted((a, b) => pointsFor(b) - pointsFor(a) || (a.crm_id < b.crm_id ? -1 : 1));
  const [first, second] = candidates.filter((one) => pointsFor(one) >= enough);
  if (first === undefined || (first.org_id === null && second === undefined)) return { verdict: 'none', candidates };
  const leads = second === undefined || pointsFor(first) > pointsFor(second);
  if (!leads || first.org_id === null) return { verdict: 'several', candidates };
  const isAlone = candidates.every((one) => one === first || one.facts.every(({ weight }) => saysLittle.has(weight)));
  const isCertain = isAlone && !how.isCut && first.customer === null && agreesTwice(first);
  return { verdict: isCertain ? 'certain' : 'likely', candidates };
}

/** Two independent facts, of which one is the name or an org id. */
function agreesTwice({ facts }: MatchCandidate): boolean {
  const full = new Set(facts.filter(({ weight }) => weight === 'full').map(({ code }) => kinds[code]));
  return full.size >= 2;
}

/** One full fact, or two lesser ones of different kinds. */
const enough = 2;

/** Each kind counts once, by its best fact. */
function pointsFor({ facts }: Pick<MatchCandidate, 'facts'>): number {
  const best = new Map<string, number>();
  for (const { code, weight } of facts) {
    const points = weight === 'full' && kinds[code] === 'id' ? 3 : weight === 'full' || weight === 'similar' ? 2 : 1;
    best.set(kinds[code], Math.max(points, best.get(kinds[code]) ?? 0));
  }
  return [...best.values()].reduce((sum, points) => sum + points, 0);
}

/** Facts that speak for no company against another. */
const saysLittle: ReadonlySet<MatchFact['weight']> = new Set(['shared', 'part']);

function weightOf(mark: Mark, { part }: Agreement, others: readonly (Agreement | null)[]): MatchFact['weight'] {
  if (part) return 'part';
  if (mark.isShared || others.some((other) => other?.part === false)) return 'shared';
  if (!mark.isDesks) return 'unproven';
  return others.length > 0 ? 'similar' : 'full';
}

/** What agrees, as the company has it. `part`: only partly. */
interface Agreement {
  of: string;
  part: boolean;
}

/** What of a company agrees with the mark; null if nothing does. */
function agreement({ code, value }: Mark, rows: readonly CompanyHit[]): Agreement | null {
  for (const { marks } of rows) {
    const reach = [marks, ...marks.people];
    switch (code) {
      case 'org_id_in_name':
      case 'ticket_org_id': {
        const id = marks.orgIds.find((one) => BigInt(digits(one)) === BigInt(value));
        if (id !== undefined) return { of: id, part: false };
        break;
      }
      case 'member_address': {
        const address = reach.flatMap(({ emails }) => emails).find((one) => one.trim().toLowerCase() === value);
        if (address !== undefined) return { of: address, part: false };
        break;
      }
      case 'member_phone': {
        const phone = reach
          .flatMap(({ phones }) => phones)
          .find((one) => normalizePhone(one.replace(/[#;x].*$/is, '')) === value);
        if (phone !== undefined) return { of: phone, part: false };
        break;
      }
      case 'same_domain': {
        const hosts = [...marks.addresses.map(plainDomain), ...reach.flatMap(({ emails }) => emails.map(hostOf))];
        if (hosts.includes(value)) return { of: value, part: false };
        break;
      }
      case 'same_name': {
        const [closest] = marks.names
          .map((name) => ({ of: name, fit: compareNames(value, name) }))
          .filter(({ fit }) => fit !== null)
          .toSorted((a, b) => Number(b.fit === 'same') - Number(a.fit === 'same'));
        if (closest) return { of: closest.of, part: closest.fit === 'part' };
      }
    }
  }
  return null;
}

function candidateOf(hit: CompanyHit, facts: MatchFact[], customerOf: (orgId: OrgId) => string | null): MatchCandidate {
  const { orgId, crmId, name, url } = hit;
  return { org_id: orgId, crm_id: crmId, name, url, customer: orgId === null ? null : customerOf(orgId), facts };
}

/** The domain of an e-mail address; empty without one. */
export function hostOf(email: string): string {
  return email.trim().toLowerCase().split('@')[1] ?? '';
}

/** An org id's digits; something else is the id of nobody. */
function digits(text: string): string {
  return /^\d{1,20}$/.test(text) ? text : '-1';
}

/** Of each kind as many as one question to the CRM takes (docs/crm.md#search-by-e-mail-or-phone). */
const most = { emails: 20, phones: 6, orgIds: 2, hosts: 2 };
/** Of a name so many words, and more until it has so many letters: whole names are rarely written the same in two systems. */
const fewest = { words: 3, letters: 11 };

/** The beginning of a name by which a company is looked for. */
function beginningOf(name: string): string {
  const words = coreName(name).split(' ');
  const isEnough = (_: string, at: number) =>
    at + 1 >= fewest.words && words.slice(0, at + 1).join('').length >= fewest.letters;
  const last = words.findIndex(isEnough);
  return words.slice(0, last === -1 ? words.length : last + 1).join(' ');
}

/** The questions to the CRM by which a customer's company is found: by people and by the rest, if there is any. */
export function questionsFor(marks: readonly Mark[]): Reading[][] {
  const values = (...codes: Mark['code'][]) => [
    ...new Set(marks.filter(({ code }) => codes.includes(code)).map(({ value }) => value)),
  ];
  const read = (kind: 'email' | 'phone' | 'shop_address' | 'name', from: string[]): Reading[] =>
    from.map((value) => ({ kind, value }));
  const people = [
    ...read('email', values('member_address').slice(0, most.emails)),
    ...read('phone', values('member_phone').slice(0, most.phones)),
  ];
  const rest = [
    ...values('org_id_in_name', 'ticket_org_id')
      .slice(0, most.orgIds)
      .map((value): Reading => ({ kind: 'org_id', value: value as OrgId })),
    ...read('shop_address', values('same_domain').slice(0, most.hosts)),
    ...read('name', values('same_name').map(beginningOf)),
  ];
  return [people, rest].filter((readings) => readings.length > 0);
}

/**
 * The judgements of all customers together: a company that several customers are certain or likely to be is certain to be
 * none of them, since only one of them can be it.
 */
export function withoutRivals(all: readonly CustomerMatch[]): CustomerMatch[] {
  const leading = (one: CustomerMatch) =>
    one.verdict === 'certain' || one.verdict === 'likely' ? one.candidates[0]?.org_id : null;
  const count = Map.groupBy(all, leading);
  return all.map((one) => {
    const orgId = leading(one);
    const rivals = orgId ? (count.get(orgId) ?? []).filter((other) => other !== one) : [];
    if (rivals.length === 0) return one;
    return { ...one, verdict: 'likely', rivals: rivals.map(({ customer }) => customer) };
  });
}

/** What somebody has undone is certain no more, so that it is not accepted again with all others. */
export function withoutTakenBack(
  all: readonly CustomerMatch[],
  undone: readonly { customer: string; orgId: OrgId }[],
): CustomerMatch[] {
  const taken = new Set(undone.map(({ customer, orgId }) => JSON.stringify([customer, orgId])));
  return all.map((one) => {
    if (!taken.has(JSON.stringify([one.customer, one.candidates[0]?.org_id]))) return one;
    return { ...one, verdict: one.verdict === 'certain' ? 'likely' : one.verdict, taken_back: true };
  });
}
