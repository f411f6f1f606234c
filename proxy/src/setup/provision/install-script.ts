import { HelpdeskError } from '#helpdesk/errors.ts';
import { desiredScript, scriptName, scriptText } from '#setup/before-insert-script.ts';
import type { HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { ProvisionError } from './options.ts';
import { tryScript } from './try-script.ts';

const doctype = 'Server Script';

/** A script called only from here: on a site without server scripts the call fails, without affecting any ticket. */
const probe = {
  name: 'Deskside: probe',
  __newname: 'Deskside: probe',
  script_type: 'API',
  api_method: 'deskside_probe',
  allow_guest: 0,
  disabled: 0,
  script: 'frappe.response["message"] = "deskside"\n',
};

/**
 * Creates or changes the Before Insert script, and enables it only after a harmless script has run and the new one has
 * passed a trial. If the site has server scripts off, an enabled script blocks every ticket
 * (docs/helpdesk.md#server-scripts), so it is disabled; if only the trial fails, an existing script is left as it is.
 *
 * @returns the outcome of the trial, as a sentence
 * @throws ProvisionError if it was not enabled; HelpdeskError if something could not be written
 */
export async function installScript(
  admin: HelpdeskAdmin,
  { exists, publicUrl, secret }: { exists: boolean; publicUrl: string; secret: string },
  signal: AbortSignal,
): Promise<string> {
  const document = { ...desiredScript, script: scriptText(publicUrl, secret) };
  if (!exists) {
    await admin.create(doctype, { name: scriptName, __newname: scriptName, ...document, disabled: 1 }, signal);
  }
  const problem = await tryProbe(admin, signal);
  if (problem !== null) {
    if (exists) await admin.update(doctype, scriptName, { disabled: 1 }, signal);
    throw new ProvisionError(
      `A trial script did not run (${problem}), so this one was left disabled and blocks nothing. Most often ` +
        'server_script_enabled is off: "bench set-config -g server_script_enabled 1" turns it on; then run this again.',
    );
  }
  const { worked, text } = await tryScript(admin, { publicUrl, secret }, signal);
  if (!worked) {
    const state = exists ? 'The script that is there stays as it is' : 'The script is not switched on';
    throw new ProvisionError(`The trial failed. ${text} ${state}; run this again afterwards.`);
  }
  await admin.update(doctype, scriptName, { ...document, disabled: 0 }, signal);
  return text;
}

/** What went wrong with the harmless script, in a few words; null if it ran. The script is removed afterwards. */
async function tryProbe(admin: HelpdeskAdmin, signal: AbortSignal): Promise<string | null> {
  try {
    await admin.erase(doctype, probe.name, signal);
    await admin.create(doctype, probe, signal);
    const answer = await admin.call(probe.api_method, {}, signal);
    return answer === 'deskside' ? null : 'it returned an unexpected answer';
  } catch (error) {
    if (!(error instanceof HelpdeskError)) throw error;
    return error.message;
  } finally {
    // Leaving it behind does no harm: it only returns a word, to signed-in users.
    await admin.erase(doctype, probe.name, signal).catch(() => undefined);
  }
}
