import { type AreaReport, type DoctorFinding, finding, listed } from '#setup/doctor/finding.ts';
import type { ScriptFacts } from '#setup/doctor/gather/scripts.ts';

const again = 'Run "provision --before-insert", which rewrites it.';

/**
 * Judges whether the optional Before Insert script works and, above all, does no harm
 * (docs/helpdesk.md#server-scripts).
 */
export function judgeScripts({ siteRunsScripts, enabled, ours }: ScriptFacts): AreaReport {
  const area = 'Before Insert script';
  const blocked = siteRunsScripts === false && enabled.length > 0;
  const findings = [...(blocked ? [blocks(enabled)] : []), ...(ours?.enabled ? judgeOurs(ours) : [])];
  const unsure = siteRunsScripts === null && enabled.length > 0;
  const unchecked = unsure ? ['Whether the site runs server scripts: it does not say.'] : [];
  const state =
    ours === null ? 'There is none; it is optional.' : ours.enabled ? 'It is as it should be.' : 'It is disabled.';
  return { area, findings, passed: findings.length === 0 ? [state] : [], unchecked };
}

function blocks(enabled: readonly string[]): DoctorFinding {
  return finding(
    'script_blocks_tickets',
    `Server scripts are off on this site, but ${listed(enabled)} is enabled: no ticket can be created.`,
    'Disable the script at once, or turn scripts on: "bench set-config -g server_script_enabled 1".',
  );
}

function judgeOurs({ name, leadsToUs, secret, catches }: NonNullable<ScriptFacts['ours']>): DoctorFinding[] {
  const findings = [];
  if (!leadsToUs) findings.push(finding('script_wrong_url', `"${name}" does not lead to PUBLIC_URL.`, again));
  if (secret === 'unset') findings.push(finding('script_without_secret', `"${name}" sends no secret header.`, again));
  if (secret === 'other') {
    const problem = `"${name}" sends a secret other than HELPDESK_SCRIPT_SECRET; the proxy refuses it.`;
    findings.push(finding('script_secret_differs', problem, again));
  }
  if (secret === 'previous') {
    findings.push(finding('script_secret_previous', `"${name}" still sends the previous secret.`, again));
  }
  if (!catches) {
    const problem = `"${name}" does not catch failures: if the proxy does not respond, no ticket can be created.`;
    findings.push(finding('script_catches_nothing', problem, again));
  }
  return findings;
}
