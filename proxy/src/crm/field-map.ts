import * as z from 'zod';

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
  /** Of a field that says yes or no: 1 and Y are numbers and texts otherwise. */
  type: z.enum(['boolean']).optional(),
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
