import { HelpdeskError } from '../../ports/helpdesk.ts';
import { scriptName } from '../before-insert-script.ts';
import type { HelpdeskAdmin } from '../helpdesk-admin.ts';
import { ProvisionError } from './wishes.ts';

const doctype = 'Server Script';

/** A script that nothing calls but this: on a site without server scripts its call fails, and no ticket with it. */
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
 * Creates or changes the Before Insert script, disabled, and enables it only after a harmless script has run: where the
 * site has server scripts off, an enabled one blocks every ticket (facts/frappe.md 6.2).
 *
 * @throws ProvisionError where it had to stay disabled; HelpdeskError where it could not be written
 */
export async function installScript(
  admin: HelpdeskAdmin,
  { exists, document }: { exists: boolean; document: object },
  signal: AbortSignal,
): Promise<void> {
  const disabled = { ...document, disabled: 1 };
  if (exists) await admin.update(doctype, scriptName, disabled, signal);
  else await admin.create(doctype, { name: scriptName, __newname: scriptName, ...disabled }, signal);
  const problem = await tryProbe(admin, signal);
  if (problem !== null) {
    throw new ProvisionError(
      `A trial script did not run (${problem}), so this one was left disabled and blocks nothing. Most often ` +
        'server_script_enabled is off: "bench set-config -g server_script_enabled 1" turns it on; then run this again.',
    );
  }
  await admin.update(doctype, scriptName, { disabled: 0 }, signal);
}

/** What went wrong with the trial, in a few words; null where it ran. The trial script is gone afterwards. */
async function tryProbe(admin: HelpdeskAdmin, signal: AbortSignal): Promise<string | null> {
  try {
    await admin.remove(doctype, probe.name, signal);
    await admin.create(doctype, probe, signal);
    const answer = await admin.call(probe.api_method, {}, signal);
    return answer === 'deskside' ? null : 'it gave another answer than it should';
  } catch (error) {
    if (!(error instanceof HelpdeskError)) throw error;
    return error.message;
  } finally {
    // One that is left behind does no harm: it only answers a word, to signed-in users.
    await admin.remove(doctype, probe.name, signal).catch(() => undefined);
  }
}
