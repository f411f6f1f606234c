import type { OrgId } from '@deskside/shared/orgid';
import type { AlsoNamed, Company, CrmBlock, ProfileData } from '@deskside/shared/profile';

/** For tests: an invented shop with all fields. */
const sampleCompany: Company = {
  bitrix_id: '63001',
  company_id: '1000069001',
  company_name: 'Tiệm Hoa Mẫu',
  title_full: 'Tiệm Hoa Mẫu - 1000069001',
  url: 'https://crm.example/crm/company/details/63001/',
  date_create: '31/03/2024',
  date_modify: '05/05/2026',
  assigned_by_id: '338',
  address_region: 'Hồ Chí Minh',
  address_country: 'Việt Nam',
  verified_status: null,
  company_stage: 'Active',
  freshsales_id: null,
  owner_name: 'Nguyễn Thị Mẫu',
  owner_email: 'owner@tiemhoamau.example',
  owner_phone: '0900 000 001',
  company_phone: '028 3800 0001',
  company_email: 'shop@tiemhoamau.example',
  membership: 'Member',
  shop_created_date: '19/01/2016',
  first_shopplan_date: '20/01/2016',
  current_shopplan: 'OMNI SCALE 2025 (1 năm)',
  current_shopplan_date: '20/01/2026',
  shopplan_expiry: '20/01/2027',
  shopplan_status: 'active',
  shopplan_days_left: 61,
  current_hsi_segment: 'HSI_100',
  current_hsi_detail: '12.3457',
  last_hsi_segment: 'HSI_1',
  last_hsi_detail: '0',
  customer_segment: 'Medium',
  customer_segment_code: '15092',
};

const sampleCrm: CrmBlock = {
  enabled: true,
  configured: true,
  status: 'matched',
  outcome: 'matched',
  cached: false,
  stale: false,
  as_of: '2026-11-20T08:00:00.000Z',
  lookup_candidates: ['1000069001' as OrgId],
  lookup_value: '1000069001' as OrgId,
  lookup_trust: {
    level: 'confirmed',
    evidence: [
      { code: 'signed_in_email_of_company', value: 'mau@tiemhoamau.example' },
      { code: 'value_on_ticket', field: 'custom_orgid' },
    ],
  },
  company: sampleCompany,
  contact: {
    id: '77',
    name: 'Trần Mẫu',
    post: 'Kế toán',
    email: 'mau@tiemhoamau.example',
    phone: '+84900000002',
    url: 'https://crm.example/crm/contact/details/77/',
    chosen_by: 'email',
  },
  responsible: {
    id: '338',
    active: true,
    email: 'an@crm.example',
    name: 'Nguyễn An',
    user_type: 'employee',
    status: 'active',
  },
  alternatives: [],
  also_named: [],
  rejected: [],
  error: null,
};

export interface ProfileChange extends Partial<Omit<ProfileData, 'ticket' | 'bitrix'>> {
  ticket?: Partial<ProfileData['ticket']>;
  bitrix?: Partial<CrmBlock>;
  company?: Partial<Company>;
}

/** What the CRM says where it has no company. */
export const noCompany = { company: null, contact: null, responsible: null, lookup_trust: null, outcome: null };

/** For tests: a profile of the sample company, with changes to its parts. */
export function sampleProfile(change: ProfileChange = {}): ProfileData {
  const { ticket, bitrix, company, ...rest } = change;
  return {
    ticket: {
      name: '61307',
      subject: 'Không in được đơn',
      customer: 'Tiệm Hoa Mẫu - 1000069001',
      contact: 'Trần Mẫu',
      raised_by: 'mau@tiemhoamau.example',
      agent_group: 'Medium - Scale',
      custom_orgid: '1000069001',
      ...ticket,
    },
    customer: {
      name: 'Tiệm Hoa Mẫu - 1000069001',
      customer_name: 'Tiệm Hoa Mẫu - 1000069001',
      domain: null,
      custom_platform_orgid: '1000069001',
      custom_myplatform: 'tiem-hoa-mau.platform.example',
      custom_customer_segment: 'Medium',
      custom_shopplan_name: 'OMNI SCALE 2025 (1 năm)',
      custom_crm_company_id: '63001',
      custom_crm_company_url: null,
      custom_crm_sync_status: 'matched',
      custom_crm_last_synced_at: null,
      custom_crm_last_checked_at: null,
    },
    contact: {
      name: 'Trần Mẫu-1',
      full_name: 'Trần Mẫu',
      email_id: 'mau@tiemhoamau.example',
      phone: null,
      mobile_no: '0900 000 002',
    },
    haravan: [],
    names: {},
    pending: [],
    notes: [],
    ...rest,
    bitrix: { ...sampleCrm, ...(company && { company: { ...sampleCompany, ...company } }), ...bitrix },
  };
}

/** For tests: another company of the CRM with the same org id. */
export const sampleTwin = {
  bitrix_id: '2',
  company_id: null,
  company_name: null,
  date_modify: null,
  url: null,
  current_shopplan: null,
  shopplan_expiry: null,
  customer_segment: null,
  owner_name: null,
  owner_email: null,
  owner_phone: null,
};

/** For tests: another company that the ticket's customer names. */
export function sampleOther(): AlsoNamed {
  const company = { ...sampleCompany, bitrix_id: '63002', company_id: '200000376001', company_name: 'Gốm Sứ Làng Mơ' };
  const { status, outcome, cached, stale, as_of, contact, responsible, error } = sampleCrm;
  return {
    org_id: '200000376001' as OrgId,
    source: 'customer',
    field: 'custom_platform_orgid',
    bitrix_id: '63002',
    company_name: 'Gốm Sứ Làng Mơ',
    url: 'https://crm.example/crm/company/details/63002/',
    trust: { level: 'claimed', evidence: [] },
    file: { status, outcome, cached, stale, as_of, contact, responsible, error, company, alternatives: [] },
  };
}
