import { type CrmRecord, type CrmSeed, type HelpdeskSeed, makeSeed } from '@deskside/simulators/seed/index';
import { deskSeed } from '#testing/desk-seed.ts';

// Who lives in the simulation, and what the CRM has of their companies.

export const begin = Date.UTC(2026, 4, 8, 9);
export const service = 'service@desk.example';
/** Agents who act. Others of their teams only get tickets. */
export const agents = ['an', 'dung', 'hoa'] as const;
export type Agent = (typeof agents)[number];
export const addressOf = (agent: Agent) => `${agent}@desk.example`;

/** Who writes in: the first three may sign in, the others have no account. */
export const senders = ['boss@alpha.example', 'kim@beta.example', 'evil@mail.example', 'clerk@alpha.example'] as const;
export const accounts = senders.slice(0, 3);
/** The key of an account: its address up to the sign. */
export const keyOf = (account: string) => account.split('@')[0] ?? '';

export const teams = ['Medium - Scale', 'Medium - Grow', 'CS 60p'] as const;
export const orgIds = ['1000069001', '200000376001', '1900000001'] as const;
export type CompanyOrgId = (typeof orgIds)[number];

/** What no other company's records say: its name, its plan and its owner's address. */
export interface CompanyMarks {
  id: string;
  name: string;
  owner: string;
}
export const marksOf: Readonly<Record<string, CompanyMarks>> = {
  '1000069001': { id: '63001', name: 'Alpha', owner: 'phutrach338@crm.example' },
  '200000376001': { id: '63002', name: 'Beta', owner: 'phutrach341@crm.example' },
  '1900000001': { id: '63005', name: 'Gamma', owner: 'phutrach345@crm.example' },
};

/** The id of a company's second record. */
export const twinOf = (id: string) => `9${id}`;

const made = makeSeed({ now: new Date(begin) });
const segmentItems = { Medium: '15092', SME: '15090' } as const;
export type Segment = keyof typeof segmentItems;

/** A company as the CRM has it. A plan names its company, so that whoever reads it somewhere knows whose it is. */
export function companyRecord(
  orgId: CompanyOrgId,
  { segment, plan, emails, at }: { segment: Segment; plan: string; emails: readonly string[]; at: number },
): CrmRecord {
  const { id = '', name = '', owner } = marksOf[orgId] ?? {};
  const like = made.crm.companies.find(({ ID }) => ID === id);
  const assigned = made.crm.users.find(({ EMAIL }) => EMAIL === owner);
  if (!like || !assigned) throw new Error(`The seed has no company ${id}.`);
  return {
    ...like,
    TITLE: `${name} - ${orgId}`,
    ASSIGNED_BY_ID: assigned.ID,
    DATE_MODIFY: new Date(at).toISOString().replace('Z', '+00:00'),
    UF_CRM_PLATFORM_ORG_ID: orgId,
    UF_CRM_COMPANY_ID: orgId,
    UF_CRM_STORENAME: name,
    UF_CRM_CURRENT_SHOPPLAN: `${plan} ${name}`,
    UF_CRM_1778130421650: segmentItems[segment],
    EMAIL: emails.map((VALUE, n) => ({ ID: `${id}${n}`, VALUE_TYPE: 'WORK', VALUE, TYPE_ID: 'EMAIL' })),
  };
}

/** What the CRM says of each company at first. */
export const firstFacts: Readonly<Record<CompanyOrgId, { segment: Segment; plan: string; emails: string[] }>> = {
  '1000069001': { segment: 'Medium', plan: 'OMNI SCALE', emails: [senders[0]] },
  '200000376001': { segment: 'Medium', plan: 'Grow', emails: [senders[1]] },
  '1900000001': { segment: 'SME', plan: 'STANDARD', emails: [] },
};

export const crmSeed = (): CrmSeed => ({
  users: made.crm.users,
  contacts: [],
  companies: orgIds.map((orgId) => companyRecord(orgId, { ...firstFacts[orgId], at: begin - 24 * 3_600_000 })),
});

/** The desk, and accounts with the Contacts that signing up made, or without. Frozen: each life begins with a copy. */
const seedWith = (contacts: readonly string[]): HelpdeskSeed =>
  Object.freeze({
    ...deskSeed,
    users: [
      ...deskSeed.users,
      ...accounts.map((name) => {
        const key = keyOf(name);
        return { name, fullName: key, password: '', apiKey: key, apiSecret: key, roles: [], enabled: true };
      }),
    ],
    documents: {
      ...deskSeed.documents,
      // Made by hand, and nobody's yet.
      'HD Customer': [{ name: 'Hand 0', customer_name: 'Hand 0' }],
      Contact: contacts.map((name) => ({
        ...{ name: keyOf(name), first_name: keyOf(name), owner: name, user: name, email_id: name },
        email_ids: [{ email_id: name, is_primary: 1 }],
      })),
    },
  });
export const seeds = { known: seedWith(accounts), unknown: seedWith([]) };
