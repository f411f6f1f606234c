/**
 * One invented world that both simulators start from. The CRM half has Bitrix24's shapes (docs/crm.md#values), the
 * helpdesk half Frappe Helpdesk's, so each simulator takes its half as it is.
 */
export interface Seed {
  crm: CrmSeed;
  helpdesk: HelpdeskSeed;
}

/** A record as Bitrix24 stores it: upper-case names, strings, multi fields as arrays of objects. */
export type CrmRecord = { ID: string } & Record<string, unknown>;

export interface CrmSeed {
  companies: CrmRecord[];
  contacts: CrmRecord[];
  users: CrmRecord[];
}

export interface HelpdeskSeed {
  /** IANA name of the site's time zone. Datetimes in the documents are naive in it. */
  timeZone: string;
  users: HelpdeskUserSeed[];
  /** Documents by DocType, as the site stores them: `HD Customer`, `Contact`, `HD Team`, `HD Agent`, `HD Ticket`, … */
  documents: Record<string, HelpdeskDocument[]>;
  /** Custom fields that exist on the site, by DocType; every other `custom_*` of a document is left out. */
  customFields: Record<
    string,
    { fieldname: string; fieldtype: string; label: string; options?: string; reqd?: number; unique?: number }[]
  >;
  /**
   * Custom fields at permission level 1, by DocType, with rows for every role of the desk: what `provision` does where
   * website users may write the DocType, in 1.28.
   */
  protectedFields?: Record<string, readonly string[]>;
  /** Whether the desk alone creates, writes and deletes Contacts, and nobody renames accounts, as `provision` leaves them; else everybody does. */
  closedContacts?: boolean;
  /** Whether the desk alone shares tickets and customers, as `provision` leaves them; else every reader does. */
  closedShares?: boolean;
}

export type HelpdeskDocument = { name: string } & Record<string, unknown>;

export interface HelpdeskUserSeed {
  /** E-mail address; also the name of the User document. */
  name: string;
  fullName: string;
  /** For the login page and the session. */
  password: string;
  apiKey: string;
  apiSecret: string;
  /** Roles as Frappe names them: `Agent`, `Agent Manager`, `System Manager`; none for a portal customer. */
  roles: string[];
  enabled: boolean;
}
