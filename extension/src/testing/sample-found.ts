import type { FindData, FoundCompany } from '@deskside/shared/find';
import { OrgId } from '@deskside/shared/orgid';

/** A company that was found, in CRM and helpdesk. */
export function sampleFoundCompany(change: Partial<FoundCompany> = {}): FoundCompany {
  return {
    org_id: OrgId.parse('200000376001'),
    bitrix_id: '63002',
    name: 'Gốm Sứ Làng Mơ',
    url: 'https://crm.example/crm/company/details/63002/',
    plan: 'OMNI SCALE 2025 (1 năm)',
    plan_status: 'active',
    plan_days_left: 212,
    customer: 'Gốm Sứ Làng Mơ - 200000376001',
    same_org_id: 0,
    found_by: [{ by: 'email', value: 'owner@gomlangmo.example', person: 'Trần Quang Khải' }],
    ...change,
  };
}

/** The answer to a search. */
export function sampleFind(change: Partial<FindData> = {}): FindData {
  return {
    ticket: '61307',
    read_as: ['email'],
    companies: [sampleFoundCompany()],
    more: false,
    helpdesk: { status: 'searched' },
    crm: { status: 'searched', error: null },
    ...change,
  };
}
