/** Everything that `doctor` can find, and whether it keeps Deskside from working or is only worth knowing. */
export const faults = {
  public_url_missing: 'error',
  public_url_not_https: 'error',
  public_url_unreachable: 'error',
  public_url_foreign: 'error',
  public_url_other_version: 'warning',
  public_url_certificate: 'error',
  public_url_certificate_ends: 'warning',
  webhook_secret_not_set: 'error',
  oauth_clients_not_set: 'warning',
  data_folder_unusable: 'error',
  data_folder_exposed: 'warning',
  data_folder_foreign: 'warning',
  disk_nearly_full: 'error',
  backup_old: 'warning',
  own_clock_off: 'error',
  helpdesk_clock_off: 'error',
  crm_clock_off: 'error',
  helpdesk_unreachable: 'error',
  helpdesk_certificate: 'error',
  helpdesk_not_recognised: 'error',
  helpdesk_version_old: 'warning',
  time_zone_unknown: 'error',
  admin_key_refused: 'error',
  admin_key_lacks_role: 'error',
  service_key_refused: 'error',
  service_not_agent: 'error',
  service_is_administrator: 'warning',
  service_restricted: 'error',
  tickets_not_writable: 'error',
  customers_not_writable: 'error',
  field_missing: 'error',
  field_org_id_int: 'error',
  field_type_unsuitable: 'error',
  field_options_missing: 'error',
  field_options_fixed: 'warning',
  field_too_short: 'error',
  field_level_closed: 'error',
  contacts_open: 'error',
  contacts_of_website_users: 'warning',
  customer_org_id_open: 'error',
  account_links_open: 'warning',
  team_missing: 'error',
  team_disabled: 'error',
  team_nobody_assignable: 'error',
  rule_users_differ: 'warning',
  claims_open: 'warning',
  claims_held: 'warning',
  ticket_page_changed: 'warning',
  webhook_missing: 'error',
  webhook_disabled: 'error',
  webhook_wrong_url: 'error',
  webhook_wrong_event: 'error',
  webhook_unsigned: 'error',
  webhook_secret_differs: 'error',
  webhook_secret_previous: 'warning',
  webhook_conditional: 'warning',
  webhook_body_differs: 'warning',
  webhook_deliveries_failing: 'warning',
  script_blocks_tickets: 'error',
  script_wrong_url: 'error',
  script_without_secret: 'error',
  script_secret_differs: 'error',
  script_secret_previous: 'warning',
  script_catches_nothing: 'error',
  oauth_client_missing: 'error',
  oauth_client_redirect_differs: 'warning',
  oauth_client_open_to_all: 'warning',
  crm_disabled: 'warning',
  crm_not_configured: 'error',
  crm_unreachable: 'error',
  crm_certificate: 'error',
  crm_webhook_refused: 'error',
  crm_scope_missing: 'error',
  crm_failing: 'error',
  crm_field_missing: 'error',
  crm_field_unknown: 'warning',
  crm_segments_unknown: 'warning',
  crm_no_companies: 'warning',
  responsible_not_configured: 'warning',
  responsible_webhook_refused: 'error',
  responsible_scope_missing: 'error',
} as const satisfies Record<string, 'error' | 'warning'>;

export type FaultCode = keyof typeof faults;

/** Something that is not as it should be: one sentence on the problem, one on how to fix it. */
export interface DoctorFinding {
  code: FaultCode;
  severity: 'error' | 'warning';
  problem: string;
  remedy: string;
  /** What it concerns, as it is called in every language: names, hosts, numbers. */
  about?: string;
}

/** The result of one part of the check. `unchecked`: what could not be checked, and why. */
export interface AreaReport {
  area: string;
  findings: DoctorFinding[];
  passed: string[];
  unchecked: string[];
}

export function finding(code: FaultCode, problem: string, remedy: string, about?: string): DoctorFinding {
  return { code, severity: faults[code], problem, remedy, ...(about !== undefined && { about }) };
}

/**
 * The result of one part; what is false or null is left out.
 *
 * @param said.fine said where nothing is wrong
 */
export function areaReport(
  area: string,
  said: {
    findings?: readonly Maybe<DoctorFinding>[];
    fine?: Maybe<string>;
    passed?: readonly Maybe<string>[];
    unchecked?: readonly Maybe<string>[];
  },
): AreaReport {
  const findings = given(said.findings);
  const fine = findings.length === 0 && said.fine;
  return { area, findings, passed: given([...(said.passed ?? []), fine]), unchecked: given(said.unchecked) };
}

type Maybe<T> = T | false | null | undefined;

function given<T extends object | string>(said: readonly Maybe<T>[] = []): T[] {
  return said.filter((one): one is T => one !== false && one !== null && one !== undefined);
}

/** The whole result; healthy if there is nothing but warnings. */
export interface Report {
  healthy: boolean;
  verdicts: AreaReport[];
}

export function reportOf(verdicts: AreaReport[]): Report {
  return {
    healthy: verdicts.every(({ findings }) => findings.every(({ severity }) => severity !== 'error')),
    verdicts,
  };
}

/** The names as a list within a sentence; only the first eight of many. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}
