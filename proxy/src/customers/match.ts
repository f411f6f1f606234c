import { addressesIn } from '@deskside/shared/mail-address';
import type { OrgId } from '@deskside/shared/orgid';
import { phonesIn } from '@deskside/shared/phone';
import { foldText } from '@deskside/shared/text';
import type { Work } from '#context.ts';
import type { CompanyHit, SearchAnswer } from '#crm/search.ts';
import type { DeskCustomer } from '#helpdesk/whole.ts';
import { orgIdInName, withoutOrgId } from '#intake/org-id.ts';
import { hostOf, type Reading } from '#intake/read-query.ts';
import { readAddress } from '#intake/store-address.ts';
import * as syncs from '#store/syncs.ts';
import { isPublicMailDomain } from '#trust/evidence.ts';
import { type AcceptedCustomer, acceptedCustomers, peopleOfAll } from './people.ts';
import { askInPortions, type ProgressListener } from './refresh.ts';

/**
 * What customer and company may have in common, and of which kind it is. Only different kinds are independent of each other:
 * domain, e-mail and telephone may all be those of one agency.
 */
const kinds = {
  'org id in the name': 'id',
  name: 'name',
  domain: 'writer',
  'e-mail': 'writer',
  telephone: 'writer',
} as const;

/** Something by which a customer may be known to be a company. */
export interface Mark {
  code: keyof typeof kinds;
  /** Of a domain the host alone, of an address in lower case, of a telephone number as `phonesIn` has it. */
  value: string;
  /** Whether other customers of the helpdesk have it too, as they do a bookkeeper's address. */
  isShared: boolean;
  /** Whether no website user can have written it. */
  isDesks: boolean;
}

/**
 * A mark that a company has. `full`: it counts for itself. `similar`: others have names that this one is a part of.
 * `shared`: other customers or companies have it too. `unproven`: a website user may have written it. `part`: one name is
 * a part of the other.
 */
export interface MatchFact extends Pick<Mark, 'code' | 'value'> {
  weight: 'full' | 'similar' | 'shared' | 'unproven' | 'part';
}

/** A company that a customer may be. `customer`: the helpdesk's customer that it is already. */
export interface MatchCandidate extends Pick<CompanyHit, 'orgId' | 'crmId' | 'name'> {
  customer: string | null;
  facts: MatchFact[];
}

/** `orgId`: the company that certain or likely names, whose candidate comes first. */
export interface Judgement {
  verdict: 'certain' | 'likely' | 'several' | 'none';
  orgId: OrgId | null;
  candidates: MatchCandidate[];
}

/**
 * Judges which company a customer is that somebody made by hand (decision 12: made by hand). *certain*: what it is called, or
 * its org id, and an independent fact say so, nothing speaks for another company, it is exactly one, that has no other
 * customer, and the name ends in no other org id. *likely*: more speaks for one company than for any other. *several*: as
 * much speaks for others. *none*: not enough speaks for any.
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
  const agreeing = marks.map((mark) => companies.map((rows) => agreement(mark, rows)));
  const candidates = companies
    .map((rows, at): MatchCandidate => {
      const { orgId, crmId, name } = rows[0] as CompanyHit;
      const facts = marks.flatMap((mark, which) => {
        const agrees = agreeing[which]?.[at] ?? null;
        const others = agreeing[which]?.filter((one, other) => one !== null && other !== at) ?? [];
        return agrees === null ? [] : [{ code: mark.code, value: mark.value, weight: weightOf(mark, agrees, others) }];
      });
      return { orgId, crmId, name, customer: orgId === null ? null : how.customerOf(orgId), facts };
    })
    .filter((one) => one.facts.length > 0)
    .toSorted((a, b) => pointsFor(b) - pointsFor(a) || (a.crmId < b.crmId ? -1 : 1));
  const [first, second] = candidates.filter((one) => pointsFor(one) >= enough);
  if (first === undefined || (first.orgId === null && second === undefined))
    return { verdict: 'none', orgId: null, candidates };
  const leads = second === undefined || pointsFor(first) > pointsFor(second);
  if (!leads || first.orgId === null) return { verdict: 'several', orgId: null, candidates };
  const isAlone = candidates.every((one) => one === first || one.facts.every(({ weight }) => saysLittle.has(weight)));
  const independent = new Set(first.facts.flatMap(({ code, weight }) => (weight === 'full' ? [kinds[code]] : [])));
  const isNamedOtherwise = marks.some(
    ({ code }) => code === 'org id in the name' && !first.facts.some((fact) => fact.code === code),
  );
  const isFree = first.customer === null && !isNamedOtherwise;
  const isCertain = isAlone && !how.isCut && isFree && independent.size >= 2;
  return { verdict: isCertain ? 'certain' : 'likely', orgId: first.orgId, candidates };
}

/** One full fact, or two lesser ones of different kinds. */
const enough = 2;

/** Each kind counts once, by its best fact. */
function pointsFor({ facts }: MatchCandidate): number {
  const best = new Map<string, number>();
  for (const { code, weight } of facts) {
    const points = weight === 'full' && kinds[code] === 'id' ? 3 : weight === 'full' || weight === 'similar' ? 2 : 1;
    best.set(kinds[code], Math.max(points, best.get(kinds[code]) ?? 0));
  }
  return [...best.values()].reduce((sum, points) => sum + points, 0);
}

/** Facts that speak for no company against another. */
const saysLittle: ReadonlySet<MatchFact['weight']> = new Set(['shared', 'part']);

type Agreement = 'whole' | 'part';

function weightOf(mark: Mark, agrees: Agreement, others: readonly (Agreement | null)[]): MatchFact['weight'] {
  if (agrees === 'part') return 'part';
  if (mark.isShared || others.includes('whole')) return 'shared';
  if (!mark.isDesks) return 'unproven';
  return others.length > 0 ? 'similar' : 'full';
}

/** Whether the company of these rows has the mark, or of a name a part; null if not. */
function agreement({ code, value }: Mark, rows: readonly CompanyHit[]): Agreement | null {
  if (code !== 'name') {
    const sought = kinds[code] === 'id' ? plainId(value) : value;
    return rows.some((row) => valuesOf(row, code).includes(sought)) ? 'whole' : null;
  }
  const fits = rows.flatMap(({ marks }) => marks.names.map((name) => compareNames(value, name)));
  return fits.includes('same') ? 'whole' : fits.includes('part') ? 'part' : null;
}

/** What a company has of this kind, written as marks are. */
function valuesOf({ marks }: CompanyHit, code: Exclude<Mark['code'], 'name'>): (string | null)[] {
  const reach = [marks, ...marks.people];
  const emails = reach.flatMap((one) => one.emails.flatMap(addressesIn));
  switch (code) {
    case 'org id in the name':
      return marks.orgIds.map(plainId);
    case 'e-mail':
      return emails;
    case 'telephone':
      return reach.flatMap(({ phones }) => phones.flatMap(phonesIn));
    case 'domain':
      return [...marks.addresses.map(hostOf), ...emails.map(domainOf)];
  }
}

/** An org id without leading zeros; anything else as it is. */
function plainId(text: string): string {
  return /^\d{1,20}$/.test(text) ? String(BigInt(text)) : text;
}

/** The domain of an e-mail address; empty without one. */
function domainOf(email: string): string {
  return email.trim().toLowerCase().split('@')[1] ?? '';
}

/** Of each kind as many as one question to the CRM takes (docs/crm.md#filters). */
const most = { emails: 20, phones: 6, hosts: 2 };
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
  const values = (code: Mark['code'], most?: number) =>
    [...new Set(marks.filter((mark) => mark.code === code).map(({ value }) => value))].slice(0, most);
  const people: Reading[] = [
    ...values('e-mail', most.emails).map((value) => ({ kind: 'email' as const, value })),
    ...values('telephone', most.phones).map((value) => ({ kind: 'phone' as const, value })),
  ];
  const rest: Reading[] = [
    ...values('org id in the name').map((value) => ({ kind: 'org_id' as const, value: value as OrgId })),
    ...values('domain', most.hosts).map((value) => ({ kind: 'shop_address' as const, value })),
    ...values('name').map((name) => ({ kind: 'name' as const, value: beginningOf(name) })),
  ];
  return [people, rest].filter((readings) => readings.length > 0);
}

/**
 * One of all customers without org id. `isAnswered`: whether the CRM has answered about it. `rivals`: other customers that are
 * certain or likely to be the same company. `isUndone`: somebody has undone it before.
 */
export interface CustomerMatch extends Judgement {
  customer: string;
  isAnswered: boolean;
  rivals: string[];
  isUndone: boolean;
}

/**
 * The judgements of all customers together. Certain no more are those that are the same company, since only one of them
 * can be it, and what somebody has undone.
 */
export function settleAll(
  judged: readonly Omit<CustomerMatch, 'rivals' | 'isUndone'>[],
  undone: readonly { customer: string; orgId: OrgId }[],
): CustomerMatch[] {
  const byCompany = Map.groupBy(judged, ({ orgId }) => orgId);
  return judged.map((one) => {
    const same = one.orgId === null ? [] : (byCompany.get(one.orgId) ?? []);
    const rivals = same.flatMap(({ customer }) => (customer === one.customer ? [] : [customer]));
    const isUndone = undone.some(({ customer, orgId }) => customer === one.customer && orgId === one.orgId);
    const isDoubtful = one.verdict === 'certain' && (rivals.length > 0 || isUndone);
    return { ...one, verdict: isDoubtful ? 'likely' : one.verdict, rivals, isUndone };
  });
}

/** What the desk knows of a customer. */
export type KnownCustomer = Pick<DeskCustomer, 'name' | 'domain' | 'isDesks' | 'members'>;

/**
 * By what each customer may be known to be a company. A domain where anybody can have an address or a page says nothing.
 *
 * @param isAnybodys of a host in lower case
 */
export function marksOfAll(
  customers: readonly KnownCustomer[],
  isAnybodys: (host: string) => boolean,
): Map<string, Mark[]> {
  const marks = new Map(customers.map((customer) => [customer.name, marksOf(customer, isAnybodys)]));
  // Each customer has a mark once.
  for (const same of Map.groupBy([...marks.values()].flat(), keyOf).values())
    for (const mark of same) mark.isShared = same.length > 1;
  return marks;
}

function marksOf({ name, domain, isDesks, members }: KnownCustomer, isAnybodys: (host: string) => boolean): Mark[] {
  const found = new Map<string, Mark>();
  const add = (code: Mark['code'], value: string | null, byDesk: boolean) => {
    if (value === null || value === '') return;
    const mark = { code, value, isShared: false, isDesks: byDesk };
    const known = found.get(keyOf(mark));
    if (known) known.isDesks ||= byDesk;
    else found.set(keyOf(mark), mark);
  };
  const host = (text: string) => (isAnybodys(text) ? null : text);
  add('org id in the name', orgIdInName(name), isDesks);
  for (const { emails, phones, isDesks: byDesk } of members) {
    for (const email of emails.flatMap(addressesIn)) {
      add('e-mail', email, isDesks && byDesk);
      add('domain', host(domainOf(email)), isDesks && byDesk);
    }
    for (const phone of phones.flatMap(phonesIn)) add('telephone', phone, isDesks && byDesk);
  }
  add('domain', host(hostOf(domain)), isDesks);
  add('name', name, isDesks);
  return [...found.values()];
}

/** Marks of one key are the same thing. */
function keyOf({ code, value }: Mark): string {
  return JSON.stringify(code === 'name' ? [code, coreName(value)] : [code, value]);
}

/** A customer's name without the org id that it may carry, accents, case and punctuation. */
function plainName(name: string): string {
  return withoutOrgId(foldText(name))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What stands before or behind a name without telling anybody apart. */
const forms =
  'cong ty|cty|ct|tnhh|co phan|cp|mtv|mot thanh vien|dntn|doanh nghiep tu nhan|hkd|ho kinh doanh|shop|store|cua hang|tiem';
const before = new RegExp(`^(?:(?:${forms})(?: |$))+`);
const behind = /(?: (?:co ltd|ltd|llc|jsc|company|shop|store))+$/;

/** What of a name tells a company from others: `plainName` without remarks in brackets and legal forms. */
function coreName(name: string): string {
  const plain = plainName(foldText(name).replace(/\([^()]*\)|\[[^[\]]*\]/g, ' '));
  return plain.replace(before, '').replace(behind, '') || plain;
}

/** Fewer letters are in too many names. */
const fewestLetters = 5;

/** Whether two names are one company's, or one is a part of the other, as a branch's is; null if neither. */
export function compareNames(one: string, other: string): 'same' | 'part' | null {
  const [a, b] = [coreName(one), coreName(other)].toSorted((x, y) => x.length - y.length) as [string, string];
  if (a.length < fewestLetters || !a.includes(' ')) return a !== '' && a === b ? 'part' : null;
  if (a === b) return 'same';
  return ` ${b} `.includes(` ${a} `) ? 'part' : null;
}

/** What of a customer may give it away as another's twin. Empty: unknown. */
export type TwinCandidate = Pick<DeskCustomer, 'name' | 'domain' | 'orgId' | 'crmId'>;

const shared = {
  'org id': ({ orgId }: TwinCandidate) => orgId,
  'CRM id': ({ crmId }: TwinCandidate) => crmId,
  name: ({ name }: TwinCandidate) => plainName(name),
  domain: ({ domain }: TwinCandidate) => hostOf(domain),
};

/** What customers share, themselves among them. */
export interface SharedIdentity {
  what: keyof typeof shared;
  customers: readonly TwinCandidate[];
}

/**
 * Customers that look like one company, and by what: the same org id, the same id in the CRM, or the same name or domain
 * where at least one of them has no org id. Two shops of one name with an org id each are two shops.
 */
export function findTwins(customers: readonly TwinCandidate[]): Map<TwinCandidate, SharedIdentity[]> {
  const found = new Map<TwinCandidate, SharedIdentity[]>();
  for (const what of ['org id', 'CRM id', 'name', 'domain'] as const) {
    for (const [value, same] of Map.groupBy(customers, shared[what])) {
      if (value === '' || same.length < 2) continue;
      if ((what === 'name' || what === 'domain') && same.every(({ orgId }) => orgId !== '')) continue;
      for (const one of same) found.set(one, [...(found.get(one) ?? []), { what, customers: same }]);
    }
  }
  return found;
}

export interface MatchReport {
  matches: CustomerMatch[];
  twins: ReturnType<typeof findTwins>;
  /** Whom the desk may take for a customer's people, by its name. */
  people: Map<string, string[]>;
  accepted: AcceptedCustomer[];
}

/**
 * Looks for the company of every customer without org id, by what the desk knows of it (decision 12: made by hand), and for
 * twins among all. Writes nothing. The CRM is asked in the lane that only gets what the others leave. Null if the CRM
 * does not answer at all, and if the signal ends it. Throws HelpdeskError if the customers cannot be read.
 */
export async function matchCustomers(ctx: Work, onProgress: ProgressListener): Promise<MatchReport | null> {
  /** Whether anybody can have an address or a page at a host. */
  const isAnybodys = (host: string) => isPublicMailDomain(host) || readAddress(host, ctx.hosts)?.kind === 'guarded';
  const { crm } = ctx;
  if (crm === null) return null;
  const all = await ctx.helpdesk.whole.customersWithMembers(ctx.signal);
  const customers = all.map((one) => ({ ...one, domain: isAnybodys(hostOf(one.domain)) ? '' : one.domain }));
  const marks = marksOfAll(customers, isAnybodys);
  const marksOf = ({ name }: DeskCustomer) => marks.get(name) ?? [];
  const names = new Map(customers.map(({ orgId, name }) => [orgId, name]));
  const customerOf = (orgId: OrgId) => names.get(orgId) ?? null;
  const judged: Parameters<typeof settleAll>[0][number][] = [];
  const due = customers.filter(({ orgId }) => orgId === '');
  const ended = await askInPortions(ctx, due, onProgress, {
    ask: (one) => Promise.all(questionsFor(marksOf(one)).map((question) => crm.search(question, 'bulk'))),
    hasFailed,
    take: (one, answers) => {
      const isAnswered = !hasFailed(answers);
      const hits = isAnswered ? answers.flatMap(({ companies }) => companies) : [];
      const isCut = answers.some((answer) => answer.isCut);
      judged.push({ customer: one.name, isAnswered, ...matchCustomer(marksOf(one), hits, { customerOf, isCut }) });
    },
  });
  if (ended !== 'done') return null;
  return {
    matches: settleAll(judged, await syncs.takenBackAdoptions(ctx.db)),
    twins: findTwins(customers),
    people: peopleOfAll(all),
    accepted: await acceptedCustomers(ctx, all),
  };
}

function hasFailed(answers: readonly SearchAnswer[]): boolean {
  return answers.some(({ failed }) => failed !== null);
}
