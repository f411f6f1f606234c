import type { AroundTicket, CustomerTicket } from '@deskside/shared/around';
import type { SyncData } from '@deskside/shared/enrichment';
import type { FindData, FoundCompany } from '@deskside/shared/find';
import { OrgId } from '@deskside/shared/orgid';
import type { VerbOutput } from '#messaging/protocol.ts';

/** Another ticket of an invented customer. */
export function sampleTicket(name: string, change: Partial<CustomerTicket> = {}): CustomerTicket {
  return {
    name,
    path: `/helpdesk/tickets/${name}`,
    subject: `Subject of ${name}`,
    status: 'Open',
    is_open: true,
    team: 'CS 60p',
    created_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    ...change,
  };
}

/** What surrounds a ticket of that customer. */
export function sampleAround(change: Partial<AroundTicket> = {}): AroundTicket {
  return {
    ticket: '61307',
    customer: {
      name: 'Tiệm Hoa Mẫu - 1000069001',
      path: '/helpdesk/customers/Ti%E1%BB%87m',
      linked: true,
      trust: 'confirmed',
    },
    recent: [sampleTicket('9'), sampleTicket('8', { status: 'Closed', is_open: false })],
    counts: { open: 2, in_90_days: 12, all: 41, is_more: false },
    ...change,
  };
}

/** For tests of the panel's other parts: the answer of a proxy that does not know the request, so there is no section. */
export const withoutAround: VerbOutput<'around.get'> = {
  ok: false,
  error: { code: 'route_not_found' },
};

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

/** The preview of a sync that creates the sample company's customer, with changes to its parts. */
export function sampleSync(change: Partial<SyncData> = {}): SyncData {
  return {
    action: 'preview',
    status: 'matched',
    sync_id: null,
    ticket: { name: '61307', customer: 'Khách lẻ', previous_customer: 'Khách lẻ', linked: false },
    customer: { name: 'Tiệm Hoa Mẫu - 1000069001', created: true },
    company: { id: '63001', company_id: OrgId.parse('1000069001'), name: 'Tiệm Hoa Mẫu' },
    changes: [
      { field: 'custom_crm_sync_status', from: null, to: 'matched' },
      { field: 'custom_shopplan_name', from: 'STANDARD', to: 'OMNI SCALE 2025 (1 năm)' },
    ],
    ...change,
  };
}

/** The answer to applying the sample preview. */
export function sampleApplied(change: Partial<SyncData> = {}): SyncData {
  const customer = 'Tiệm Hoa Mẫu - 1000069001';
  return sampleSync({
    action: 'apply',
    sync_id: 's1',
    ticket: { name: '61307', customer, previous_customer: 'Khách lẻ', linked: true },
    ...change,
  });
}

/** The answer to undoing it. */
export function sampleUndone(change: Partial<SyncData> = {}): SyncData {
  return sampleSync({
    action: 'undo',
    sync_id: 's1',
    ticket: {
      name: '61307',
      customer: 'Khách lẻ',
      previous_customer: 'Tiệm Hoa Mẫu - 1000069001',
      linked: false,
    },
    customer: null,
    company: null,
    changes: [],
    ...change,
  });
}
