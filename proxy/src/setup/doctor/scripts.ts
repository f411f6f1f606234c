import type { Secret } from '#runtime/secret.ts';
import { beforeInsertPath, desiredScript, scriptName } from '#setup/before-insert-script.ts';
import { type SecretState, whichOf } from '#setup/compare-secret.ts';
import { type Deadline, type HelpdeskReader, isOn, textOf } from '#setup/helpdesk-reader.ts';
import { attempt } from '#setup/read-result.ts';
import { type AreaReport, areaReport, type DoctorFinding, type FaultCode, finding, listed } from './finding.ts';

export interface ScriptFacts {
  /** Whether the site runs server scripts at all; null if it does not say. */
  siteRunsScripts: boolean | null;
  /** Enabled scripts on tickets, no matter whose. */
  enabled: string[];
  /** Our Before Insert script; null if there is none. */
  ours: {
    name: string;
    enabled: boolean;
    leadsToUs: boolean;
    /** `unset`: it sends no secret at all. */
    secret: SecretState;
    /** Whether the ticket gets through if our script fails. */
    catches: boolean;
  } | null;
}

/**
 * Reads the scripts that run on tickets. Whether the site runs any is found out from the function that the form itself
 * uses; older versions may lack it.
 */
export async function gatherScripts(
  admin: HelpdeskReader,
  { publicUrl, secrets }: { publicUrl: string | null; secrets: readonly Secret[] },
  deadline: Deadline,
): Promise<ScriptFacts> {
  const { doctype_event, ...onTickets } = desiredScript;
  const filters = Object.entries(onTickets).map(([field, value]) => [field, '=', value] as const);
  const fields = ['name', 'doctype_event', 'disabled', 'script'];
  const [scripts, runs] = await Promise.all([
    admin.list('Server Script', { fields, filters }, deadline()),
    attempt(admin.call('frappe.core.doctype.server_script.server_script.enabled', {}, deadline())),
  ]);
  const found =
    scripts.find(({ name }) => name === scriptName) ??
    scripts.find(
      (script) => script.doctype_event === doctype_event && textOf(script.script).includes(beforeInsertPath),
    );
  const text = textOf(found?.script);
  return {
    siteRunsScripts: runs.ok && typeof runs.value === 'boolean' ? runs.value : null,
    enabled: scripts.filter(({ disabled }) => !isOn(disabled)).map(({ name }) => name),
    ours: found
      ? {
          name: found.name,
          enabled: !isOn(found.disabled),
          leadsToUs: publicUrl === null || text.includes(`"${publicUrl}${beforeInsertPath}"`),
          secret: /x-deskside-secret/i.test(text)
            ? whichOf(secrets, (secret) => text.includes(JSON.stringify(secret)))
            : 'unset',
          catches: /^\s*try:/m.test(text) && /^\s*except\b/m.test(text),
        }
      : null,
  };
}

const again = 'Run "deskside provision --before-insert", which rewrites it.';

/**
 * Judges whether the optional Before Insert script works and, above all, does no harm
 * (docs/helpdesk.md#server-scripts).
 */
export function judgeScripts({ siteRunsScripts, enabled, ours }: ScriptFacts): AreaReport {
  const isAny = enabled.length > 0;
  const state =
    ours === null ? 'There is none; it is optional.' : ours.enabled ? 'It is as it should be.' : 'It is disabled.';
  return areaReport('Before Insert script', {
    findings: [siteRunsScripts === false && isAny && blocks(enabled), ...(ours?.enabled ? judgeOurs(ours) : [])],
    fine: state,
    unchecked: [siteRunsScripts === null && isAny && 'Whether the site runs server scripts: it does not say.'],
  });
}

function blocks(enabled: readonly string[]): DoctorFinding {
  return finding(
    'script_blocks_tickets',
    `Server scripts are off on this site, but ${listed(enabled)} is enabled: no ticket can be created.`,
    'Disable the script at once, or turn scripts on: "bench set-config -g server_script_enabled 1".',
  );
}

function judgeOurs({ name, leadsToUs, secret, catches }: NonNullable<ScriptFacts['ours']>) {
  const fault = (code: FaultCode, problem: string) => finding(code, `"${name}" ${problem}`, again);
  return [
    !leadsToUs && fault('script_wrong_url', 'does not lead to PUBLIC_URL.'),
    secret === 'unset' && fault('script_without_secret', 'sends no secret header.'),
    secret === 'other' &&
      fault('script_secret_differs', 'sends a secret other than HELPDESK_SCRIPT_SECRET; the proxy refuses it.'),
    secret === 'previous' && fault('script_secret_previous', 'still sends the previous secret.'),
    !catches &&
      fault(
        'script_catches_nothing',
        'does not catch failures: if the proxy does not respond, no ticket can be created.',
      ),
  ];
}
