import type { Part } from '#panel/rows/row.ts';

/** What somebody is to the ticket, most important first. */
export const roles = ['sender', 'contact', 'shop_owner', 'crm_contact', 'account'] as const;
type Role = (typeof roles)[number];

/** One place where a person is named. A part without a text may have had one before (`Changes`). */
export interface Mention {
  key: string;
  role: Role;
  /** Whether the sender of a ticket can have written it, in a portal for example. */
  isClaim: boolean;
  name: Part | null;
  email: Part;
  phones: Part[];
  /** What else is known of them in this role. */
  notes: Part[];
}

/** A person with everything that the mentions say, each value once. */
export interface Person {
  key: string;
  roles: Role[];
  name: Part | null;
  emails: Part[];
  phones: Part[];
  notes: Part[];
}
