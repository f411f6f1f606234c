import { type AreaReport, type DoctorFinding, finding } from '#setup/doctor/finding.ts';
import type { HelpdeskFacts, Rights } from '#setup/doctor/gather/helpdesk.ts';
import type { ReadResult } from '#setup/doctor/gather/read-result.ts';
import { helpdeskWords } from '#setup/doctor/words.ts';

/** The oldest version that has been checked on a running site (docs/helpdesk.md#versions). */
const oldest = [1, 24];

/** Judges whether a Frappe Helpdesk responds, which one, and whether its time zone is usable. */
export function judgeHelpdesk({ whoami, version, zone }: HelpdeskFacts): AreaReport {
  const area = 'Helpdesk';
  if (!whoami.ok && (whoami.kind === 'unavailable' || whoami.kind === 'timeout')) {
    const { certificate } = whoami;
    const { problem, remedy } = certificate ? helpdeskWords.certificate(certificate) : helpdeskWords.unreachable;
    const code = certificate ? 'helpdesk_certificate' : 'helpdesk_unreachable';
    const only = finding(code, `${problem} ${whoami.message}`, remedy);
    return { area, findings: [only], passed: [], unchecked: ['Everything else about the helpdesk.'] };
  }
  const isRefusal = !whoami.ok && (whoami.kind === 'unauthenticated' || whoami.kind === 'forbidden');
  if ((!whoami.ok && !isRefusal) || (version.ok && version.value === null)) {
    const { problem, remedy } = helpdeskWords.notRecognised;
    const detail = whoami.ok ? 'The app Helpdesk is not installed.' : whoami.message;
    const only = finding('helpdesk_not_recognised', `${problem} ${detail}`, remedy);
    return { area, findings: [only], passed: [], unchecked: ['Everything else about the helpdesk.'] };
  }
  const findings = [];
  const passed = [];
  const unchecked = [];
  if (!version.ok) unchecked.push(`The version of Helpdesk: ${version.message}`);
  else if (version.value !== null && isOlder(version.value)) {
    const problem = `Helpdesk ${version.value} is older than ${oldest.join('.')}, the oldest version that Deskside supports.`;
    findings.push(finding('helpdesk_version_old', problem, 'Update Helpdesk.'));
  } else passed.push(`Frappe Helpdesk ${version.value} responds.`);
  if (!zone.ok) unchecked.push(`The time zone: ${zone.message}`);
  else if (!zone.value.exists) {
    const remedy = "Choose one from the IANA database, such as Asia/Ho_Chi_Minh, in the helpdesk's System Settings.";
    findings.push(
      finding('time_zone_unknown', `Its time zone ${JSON.stringify(zone.value.name)} does not exist.`, remedy),
    );
  } else passed.push(`Its time zone is ${zone.value.name}.`);
  return { area, findings, passed, unchecked };
}

/** Judges whether the service account's key is valid and its permissions suffice (docs/helpdesk.md#permissions). */
export function judgeService({ whoami, rights }: HelpdeskFacts): AreaReport {
  const area = 'Service account';
  const verdict = (findings: DoctorFinding[], passed: string[] = [], unchecked: string[] = []): AreaReport => ({
    area,
    findings,
    passed,
    unchecked,
  });
  if (!whoami.ok) {
    if (whoami.kind !== 'unauthenticated' && whoami.kind !== 'forbidden') {
      return verdict([], [], ['Its permissions: the helpdesk does not respond as it should.']);
    }
    const { problem, remedy } = helpdeskWords.refused;
    return verdict([finding('service_key_refused', problem, remedy)]);
  }
  const { user, isAgent, isAdmin } = whoami.value;
  if (!isAgent) {
    const remedy = `Give ${user} the roles Agent and Agent Manager; System Manager alone is not an agent.`;
    return verdict([
      finding('service_not_agent', `${user} is not an agent, so the helpdesk shows it no tickets.`, remedy),
    ]);
  }
  const findings = [];
  if (isAdmin) {
    findings.push(
      finding(
        'service_is_administrator',
        `${user} is an administrator; the proxy does not need that.`,
        'Remove its role System Manager; only "provision" and "doctor" need such a key, for a single run.',
      ),
    );
  }
  if (!rights?.ok) return verdict(findings, [], [`Its permissions: ${rights?.message ?? 'not asked.'}`]);
  findings.push(...judgeRights(user, rights.value));
  const unasked = [
    ...(rights.value.writesTickets === null ? ['Whether it may write tickets: there is none yet.'] : []),
    ...(rights.value.writesCustomers === null ? ['Whether it may create customers: there is none yet.'] : []),
  ];
  return verdict(
    findings,
    findings.length === 0 ? [`${user} is an agent and has the permissions it needs.`] : [],
    unasked,
  );
}

function judgeRights(user: string, rights: Rights): DoctorFinding[] {
  const findings = [];
  const hidden = rights.restricted && !rights.ignoresRestriction;
  if (hidden) {
    findings.push(
      finding(
        'service_restricted',
        `Tickets are restricted to their teams, and ${user} is in no team that is exempt: it cannot see the others.`,
        `Put ${user} into a team of its own with "Ignore restrictions".`,
      ),
    );
  }
  if (rights.writesTickets === false && !hidden) {
    const remedy = `Give ${user} the role Agent, and check for User Permissions that restrict it.`;
    findings.push(finding('tickets_not_writable', `${user} may not write tickets.`, remedy));
  }
  if (rights.writesCustomers === false) {
    const problem = `${user} may not create or write customers (HD Customer), so nothing can be linked or enriched.`;
    findings.push(finding('customers_not_writable', problem, `Give ${user} the role Agent Manager.`));
  }
  return findings;
}

/** Why nothing can be read as the service account; null if it can. */
export function whyUnreadable({ whoami }: { whoami: ReadResult<{ isAgent: boolean }> }): string | null {
  if (!whoami.ok) return 'the service account is refused.';
  return whoami.value.isAgent ? null : 'the service account is not an agent.';
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
