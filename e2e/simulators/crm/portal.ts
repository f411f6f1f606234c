import type { CrmRecord, CrmSeed } from '#seed/types.ts';

/** The records of one portal, by id. */
export interface Portal {
  companies: Map<string, CrmRecord>;
  contacts: Map<string, CrmRecord>;
  users: Map<string, CrmRecord>;
}

export function createPortal(seed: CrmSeed): Portal {
  const byId = (records: readonly CrmRecord[]) => new Map(records.map((record) => [record.ID, record]));
  return {
    companies: byId(seed.companies),
    contacts: byId(seed.contacts),
    users: byId(seed.users),
  };
}
