import type { CrmCompany } from '#store/profile-cache.ts';
import { company } from './sample-company.ts';

/** The sample company with everything that a store keeps of one, and characters that databases stumble over. */
export function cachedCompany(bitrixId: string, name = 'Cửa hàng O\'Brien "☕" \\ 1'): CrmCompany {
  return company(
    '200000001',
    {
      planExpiresAt: Date.UTC(2026, 10, 20, 12),
      emails: ['owner@shop.example'],
      contacts: [{ id: '1', name: 'Lan', post: null, emails: ['lan@shop.example'], phones: ['0901'], url: null }],
    },
    {
      bitrix_id: bitrixId,
      company_name: name,
      title_full: `${name} - 200000001`,
      date_create: '01/02/2020',
      date_modify: '20/11/2026',
      assigned_by_id: '7',
      current_shopplan: 'Scale',
      shopplan_expiry: '31/12/2026',
      customer_segment: 'Medium',
      metrics: [{ key: 'gmv', label: 'GMV', value: '1.000.000 ₫' }],
    },
  );
}
