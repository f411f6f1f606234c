import type { Company, ExtraField } from '@deskside/shared/profile';
import { cardUrl } from './card-url.ts';
import type { FieldMap } from './field-map.ts';
import { addressesOf, dateOf, decimalOf, scalar, scalars } from './values.ts';

type CompanyFields = Omit<Company, 'shopplan_status' | 'shopplan_days_left'>;

/**
 * Reads a CRM company (docs/data.md#the-crm-company), as far as it does not depend on the current time. `portal` is the
 * origin at which people open the CRM. Never throws; without a usable id there is no link.
 */
export function normalizeCompany(
  record: Readonly<Record<string, unknown>>,
  map: FieldMap,
  portal: string,
): CompanyFields {
  const of = (field: string) => (Object.hasOwn(record, field) ? record[field] : undefined);
  const text = (field: string) => scalar(of(field));
  const date = (field: string) => dateOf(of(field));
  const id = text('ID') ?? '';
  const companyId = text(map.company_id);
  const title = text('TITLE');
  const owner = text('ASSIGNED_BY_ID');
  const segmentCode = text(map.customer_segment);
  return {
    bitrix_id: id,
    company_id: companyId,
    company_name: text(map.company_name) ?? nameInTitle(title, companyId),
    title_full: title,
    url: cardUrl(portal, 'company', id),
    date_create: date('DATE_CREATE'),
    date_modify: date('DATE_MODIFY'),
    assigned_by_id: owner === '0' ? null : owner,
    address_region: text('ADDRESS_REGION'),
    address_country: text('ADDRESS_COUNTRY'),
    verified_status: text(map.verified_status),
    company_stage: text(map.company_stage),
    freshsales_id: text(map.freshsales_id),
    owner_name: text(map.owner_name),
    owner_email: text(map.owner_email),
    owner_phone: text(map.owner_phone),
    company_phone: addressesOf(of('PHONE'))[0] ?? null,
    company_email: addressesOf(of('EMAIL'))[0] ?? null,
    membership: text(map.membership),
    shop_created_date: date(map.shop_created_date),
    first_shopplan_date: date(map.first_shopplan_date),
    current_shopplan: text(map.current_shopplan),
    current_shopplan_date: date(map.current_shopplan_date),
    shopplan_expiry: date(map.shopplan_expiry),
    current_hsi_segment: text(map.current_hsi_segment),
    current_hsi_detail: decimalOf(of(map.current_hsi_detail)),
    last_hsi_segment: text(map.last_hsi_segment),
    last_hsi_detail: decimalOf(of(map.last_hsi_detail)),
    customer_segment: segmentCode === null ? null : segmentName(segmentCode, map.segments),
    customer_segment_code: segmentCode,
    ...extras(of, map.extra),
  };
}

/** The title without its trailing ` - <company id>`, which the CRM adds to shops. */
function nameInTitle(title: string | null, companyId: string | null): string | null {
  if (title === null || companyId === null || !title.endsWith(companyId)) return title;
  const [, name = ''] = /^(.*)\s-\s+$/su.exec(title.slice(0, -companyId.length)) ?? [];
  return name.trim() || title;
}

function segmentName(code: string, segments: Readonly<Record<string, string>>): string {
  return (Object.hasOwn(segments, code) ? segments[code] : undefined) ?? code;
}

function extras(of: (field: string) => unknown, wanted: FieldMap['extra']) {
  const groups: { metrics?: ExtraField[]; profit?: ExtraField[]; context?: ExtraField[] } = {};
  for (const { field, key, label, group } of wanted) {
    const value = scalars(of(field)).map(money).join(', ');
    if (value === '') continue;
    const rows = groups[group] ?? [];
    groups[group] = rows;
    rows.push({ key, label, value });
  }
  return groups;
}

/** Amount and currency of a money field, `41500000|VND`, in readable form; any other text unchanged. */
function money(text: string): string {
  const [, sign = '', whole, rest = '', currency] = /^(-?)(\d+)(\.\d+)?\|([A-Z]{3})$/.exec(text) ?? [];
  if (!whole || !currency) return text;
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ' ')}${rest} ${currency}`;
}
