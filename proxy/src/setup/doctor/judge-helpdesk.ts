import { type Finding, finding, type Verdict } from './finding.ts';
import type { HelpdeskFacts, Rights } from './gather-helpdesk.ts';
import type { Outcome } from './outcome.ts';

/** The oldest version that a running site was seen of (facts/live.md). */
const oldest = [1, 24];

/** Whether a Frappe Helpdesk answers, which one, and whether we can live with its time zone. */
export function judgeHelpdesk({ whoami, version, zone }: HelpdeskFacts): Verdict {
  const area = 'Helpdesk';
  if (!whoami.ok && (whoami.kind === 'unavailable' || whoami.kind === 'timeout')) {
    const remedy = 'Check HELPDESK_URL, the network between the two machines, and whether the helpdesk runs.';
    const only = finding('helpdesk_unreachable', `The helpdesk does not answer. ${whoami.message}`, remedy);
    return { area, findings: [only], passed: [], unchecked: ['Everything else about the helpdesk.'] };
  }
  const isRefusal = !whoami.ok && (whoami.kind === 'unauthenticated' || whoami.kind === 'forbidden');
  if ((!whoami.ok && !isRefusal) || (version.ok && version.value === null)) {
    const remedy = 'Set HELPDESK_URL to the address of the site on which the app Helpdesk is installed.';
    const detail = whoami.ok ? 'The app Helpdesk is not installed.' : whoami.message;
    const only = finding('helpdesk_not_recognised', `What answers is no Frappe Helpdesk. ${detail}`, remedy);
    return { area, findings: [only], passed: [], unchecked: ['Everything else about the helpdesk.'] };
  }
  const findings = [];
  const passed = [];
  const unchecked = [];
  if (!version.ok) unchecked.push(`The version of Helpdesk: ${version.message}`);
  else if (version.value !== null && isOlder(version.value)) {
    const problem = `Helpdesk ${version.value} is older than ${oldest.join('.')}, the oldest version that Deskside knows.`;
    findings.push(finding('helpdesk_version_old', problem, 'Update Helpdesk.'));
  } else passed.push(`Frappe Helpdesk ${version.value} answers.`);
  if (!zone.ok) unchecked.push(`The time zone: ${zone.message}`);
  else if (!zone.value.exists) {
    const remedy = "Choose one of the IANA data base, such as Asia/Ho_Chi_Minh, in the helpdesk's System Settings.";
    findings.push(
      finding('time_zone_unknown', `Its time zone ${JSON.stringify(zone.value.name)} does not exist.`, remedy),
    );
  } else passed.push(`Its time zone is ${zone.value.name}.`);
  return { area, findings, passed, unchecked };
}

/** Whether the service account's key is good and its rights suffice (design.md section 2). */
export function judgeService({ whoami, rights }: HelpdeskFacts): Verdict {
  const area = 'Service account';
  const verdict = (findings: Finding[], passed: string[] = [], unchecked: string[] = []): Verdict => ({
    area,
    findings,
    passed,
    unchecked,
  });
  if (!whoami.ok) {
    if (whoami.kind !== 'unauthenticated' && whoami.kind !== 'forbidden') {
      return verdict([], [], ['Its rights: the helpdesk does not answer as it should.']);
    }
    const remedy = 'Make a new key in the helpdesk (User, Settings, API Access), and set HELPDESK_API_KEY and _SECRET.';
    return verdict([finding('service_key_refused', "The helpdesk refuses the service account's key.", remedy)]);
  }
  const { user, isAgent, isAdmin } = whoami.value;
  if (!isAgent) {
    const remedy = `Give ${user} the roles Agent and Agent Manager; System Manager alone is no agent.`;
    return verdict([finding('service_not_agent', `${user} is no agent, so the helpdesk shows it no tickets.`, remedy)]);
  }
  const findings = [];
  if (isAdmin) {
    findings.push(
      finding(
        'service_is_administrator',
        `${user} is an administrator; the proxy does not need that.`,
        'Take the role System Manager from it; only "provision" and "doctor" want such a key, for one run.',
      ),
    );
  }
  if (!rights?.ok) return verdict(findings, [], [`Its rights: ${rights?.message ?? 'not asked.'}`]);
  findings.push(...judgeRights(user, rights.value));
  const unasked = [
    ...(rights.value.writesTickets === null ? ['Whether it may write tickets: there is none yet.'] : []),
    ...(rights.value.writesCustomers === null ? ['Whether it may create customers: there is none yet.'] : []),
  ];
  return verdict(findings, findings.length === 0 ? [`${user} is an agent and may do what it has to.`] : [], unasked);
}

function judgeRights(user: string, rights: Rights): Finding[] {
  const findings = [];
  const hidden = rights.restricted && !rights.ignoresRestriction;
  if (hidden) {
    findings.push(
      finding(
        'service_restricted',
        `Tickets are restricted to their teams, and ${user} is in no team that ignores this: it sees no others.`,
        `Put ${user} into a team of its own with "Ignore restrictions".`,
      ),
    );
  }
  if (rights.writesTickets === false && !hidden) {
    const remedy = `Give ${user} the role Agent, and look for User Permissions that limit it.`;
    findings.push(finding('tickets_not_writable', `${user} may not write tickets.`, remedy));
  }
  if (rights.writesCustomers === false) {
    const problem = `${user} may not create or write customers (HD Customer), so nothing can be linked or enriched.`;
    findings.push(finding('customers_not_writable', problem, `Give ${user} the role Agent Manager.`));
  }
  return findings;
}

/** Why nothing can be read as the service account; null where it can. */
export function whyUnreadable({ whoami }: { whoami: Outcome<{ isAgent: boolean }> }): string | null {
  if (!whoami.ok) return 'the service account is refused.';
  return whoami.value.isAgent ? null : 'the service account is no agent.';
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
