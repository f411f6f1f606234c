import { isRecord } from '@deskside/shared/json';
import { cardUrl } from './card-url.ts';
import type { CrmPerson } from './crm.ts';
import { addressesOf, scalar } from './values.ts';

/**
 * Reads the company's contacts from a contact list, without rows of another company (an unresolved placeholder is sent
 * as plain text).
 */
export function peopleOf(result: unknown, { companyId, portal }: { companyId: string; portal: string }): CrmPerson[] {
  if (!Array.isArray(result)) return [];
  return result.filter(isRecord).flatMap((row): CrmPerson[] => {
    const id = scalar(row.ID);
    if (!id || scalar(row.COMPANY_ID) !== companyId) return [];
    const name = [row.NAME, row.SECOND_NAME, row.LAST_NAME].flatMap((part) => scalar(part) ?? []).join(' ');
    return [
      {
        id,
        name: name || null,
        post: scalar(row.POST),
        emails: addressesOf(row.EMAIL).map((email) => email.toLowerCase()),
        phones: addressesOf(row.PHONE),
        url: cardUrl(portal, 'contact', id),
      },
    ];
  });
}
