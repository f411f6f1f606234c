import { parseOrgId } from '@deskside/shared/orgid';

/** A customer's name without the org id that it may carry, accents, case and punctuation. */
export function plainName(name: string): string {
  const withoutId = name.replace(/ - (\d+)$/, idOnly).replace(/^(\d+) - /, idOnly);
  return withoutId
    .toLowerCase()
    .replaceAll('đ', 'd')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Takes away what is an org id (docs/decisions.md 5), and leaves other digits. */
function idOnly(part: string, digits: string): string {
  return parseOrgId(digits) === null ? part : '';
}

/** A domain without scheme, `www.`, port and path. */
export function plainDomain(domain: string): string {
  return domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#:].*$/, '')
    .replace(/^www\./, '')
    .replace(/\.$/, '');
}

/** What stands before or behind a name without telling anybody apart. */
const forms = [
  ...['cong ty', 'cty', 'ct', 'tnhh', 'co phan', 'cp', 'mtv', 'mot thanh vien', 'dntn', 'doanh nghiep tu nhan'],
  ...['hkd', 'ho kinh doanh', 'shop', 'store', 'cua hang', 'tiem'],
].join('|');
const before = new RegExp(`^(?:(?:${forms})(?: |$))+`);
const behind = /(?: (?:co ltd|ltd|llc|jsc|company|shop|store))+$/;

/** What of a name tells a company from others: `plainName` without remarks in brackets and legal forms. */
export function coreName(name: string): string {
  const plain = plainName(name.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' '));
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
