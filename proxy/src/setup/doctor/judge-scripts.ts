import { type Finding, finding, listed, type Verdict } from './finding.ts';
import type { ScriptFacts } from './gather-scripts.ts';

const again = 'Run "provision --before-insert", which writes it anew.';

/** Whether the optional Before Insert script does its work, and above all no harm (facts/frappe.md 6.2). */
export function judgeScripts({ siteRunsScripts, enabled, ours }: ScriptFacts): Verdict {
  const area = 'Before Insert script';
  const blocked = siteRunsScripts === false && enabled.length > 0;
  const findings = [...(blocked ? [blocks(enabled)] : []), ...(ours?.enabled ? judgeOurs(ours) : [])];
  const unsure = siteRunsScripts === null && enabled.length > 0;
  const unchecked = unsure ? ['Whether the site runs server scripts: it does not say.'] : [];
  const state =
    ours === null ? 'There is none; it is optional.' : ours.enabled ? 'It is as it should be.' : 'It is disabled.';
  return { area, findings, passed: findings.length === 0 ? [state] : [], unchecked };
}

function blocks(enabled: readonly string[]): Finding {
  return finding(
    'script_blocks_tickets',
    `Server scripts are off on this site, but ${listed(enabled)} is enabled: no ticket can be created.`,
    'Disable the script at once, or turn scripts on: "bench set-config -g server_script_enabled 1".',
  );
}

function judgeOurs({ name, leadsToUs, secret, catches }: NonNullable<ScriptFacts['ours']>): Finding[] {
  const findings = [];
  if (!leadsToUs) findings.push(finding('script_wrong_url', `"${name}" does not lead to PUBLIC_URL.`, again));
  if (secret === 'unset') findings.push(finding('script_without_secret', `"${name}" sends no secret header.`, again));
  if (secret === 'other') {
    const problem = `"${name}" sends another secret than HELPDESK_SCRIPT_SECRET; the proxy refuses it.`;
    findings.push(finding('script_secret_differs', problem, again));
  }
  if (secret === 'previous') {
    findings.push(finding('script_secret_previous', `"${name}" still sends the previous secret.`, again));
  }
  if (!catches) {
    const problem = `"${name}" catches no failure: without an answer of the proxy no ticket can be created.`;
    findings.push(finding('script_catches_nothing', problem, again));
  }
  return findings;
}
