import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import { normalizePhone } from '@deskside/shared/phone';
import { labelledOrgIds, orgIdInName, tidyText } from './org-id.ts';
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
 * Reads what an agent typed to find a company (docs/decisions.md 31): an org id, a shop's address, an e-mail address, a
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
  const withoutId = inName === null ? typed : typed.replace(/ - \d+$/, '').replace(/^\d+ - /, '');
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
