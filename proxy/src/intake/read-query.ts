import { addressesIn } from '@deskside/shared/mail-address';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import { normalizePhone, phonesIn } from '@deskside/shared/phone';
import { foldText } from '@deskside/shared/text';
import { labelledOrgIds, orgIdInName, tidyText, withoutOrgId } from './org-id.ts';
import { readAddress, type StoreHosts, splitAddress } from './store-address.ts';

/**
 * What the text of a search may mean. `shop_address`: a host in lower-case ASCII, without `www.`; `email` in lower case;
 * `phone`: digits, nationally where the country is ours.
 */
export type Reading =
  | { kind: 'org_id'; value: OrgId }
  | { kind: 'shop_address' | 'email' | 'phone' | 'name'; value: string };

/** Longer names are cut: no company's is longer. */
const longestName = 140;
/** A number of so few digits is more likely part of a name than the whole of it. */
const shortNumber = 6;

const email = /[^\s<>()[\]",;:@]+@[^\s<>()[\]{}"'`,;:@?/&#]+\.[^\s<>()[\]{}"'`,;:@?/&#.]{2,}/gu;
const phoneLabel = /^(?:tel|phone|hotline|zalo|sđt|sdt|đt|dt|điện thoại|số điện thoại)\s{0,3}[.:]?\s{0,3}(?=[+(\d])/iu;
const number = /^\+?[\d\s().\-/]{1,40}$/;

/**
 * Reads what an agent typed to find a company (docs/api.md#find-company): an org id, a shop's address, an e-mail address, a
 * telephone number or a name. What may be several of these is read as each; empty if it is too short for any. Nothing is
 * fetched.
 */
export function readQuery(text: string, hosts: StoreHosts): Reading[] {
  const typed = tidyText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const [labelled] = labelledOrgIds(typed, 1);
  if (labelled) return [{ kind: 'org_id', value: labelled.orgId }];
  const emails = splitAddress(typed).hasScheme ? [] : (typed.match(email) ?? []);
  if (emails.length === 1 && emails[0]) return [{ kind: 'email', value: emails[0].replace(/^'/, '').toLowerCase() }];
  const unlabelled = typed.replace(phoneLabel, '');
  if (number.test(unlabelled)) return readNumber(unlabelled, typed);
  const inName = orgIdInName(typed);
  const withoutId = inName === null ? typed : withoutOrgId(typed);
  return [
    ...(inName === null ? [] : [{ kind: 'org_id' as const, value: inName }]),
    ...readHost(typed, hosts),
    ...readName(withoutId, hosts),
  ];
}

/** Digits: an org id, a telephone number, or both. */
function readNumber(text: string, typed: string): Reading[] {
  const digits = text.replace(/\D/g, '');
  const orgId = text.startsWith('+') || text !== typed ? null : parseOrgId(digits);
  const national = normalizePhone(text);
  const isPhone = national !== null && (/^[+(]/.test(text) || national.startsWith('0') || text !== typed);
  const phone: Reading[] = isPhone && digits.length <= 15 ? [{ kind: 'phone', value: national }] : [];
  const ids: Reading[] = orgId === null ? [] : [{ kind: 'org_id', value: orgId }];
  const name: Reading[] = digits.length <= shortNumber && digits.length > 1 ? [{ kind: 'name', value: typed }] : [];
  return [...(digits.startsWith('0') ? [...phone, ...ids] : [...ids, ...phone]), ...name];
}

function readHost(typed: string, hosts: StoreHosts): Reading[] {
  if (typed.includes(' ') || (typed.includes('@') && !splitAddress(typed).hasScheme)) return [];
  const address = readAddress(typed, hosts);
  if (address === null || address.kind === 'guarded') return [];
  const host: Reading = { kind: 'shop_address', value: address.host.replace(/^www\./, '') };
  if (address.kind === 'site' || address.orgId === null) return [host];
  return [{ kind: 'org_id', value: address.orgId }, host];
}

/** A name, unless it can only be an address. */
function readName(text: string, hosts: StoreHosts): Reading[] {
  const { hasScheme, path } = splitAddress(text);
  const isAddress = !text.includes(' ') && readAddress(text, hosts) !== null;
  if (isAddress && (hasScheme || path !== '' || readAddress(text, hosts)?.kind === 'shop')) return [];
  const letters = text.match(/[\p{L}\p{N}]/gu) ?? [];
  if (letters.length < 2) return [];
  return [{ kind: 'name', value: [...text].slice(0, longestName).join('').trim() }];
}

/** Everything by which a company may be meant, as its record has it. */
export interface Marks {
  orgIds: readonly string[];
  names: readonly string[];
  /** Web addresses or hosts. */
  addresses: readonly string[];
  emails: readonly string[];
  phones: readonly string[];
  /** People who belong to it. */
  people: readonly { name: string | null; emails: readonly string[]; phones: readonly string[] }[];
}

/** Why a company was found: what of it matches, and whose that is if it is a person's. A lower rank is a closer match. */
export interface MatchReason {
  by: Reading['kind'];
  value: string;
  person: string | null;
  rank: number;
}

/** Any number that shares this many last digits is the same, whatever its prefix. */
const fewestDigits = 7;

/**
 * Why a record matches what was typed, closest first; empty if it does not. The systems that were searched may have taken a
 * part of it for a wildcard, ignored accents, or lost the filter on the way, so every record is compared again here.
 */
export function matchReasons(readings: readonly Reading[], marks: Marks): MatchReason[] {
  return readings.flatMap((reading) => reasonsFor(reading, marks)).toSorted((a, b) => a.rank - b.rank);
}

function reasonsFor({ kind, value }: Reading, marks: Marks): MatchReason[] {
  const reason = (shown: string, rank: number, person: string | null = null): MatchReason => ({
    by: kind,
    value: shown,
    person,
    rank,
  });
  /** What is found on the company itself, or else on the first of its people. */
  const ofSomebody = (find: (one: Pick<Marks, 'emails' | 'phones'>) => string | undefined): MatchReason[] => {
    for (const [at, one] of [{ ...marks, name: null }, ...marks.people].entries()) {
      const found = find(one);
      if (found !== undefined) return [reason(found, at === 0 ? 1 : 2, one.name)];
    }
    return [];
  };
  switch (kind) {
    case 'org_id':
      return marks.orgIds
        .filter((id) => isSameNumber(id, value))
        .slice(0, 1)
        .map((id) => reason(id, 0));
    case 'shop_address': {
      const address = marks.addresses.find((one) => hostOf(one) === value);
      const named = marks.names.find((name) => foldText(name).includes(value));
      if (address !== undefined) return [reason(address, 1)];
      return named === undefined ? [] : [reason(named, 4)];
    }
    case 'email':
      return ofSomebody(({ emails }) => emails.find((one) => isSameEmail(one, value)));
    case 'phone':
      return ofSomebody(({ phones }) => phones.find((one) => isSamePhone(one, value)));
    case 'name':
      return closestName(marks.names, foldText(value)).map(([name, rank]) => reason(name, rank));
  }
}

function closestName(names: readonly string[], wanted: string): [name: string, rank: number][] {
  const ranked = names.flatMap((name): [string, number][] => {
    const folded = foldText(name);
    // A name that carries its org id is still that name.
    if (folded === wanted || withoutOrgId(folded) === wanted) return [[name, 3]];
    if (folded.startsWith(wanted)) return [[name, 4]];
    return folded.includes(wanted) ? [[name, 5]] : [];
  });
  return ranked.toSorted(([, a], [, b]) => a - b).slice(0, 1);
}

/** Whether one of a record's values has the address, or is what was typed. */
function isSameEmail(written: string, wanted: string): boolean {
  const [address = wanted] = addressesIn(wanted);
  return addressesIn(written).includes(address) || written.trim().toLowerCase() === wanted;
}

/** Equal as text, or as whole numbers: some fields drop leading zeros. */
function isSameNumber(id: string, wanted: string): boolean {
  return id === wanted || (/^\d{1,20}$/.test(id) && BigInt(id) === BigInt(wanted));
}

function isSamePhone(phone: string, wanted: string): boolean {
  const plain = (number: string) => number.replace(/^0+/, '');
  const isEnd = (a: string, b: string) =>
    Math.min(a.length, b.length) >= fewestDigits && (a.endsWith(b) || b.endsWith(a));
  return phonesIn(phone).some((number) => isEnd(plain(number), plain(wanted)));
}

/** The host of a web address as people write it, in lower case, without `www.`; empty if it has none. */
export function hostOf(address: string): string {
  const written = address.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `https://${written}`);
  return url?.hostname.replace(/^www\./, '').replace(/\.$/, '') ?? '';
}
