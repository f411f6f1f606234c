import type { SyncData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';

/** For tests: the preview of a sync that creates the sample company's customer, with changes to its parts. */
export function sampleSync(change: Partial<SyncData> = {}): SyncData {
  return {
    action: 'preview',
    status: 'matched',
    sync_id: null,
    ticket: { name: '61307', customer: 'Khách lẻ', previous_customer: 'Khách lẻ', linked: false },
    customer: { name: 'Tiệm Hoa Mẫu - 1000069001', created: true },
    company: { id: '63001', company_id: '1000069001' as OrgId, name: 'Tiệm Hoa Mẫu' },
    changes: [
      { field: 'custom_crm_sync_status', from: null, to: 'matched' },
      { field: 'custom_shopplan_name', from: 'STANDARD', to: 'OMNI SCALE 2025 (1 năm)' },
    ],
    ...change,
  };
}

/** For tests: the answer to applying the sample preview. */
export function sampleApplied(change: Partial<SyncData> = {}): SyncData {
  const customer = 'Tiệm Hoa Mẫu - 1000069001';
  return sampleSync({
    action: 'apply',
    sync_id: 's1',
    ticket: { name: '61307', customer, previous_customer: 'Khách lẻ', linked: true },
    ...change,
  });
}

/** For tests: the answer to undoing it. */
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
