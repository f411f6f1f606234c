import type { CrmCompanyContact, CrmRecord, CrmSeed } from '#seed/types.ts';

/** The records of one portal, by id. */
export interface Portal {
  companies: Map<string, CrmRecord>;
  contacts: Map<string, CrmRecord>;
  users: Map<string, CrmRecord>;
  companyContacts: CrmCompanyContact[];
}

export function createPortal(seed: CrmSeed): Portal {
  const byId = (records: readonly CrmRecord[]) => new Map(records.map((record) => [record.ID, record]));
  return {
    companies: byId(seed.companies),
    contacts: byId(seed.contacts),
    users: byId(seed.users),
    companyContacts: [...seed.companyContacts],
  };
}

/** Adds or replaces a contact; one that names a company is linked to it. */
export function putContact(portal: Portal, record: CrmRecord): void {
  portal.contacts.set(record.ID, record);
  const COMPANY_ID = String(record.COMPANY_ID ?? '');
  const known = portal.companyContacts.some((l) => l.CONTACT_ID === record.ID && l.COMPANY_ID === COMPANY_ID);
  if (COMPANY_ID === '' || known) return;
  const siblings = portal.companyContacts.filter((l) => l.COMPANY_ID === COMPANY_ID).length;
  portal.companyContacts.push({
    COMPANY_ID,
    CONTACT_ID: record.ID,
    SORT: 10 * (siblings + 1),
    IS_PRIMARY: siblings === 0 ? 'Y' : 'N',
  });
}
