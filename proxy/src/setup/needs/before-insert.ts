import { type HelpdeskAdmin, isOn, textOf } from '#helpdesk/admin.ts';
import { unless } from '#helpdesk/errors.ts';
import type { Item } from '#setup/items.ts';
import { type CheckInput, type Findings, fault, listed, ok, unchecked, warning } from '#setup/report.ts';
import { desiredScript, installScript, scriptName, scriptText, trialLogs, trialName } from './before-insert-script.ts';
import { differences, erasing, type ProvisionRun } from './need.ts';

// The optional Server Script that routes a ticket before it is inserted (docs/helpdesk.md#inserting-a-ticket).

/** The Before Insert script, right only if its text is identical and it is switched on. */
export async function planScript({ admin, settings }: ProvisionRun): Promise<Item[]> {
  const { PUBLIC_URL: publicUrl, scriptSecret: secret } = settings;
  if (secret === null) return [];
  const what = `Server Script "${scriptName}"`;
  const found = await admin.get('Server Script', scriptName);
  const desired = { ...desiredScript, script: scriptText(publicUrl, secret), disabled: 0 };
  const changed = Object.keys(found === null ? {} : differences(found, desired));
  if (found !== null && changed.length === 0) return [{ what, state: 'exists', detail: 'switched on' }];
  const detail = [...changed, 'enabled once a trial has come through'].join(', ');
  const make = () => installScript(admin, { exists: found !== null, publicUrl, secret });
  return [{ what, state: found === null ? 'create' : 'change', detail, make }];
}

export async function removeScript(run: ProvisionRun): Promise<Item[]> {
  if (!run.seesScripts) return [];
  const scripts = await erasing(run, 'Server Script', [['name', 'in', [scriptName, trialName]]]);
  return [...scripts, ...(await erasing(run, 'Error Log', trialLogs))];
}

/** The optional Before Insert script: above all it must do no harm (docs/helpdesk.md#inserting-a-ticket). */
export async function* checkScript({ config }: CheckInput, admin: HelpdeskAdmin): Findings {
  const { doctype_event: _, ...onTickets } = desiredScript;
  const filters = Object.entries(onTickets).map(([field, value]) => [field, '=', value] as const);
  const [scripts, runs] = await Promise.all([
    admin.list('Server Script', { fields: ['name', 'disabled', 'script'], filters }).catch(unless(['forbidden'], null)),
    // What the form itself asks; older versions may lack it.
    admin.call('frappe.core.doctype.server_script.server_script.enabled', {}).catch(() => null),
  ]);
  if (scripts === null) return unchecked('This key may not read it, for which it takes the role Script Manager.');
  const enabled = scripts.filter(({ disabled }) => !isOn(disabled)).map(({ name }) => name);
  if (runs === false && enabled.length > 0)
    yield fault(
      `Server scripts are off on this site, but ${listed(enabled)} is enabled: no ticket can be created.`,
      'Disable the script at once, or turn scripts on: "bench set-config -g server_script_enabled 1".',
    );
  const ours = scripts.find(({ name }) => name === scriptName);
  const secrets = config.HELPDESK_SCRIPT_SECRET ?? [];
  if (ours && isOn(ours.disabled) && secrets.length > 0)
    return warning(
      `"${scriptName}" is disabled, though HELPDESK_SCRIPT_SECRET is set: tickets are routed after their insert alone.`,
      'Run "deskside provision --before-insert", which rewrites it, or take HELPDESK_SCRIPT_SECRET out.',
    );
  if (ours === undefined || isOn(ours.disabled))
    return ok(`It is ${ours === undefined ? 'not there' : 'disabled'}; it is optional.`);
  const texts = secrets.map((one) => scriptText(config.PUBLIC_URL ?? '', one.reveal()));
  if (!texts.some((text) => text.trim() === textOf(ours.script).trim()))
    yield fault(
      `"${scriptName}" is not what "deskside provision" writes: another address or secret, or somebody has changed it.`,
      'Run "deskside provision --before-insert", which rewrites it.',
    );
  return ok('It is as it should be.');
}
