import { addressesIn } from '@deskside/shared/mail-address';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { ExtraField } from '@deskside/shared/profile';
import type { PlanStatus } from '@deskside/shared/status';
import * as z from 'zod';
import { isRecord } from '#runtime/json.ts';
import type { CompanyFields, CrmCompany, CrmPerson, CrmUser } from '#store/profile-cache.ts';
import { holdsSecret } from './rest.ts';
import { addressesOf, dateOf, decimalOf, deepest, emailsOf, instantOf, nameOf, scalar, scalars } from './values.ts';

const fieldName = (name: string) =>
  z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'expected the name of a CRM field, such as UF_CRM_COMPANY_ID')
    .default(name);

const Extra = z.strictObject({
  field: z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'expected the name of a CRM field, such as UF_CRM_GMV'),
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'expected lower-case letters, digits and _'),
  label: z.string().min(1).max(100),
  group: z.enum(['metrics', 'profit', 'context']),
  /** What the values are that the CRM gives as numbers, letters or addresses. */
  type: z.enum(['boolean', 'list', 'employee', 'file']).optional(),
  /** The names of a list's items by their ids. */
  items: z.record(z.string().regex(/^\d{1,20}$/, 'expected the id of a list item'), z.string().max(200)).optional(),
});

/**
 * Which CRM field holds what (docs/data.md#the-crm-company). The names of custom fields and the ids of the segment list
 * are specific to each portal; the defaults are the specification's.
 */
export const FieldMap = z.strictObject({
  company_id: fieldName('UF_CRM_COMPANY_ID'),
  platform_org_id: fieldName('UF_CRM_PLATFORM_ORG_ID'),
  company_name: fieldName('UF_CRM_STORENAME'),
  verified_status: fieldName('UF_CRM_VERIFIED_STATUS'),
  company_stage: fieldName('UF_CRM_COMPANY_STAGE'),
  freshsales_id: fieldName('UF_CRM_ID_FRESHSALES'),
  owner_name: fieldName('UF_CRM_SHOP_OWNER_NAME'),
  owner_email: fieldName('UF_CRM_SHOP_OWNER_EMAIL'),
  owner_phone: fieldName('UF_CRM_SHOP_OWNER_PHONE_NUMBER'),
  membership: fieldName('UF_CRM_PLATFORM_MEMBERSHIP'),
  shop_created_date: fieldName('UF_CRM_DATE_CREATED_SHOP'),
  first_shopplan_date: fieldName('UF_CRM_FIRST_PAID_DATE'),
  current_shopplan: fieldName('UF_CRM_CURRENT_SHOPPLAN'),
  current_shopplan_date: fieldName('UF_CRM_DATE_SIGNED_CURRENT_SHOPPLAN'),
  shopplan_expiry: fieldName('UF_CRM_DATE_EXPIRED_SHOPPLAN'),
  current_hsi_segment: fieldName('UF_CRM_CURRENT_HSI_SEGMENT'),
  current_hsi_detail: fieldName('UF_CRM_CURRENT_HSI_DETAIL'),
  last_hsi_segment: fieldName('UF_CRM_LAST_HSI_SEGMENT'),
  last_hsi_detail: fieldName('UF_CRM_LAST_HSI_DETAIL'),
  customer_segment: fieldName('UF_CRM_1778130421650'),
  segments: z
    .record(z.string().regex(/^\d{1,20}$/, 'expected the id of a list item'), z.string().min(1).max(100))
    .default({ '15090': 'SME', '15092': 'Medium', '15094': 'Enterprise' }),
  /** Additional fields, shown under their own label. */
  extra: z
    .array(Extra)
    .max(50)
    .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'expected each key once')
    .default([]),
});
export type FieldMap = z.output<typeof FieldMap>;

/** The fields of a company that are shown or looked for (docs/crm.md#calling). */
export function fieldsShown({ segments: _, extra, ...named }: FieldMap): string[] {
  const system = ['ID', 'TITLE', 'DATE_CREATE', 'DATE_MODIFY', 'ASSIGNED_BY_ID', 'ADDRESS_REGION', 'ADDRESS_COUNTRY'];
  const multiple = ['EMAIL', 'PHONE', 'WEB'];
  return [...new Set([...system, ...Object.values(named), ...extra.map(({ field }) => field), ...multiple])];
}

/** How a portal's records are read. `portal`: the origin at which people open the CRM. */
export interface Mapping {
  fieldMap: FieldMap;
  portal: string;
  /** Names of employees by their ids, as far as they are known. */
  employees?: ReadonlyMap<string, string>;
}

/** The fields that hold an employee's id, the account owner's apart. */
export function employeeFields({ extra }: FieldMap): string[] {
  return extra.filter(({ type }) => type === 'employee').map(({ field }) => field);
}

/**
 * Reads the rows of a company list: only those whose filtered field really holds the org id (decision 4: one batch; a
 * filter can get lost on the way, docs/crm.md#lost-filters). Null: no usable answer. `payload`: the whole record as JSON text
 * that is safe to store.
 */
export function companiesOf(rows: unknown, orgId: OrgId, field: string, mapping: Mapping) {
  if (!Array.isArray(rows) || !rows.every(isRecord)) return null;
  return rows
    .filter((row) => holdsOrgId(row[field], orgId) && /^\d+$/.test(scalar(row.ID) ?? ''))
    .map((row) => ({ company: companyOf(row, orgId, field, mapping), payload: scrubPayload(row) }));
}

/** Whether one of a field's values is the org id, as whole numbers: a field of numbers drops leading zeros. */
function holdsOrgId(value: unknown, orgId: OrgId): boolean {
  return orgIdsOf(value).some((id) => BigInt(id) === BigInt(orgId));
}

/** The org ids in a field, which may hold several. */
export function orgIdsOf(value: unknown): OrgId[] {
  return scalars(value).flatMap((text) => parseOrgId(text) ?? []);
}

function companyOf(row: Record<string, unknown>, orgId: OrgId, matchedField: string, mapping: Mapping): CrmCompany {
  const fields = companyFields(row, mapping, orgId);
  const emails = [row.EMAIL, row[mapping.fieldMap.owner_email]].flatMap(addressesOf).flatMap(addressesIn);
  return {
    fields,
    planExpiresAt: instantOf(row[mapping.fieldMap.shopplan_expiry]),
    modifiedAt: instantOf(row.DATE_MODIFY),
    emails: [...new Set(emails)],
    contacts: [],
    matchedFields: [matchedField],
  };
}

/**
 * Reads a CRM company (docs/data.md#the-crm-company), as far as it does not depend on the current time. The
 * Company ID is the org id that was looked up; without one the first that the record has. Never throws; without a usable id there is no link.
 */
export function companyFields(
  record: Readonly<Record<string, unknown>>,
  { fieldMap, portal, employees }: Mapping,
  orgId: OrgId | null = null,
): CompanyFields {
  const of = (field: string) => (Object.hasOwn(record, field) ? record[field] : undefined);
  const text = (field: string) => scalar(of(field));
  const words = (field: string) => nameOf(of(field));
  const date = (field: string) => dateOf(of(field));
  const id = text('ID') ?? '';
  const companyIds = orgIdsOf(of(fieldMap.company_id));
  const companyId = orgId ?? companyIds[0] ?? text(fieldMap.company_id);
  const title = nameOf(of('TITLE'));
  const owner = text('ASSIGNED_BY_ID');
  const segmentCode = text(fieldMap.customer_segment);
  return {
    bitrix_id: id,
    company_id: companyId,
    company_name: nameOf(of(fieldMap.company_name)) ?? nameInTitle(title, [...companyIds, companyId]),
    title_full: title,
    url: cardUrl(portal, 'company', id),
    date_create: date('DATE_CREATE'),
    date_modify: date('DATE_MODIFY'),
    assigned_by_id: owner === '0' ? null : owner,
    address_region: words('ADDRESS_REGION'),
    address_country: words('ADDRESS_COUNTRY'),
    verified_status: words(fieldMap.verified_status),
    company_stage: words(fieldMap.company_stage),
    freshsales_id: text(fieldMap.freshsales_id),
    owner_name: nameOf(of(fieldMap.owner_name)),
    owner_email: text(fieldMap.owner_email),
    owner_phone: text(fieldMap.owner_phone),
    company_phone: addressesOf(of('PHONE'))[0] ?? null,
    company_email: emailsOf(of('EMAIL'))[0] ?? null,
    membership: words(fieldMap.membership),
    shop_created_date: date(fieldMap.shop_created_date),
    first_shopplan_date: date(fieldMap.first_shopplan_date),
    current_shopplan: words(fieldMap.current_shopplan),
    current_shopplan_date: date(fieldMap.current_shopplan_date),
    shopplan_expiry: date(fieldMap.shopplan_expiry),
    current_hsi_segment: text(fieldMap.current_hsi_segment),
    current_hsi_detail: decimalOf(of(fieldMap.current_hsi_detail)),
    last_hsi_segment: text(fieldMap.last_hsi_segment),
    last_hsi_detail: decimalOf(of(fieldMap.last_hsi_detail)),
    customer_segment: segmentCode === null ? null : segmentName(segmentCode, fieldMap.segments),
    customer_segment_code: segmentCode,
    ...extraFields(of, fieldMap.extra, employees),
  };
}

/** The title without its trailing ` - <company id>`, which the CRM adds to shops. */
function nameInTitle(title: string | null, companyIds: readonly (string | null)[]): string | null {
  const companyId = companyIds.find((id) => id !== null && title?.endsWith(id));
  if (title === null || companyId == null) return title;
  const [, name = ''] = /^(.*)\s-\s+$/su.exec(title.slice(0, -companyId.length)) ?? [];
  return name.trim() || title;
}

/** A company's segment; null for an item of a list that nobody names, as one has that the CRM has deleted (docs/crm.md#values). */
export function namedSegment({ customer_segment, customer_segment_code }: SegmentFields): string | null {
  return unnamedSegment({ customer_segment, customer_segment_code }) === null ? customer_segment : null;
}

/** The id of such an item; null for any other segment. */
export function unnamedSegment({ customer_segment, customer_segment_code: code }: SegmentFields): string | null {
  return code !== null && code === customer_segment && /^\d+$/.test(code) ? code : null;
}

type SegmentFields = Pick<CompanyFields, 'customer_segment' | 'customer_segment_code'>;

function segmentName(code: string, segments: Readonly<Record<string, string>>): string {
  return (Object.hasOwn(segments, code) ? segments[code] : undefined) ?? code;
}

const yes = ['true', '1', 'y', 'yes'];
const no = ['false', '0', 'n', 'no'];

function extraFields(
  of: (field: string) => unknown,
  wanted: FieldMap['extra'],
  employees: ReadonlyMap<string, string> = new Map(),
) {
  const groups: { metrics?: ExtraField[]; profit?: ExtraField[]; context?: ExtraField[] } = {};
  for (const { field, key, label, group, type, items = {} } of wanted) {
    const values = scalars(of(field)).flatMap((text) => nameOf(text) ?? []);
    const isYes = yesOrNo(of(field), values[0], type === 'boolean');
    // What is no item or employee that we know stays as it is.
    const named = (text: string) => (Object.hasOwn(items, text) ? items[text] : employees.get(text)) ?? text;
    const isNamed = type === 'list' || type === 'employee';
    const value = values.flatMap((text) => (isNamed ? named(text) : money(dateOf(text) ?? text))).join(', ');
    const files = type === 'file' ? filesIn(of(field)) : 0;
    if (isYes === null && value === '' && files === 0) continue;
    const shown =
      files > 0
        ? { value: String(files), type: 'files' as const }
        : isYes === null
          ? { value }
          : { value: isYes ? 'yes' : 'no', type: 'boolean' as const };
    groups[group] = [...(groups[group] ?? []), { key, label, ...shown }];
  }
  return groups;
}

/** How many files a field holds: their addresses are secret, and names they have none (docs/crm.md#secrets-in-answers). */
function filesIn(value: unknown): number {
  return [value].flat().filter((one) => isRecord(one) || /^[1-9]\d*$/.test(scalar(one) ?? '')).length;
}

/**
 * Whether a field says yes; null if it is none that says yes or no. Only the field map tells a `1` that is a number from one
 * that is a yes, and `false` is how an empty list comes.
 */
function yesOrNo(value: unknown, text: string | undefined, isBoolean: boolean): boolean | null {
  if (value === true) return true;
  if (!isBoolean) return null;
  if (value === false || (text !== undefined && no.includes(text.toLowerCase()))) return false;
  return text !== undefined && yes.includes(text.toLowerCase()) ? true : null;
}

/** Amount and unit of a money field, `41500000|VND`, in readable form; without an amount nothing, any other text unchanged. */
function money(text: string): string[] {
  const [, sign = '', whole = '', rest = '', unit = ''] = /^(-?)(\d*)(\.\d+)?\|([A-Z]{3})?$/.exec(text) ?? [];
  if (!text.includes('|') || (whole === '' && !text.startsWith('|'))) return [text];
  if (whole === '') return [];
  const amount = `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ' ')}${rest.replace(/\.?0+$/, '')}`;
  return [unit === '' ? amount : `${amount} ${unit}`];
}

const day = 86_400_000;
const soon = 30;

/**
 * The days left on the shop plan: whole days, rounded down, so negative from the first moment after expiry
 * (docs/data.md#the-crm-company). Both times are epoch milliseconds; without an expiry neither key is set.
 */
export function planStatus(
  expiresAt: number | null,
  now: number,
): { shopplan_status?: PlanStatus; shopplan_days_left?: number } {
  if (expiresAt === null) return {};
  const left = Math.floor((expiresAt - now) / day);
  return { shopplan_status: left < 0 ? 'expired' : left < soon ? 'expiring_soon' : 'active', shopplan_days_left: left };
}

/**
 * Reads the company's contacts from a contact list, without rows of another company (an unresolved placeholder is sent
 * as plain text).
 */
export function peopleOf(result: unknown, companyId: string, portal: string): CrmPerson[] {
  if (!Array.isArray(result)) return [];
  return result.filter(isRecord).flatMap((row): CrmPerson[] => {
    const id = scalar(row.ID);
    if (!id || scalar(row.COMPANY_ID) !== companyId) return [];
    const name = joinedName(row);
    return [
      {
        id,
        name: name || null,
        post: nameOf(row.POST),
        emails: emailsOf(row.EMAIL),
        phones: addressesOf(row.PHONE),
        url: cardUrl(portal, 'contact', id),
      },
    ];
  });
}

/** Reads a row of `user.get`. */
export function userOf(row: Record<string, unknown>, id: string): CrmUser {
  const name = joinedName(row);
  return {
    id,
    active: yes.includes(String(row.ACTIVE).toLowerCase()),
    email: scalar(row.EMAIL),
    name: name || scalar(row.EMAIL),
    userType: scalar(row.USER_TYPE),
  };
}

/** Vietnamese family names that are hardly ever given names, as they are written with accents and without. */
const familyNames: ReadonlySet<string> = new Set(
  'Nguyễn Trần Lê Phạm Huỳnh Phan Võ Đặng Bùi Đỗ Hồ Ngô Đoàn Trịnh Trương Đinh Phùng Tạ Đào Quách'
    .split(' ')
    .flatMap((name) => [name, name.normalize('NFD').replace(/\p{M}/gu, '').replace('Đ', 'D')]),
);

/**
 * A name that the CRM keeps in parts, in Vietnamese order: the family name first, whichever part holds it
 * (decision 6: what is beside it). A name in one part stays as it is.
 */
export function joinedName(row: Record<string, unknown>): string {
  const [first, middle, last] = [row.NAME, row.SECOND_NAME, row.LAST_NAME].map(nameOf);
  const isTurned = isFamilyName(first) && !isFamilyName(last);
  return (isTurned ? [first, middle, last] : [last, middle, first]).filter((part) => part !== null).join(' ');
}

function isFamilyName(part: string | null | undefined): boolean {
  return familyNames.has(part?.split(' ')[0] ?? '');
}

/**
 * Address of a record's card in the CRM (docs/crm.md#webhook-addresses). The id must be digits only; the portal is an origin
 * configured by the operator. Null for anything else.
 */
function cardUrl(portal: string, kind: 'company' | 'contact', id: string): string | null {
  if (!/^\d+$/.test(id)) return null;
  const url = URL.parse(`/crm/${kind}/details/${id}/`, portal);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Members of a file that are addresses created for the requesting webhook (docs/crm.md#secrets-in-answers). */
const fileAddress = /url(?:_?machine)?$/i;

/**
 * A CRM record as JSON text that is safe to store: file addresses and every text that quotes a webhook or a token are
 * removed. Keys are sorted, so that the same record always gives the same text.
 */
export function scrubPayload(record: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(scrub(record, 0));
}

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return holdsSecret(value) ? null : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  const members = Object.entries(value)
    // A field of the record itself may well be called an address: it is the shop's.
    .filter(([key]) => !(depth > 0 && fileAddress.test(key)) && !holdsSecret(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, scrub(member, depth + 1)]);
  return Object.fromEntries(members);
}
