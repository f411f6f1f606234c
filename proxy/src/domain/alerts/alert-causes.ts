/**
 * Everything that an operator is alerted to (docs/monitoring.md#alerts). `says` and `todo` are complete in themselves:
 * nothing of a ticket, a customer or a caller is ever added. `quietMinutes`: nothing reports its end, so it counts as
 * over when it has not been seen again for so long; null: the service notices itself when it is over.
 */
export const alertCauses = {
  crm_unauthorized: {
    says: 'The CRM refuses a webhook.',
    todo: 'Make a new webhook and set CRM_WEBHOOK_URL or CRM_RESPONSIBLE_WEBHOOK_URL.',
    quietMinutes: null,
  },
  crm_insufficient_scope: {
    says: 'A CRM webhook lacks a scope, or its owner a right.',
    todo: 'Tick crm or user_basic, and give the owner read access to companies.',
    quietMinutes: null,
  },
  crm_redirected: {
    says: 'The CRM portal has another address.',
    todo: 'Set the new address of the webhook.',
    quietMinutes: null,
  },
  crm_overloaded: {
    says: 'The CRM has blocked REST for the portal.',
    todo: 'Ask its support, and look for other integrations that call too much.',
    quietMinutes: null,
  },
  crm_operation_limit: {
    says: 'A method of the CRM has used up its execution time.',
    todo: 'It passes within ten minutes; if it comes back, look for other heavy callers.',
    quietMinutes: null,
  },
  crm_timeout: {
    says: 'The CRM answers too late, five times in a row.',
    todo: 'Check network and portal; people see the last good data meanwhile.',
    quietMinutes: null,
  },
  crm_unreachable: {
    says: 'The CRM cannot be reached, five times in a row.',
    todo: 'Check network and portal; people see the last good data meanwhile.',
    quietMinutes: null,
  },
  crm_server_error: {
    says: 'The CRM fails, five times in a row.',
    todo: 'Check the portal; people see the last good data meanwhile.',
    quietMinutes: null,
  },
  crm_bad_answer: {
    says: 'The CRM answers nonsense, five times in a row.',
    todo: 'Check what answers at its address; people see the last good data meanwhile.',
    quietMinutes: null,
  },
  crm_budget_store: {
    says: 'The shared budget of requests to the CRM cannot be read.',
    todo: 'Check the database; meanwhile each process asks at a quarter of the rate.',
    quietMinutes: null,
  },
  store_failing: {
    says: 'Deskside cannot read its store.',
    todo: 'Check the database and its disk.',
    quietMinutes: null,
  },
  helpdesk_unreachable: {
    says: 'The helpdesk does not respond as it should.',
    todo: 'Check HELPDESK_URL, the network between the two machines, and whether the helpdesk is running.',
    quietMinutes: null,
  },
  service_key_refused: {
    says: "The helpdesk refuses the service account's key.",
    todo: 'Create a new key in the helpdesk, and set HELPDESK_API_KEY and HELPDESK_API_SECRET.',
    quietMinutes: null,
  },
  target_team_missing: {
    says: 'A team that tickets are routed to does not exist or is disabled.',
    todo: 'Create or enable it, or change the rules; the tickets follow.',
    quietMinutes: 24 * 60,
  },
  settings_unusable: {
    says: 'Changed settings cannot be used by a process; it goes on with those before.',
    todo: 'Give all processes the same MASTER_KEY, or set what the log names anew.',
    quietMinutes: null,
  },
  ticket_write_rejected: {
    says: 'A rule of the helpdesk refuses what is written to a ticket.',
    todo: 'Run doctor; the ticket is tried again every ten minutes.',
    quietMinutes: 25,
  },
  ticket_unreadable: {
    says: 'A ticket cannot be read and is left out.',
    todo: "Find it in the log and mend it in the helpdesk's database; the other tickets go on.",
    quietMinutes: 24 * 60,
  },
  another_installation: {
    says: 'Another installation of Deskside routes tickets with the same service account.',
    todo: 'Stop it: an old process, or a staging copy of these settings.',
    quietMinutes: 60,
  },
  helpdesk_page_changed: {
    says: 'The extension does not find its place on the ticket page of the helpdesk.',
    todo: 'Update the extension; see "After an update of the helpdesk" in docs/monitoring.md.',
    quietMinutes: 12 * 60,
  },
  too_many_connections: {
    says: 'An address holds more connections than one client needs.',
    todo: 'Find it in the log and block it; if it is your reverse proxy, name it in TRUSTED_PROXIES.',
    quietMinutes: 10,
  },
  too_many_pipelined: {
    says: 'An address sends more requests at once than one client needs.',
    todo: 'Find it in the log and block it; if it is your reverse proxy, name it in TRUSTED_PROXIES.',
    quietMinutes: 10,
  },
  unhandled_rejection: {
    says: 'Deskside has met a bug and goes on.',
    todo: 'Report the line in the log.',
    quietMinutes: 60,
  },
  uncaught_exception: {
    says: 'Deskside has met a bug and ends.',
    todo: 'Report the line in the log, and have a supervisor start it again.',
    quietMinutes: 60,
  },
} as const satisfies Record<string, { says: string; todo: string; quietMinutes: number | null }>;

export type AlertCause = keyof typeof alertCauses;
export const alertNames = Object.keys(alertCauses) as AlertCause[];

/** Kinds of request that an alert about the CRM can be limited to, in words. */
const kinds = {
  companies: 'looking companies up',
  users: 'looking account owners up',
  searches: 'searching companies',
  segments: 'reading the names of segments',
};
export type AlertKind = keyof typeof kinds;

/** The part that an alert is limited to; null for anything that is not one of ours. */
export function alertKindOf(value: unknown): AlertKind | null {
  return typeof value === 'string' && Object.hasOwn(kinds, value) ? (value as AlertKind) : null;
}

/** What of an alert goes out. */
export interface AlertNews {
  cause: AlertCause;
  kind: AlertKind | null;
  state: 'raised' | 'resolved';
  /** Epoch milliseconds: when it began, and when it was over if it is. */
  since: number;
  until: number | null;
}

/** An alert in one or two sentences for a person. `installation`: the host of the helpdesk. */
export function textOf({ cause, kind, state, since, until }: AlertNews, installation: string): string {
  const { says, todo, quietMinutes } = alertCauses[cause];
  const affected = kind === null ? '' : ` Affected: ${kinds[kind]}.`;
  if (state === 'raised') return `Deskside of ${installation}: ${says}${affected} ${todo}`;
  const lasted = minutesBetween(since, until ?? since);
  const end = quietMinutes === null ? `resolved after ${lasted} min` : `not seen any more, after ${lasted} min`;
  return `Deskside of ${installation}: ${end}: ${says}${affected}`;
}

/** At least 1. */
export function minutesBetween(since: number, until: number): number {
  return Math.max(1, Math.round((until - since) / 60_000));
}
