import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { StartError } from '#runtime/app-error.ts';

export const scriptName = 'Deskside: before insert';

const beforeInsertPath = '/webhooks/helpdesk/ticket/before-insert';

/** The properties of the Server Script that are ours, besides its text and its switch. */
export const desiredScript = {
  script_type: 'DocType Event',
  reference_doctype: 'HD Ticket',
  doctype_event: 'Before Insert',
} as const;

/** Read from the new ticket as they are; a field that the site lacks is sent as null. */
const sent = [
  'subject',
  'owner',
  'raised_by',
  'customer',
  'contact',
  'custom_orgid',
  'custom_store_url',
  'agent_group',
];

/** The only fields that a response may set, whatever it says. */
const settable = ['agent_group', 'custom_platform_profile_status', 'custom_platform_routing_reason'];

/** For visible ASCII, a JSON literal is also a Python literal. */
const literal = (text: string) => JSON.stringify(text);

/**
 * Text of the Before Insert script, in the Python that Frappe allows there: no imports, no names with a leading
 * underscore, no `format` (docs/helpdesk.md#inserting-a-ticket). Whatever fails in it, the ticket is saved. The error log
 * entry gets an explicit message, because without one Frappe also logs the values of variables.
 *
 * @param publicUrl origin at which the helpdesk reaches the proxy
 * @param secret visible ASCII, for the header
 */
export function scriptText(publicUrl: string, secret: string): string {
  return `# Made by Deskside's "provision"; changes made here are undone by its next run.
${routing(
  publicUrl,
  secret,
  `frappe.log_error(
            ${literal(scriptName)},
            "Deskside's answer could not be used (" + reason + "); the ticket was saved as it came.",
        )`,
)}`;
}

/** The part that script and trial share. `onFailure`: the statement that handles the reason. */
function routing(publicUrl: string, secret: string, onFailure: string): string {
  return `if not doc.agent_group:
    try:
        org_id = str(doc.get("custom_orgid") or "").strip()
        customers = []
        if org_id:
            customers = frappe.get_all(
                "HD Customer", filters={"custom_platform_orgid": org_id}, fields=["*"], limit=2
            )
        # Of several customers nobody knows which is meant.
        customer = customers[0] if len(customers) == 1 else {}
        answer = frappe.make_post_request(
            ${literal(`${publicUrl}${beforeInsertPath}`)},
            headers={"X-Deskside-Secret": ${literal(secret)}},
            json={
                # A UUID object, which JSON cannot represent.
                "key": str(doc.get("key")),
                "customer_segment": customer.get("custom_customer_segment"),
                "customer_shop_plan": customer.get("custom_shopplan_name"),
${sent.map((field) => `                ${literal(field)}: doc.get(${literal(field)}),`).join('\n')}
            },
        )
        fields = answer["data"]["fields"]
        # A link to a team that does not exist would keep the ticket from being saved.
        if fields.get("agent_group") and not frappe.db.exists("HD Team", fields.get("agent_group")):
            fields = {}
        for field in [
${settable.map((field) => `            ${literal(field)},`).join('\n')}
        ]:
            if fields.get(field):
                doc.set(field, fields.get(field))
    except Exception as error:
        reason = repr(error).split("(")[0]
        try:
            if error.response.status_code is not None:
                reason = reason + ", HTTP " + str(error.response.status_code)
        except Exception:
            pass
        ${onFailure}
`;
}

export const trialName = 'Deskside: trial';
const trialMethod = 'deskside_trial';

/** The same for a ticket that is never stored, called only from here: what failed, or else the team. */
export function trialText(publicUrl: string, secret: string): string {
  return `# Made by Deskside's "provision" for a trial, and deleted after it.
doc = frappe.new_doc("HD Ticket")
doc.set("key", ${literal(randomUUID())})
doc.set("subject", "Deskside trial")
doc.set("agent_group", None)
failure = None
${routing(publicUrl, secret, 'failure = reason')}frappe.response["message"] = {"failure": failure, "group": doc.agent_group}
`;
}

/**
 * Creates or changes the Before Insert script, and enables it only after a trial on the helpdesk has come through: if the site
 * has server scripts off, an enabled script blocks every ticket, and one that cannot reach the proxy holds each up
 * (docs/helpdesk.md#inserting-a-ticket). A script that was enabled on a site where none runs is disabled.
 *
 * @returns the outcome of the trial, as a sentence
 * @throws StartError if it was not enabled; HelpdeskError if something could not be written
 */
export async function installScript(
  admin: HelpdeskAdmin,
  { exists, publicUrl, secret }: { exists: boolean; publicUrl: string; secret: string },
): Promise<string> {
  const document = { ...desiredScript, script: scriptText(publicUrl, secret) };
  if (!exists)
    await admin.create('Server Script', { name: scriptName, __newname: scriptName, ...document, disabled: 1 });
  const tried = await tryScript(admin, trialText(publicUrl, secret));
  if (tried instanceof HelpdeskError && tried.kind !== 'timeout') {
    if (exists) await admin.update('Server Script', scriptName, { disabled: 1 });
    throw new StartError(
      `A trial script did not run (${tried.message}), so this one was left disabled and blocks nothing. Most often ` +
        'server_script_enabled is off: "bench set-config -g server_script_enabled 1" turns it on; then run this again.',
    );
  }
  if (tried instanceof HelpdeskError || tried.failure !== null) {
    const why = 'failure' in tried ? explain(tried.failure ?? '') : 'The proxy did not answer the helpdesk in time.';
    const state = exists ? 'The script that is there stays as it is' : 'The script is not switched on';
    throw new StartError(`The trial failed. ${why} ${state}; run this again afterwards.`);
  }
  await admin.update('Server Script', scriptName, { ...document, disabled: 0 });
  const group = tried.group === null ? 'leaves such a ticket to the webhook' : `chose the team ${tried.group}`;
  return `The proxy answered the helpdesk, and ${group}.`;
}

/** `failure`: the exception's type, and the status of an HTTP response. */
const Trial = z.object({ failure: z.string().nullable(), group: z.string().nullish().default(null) });

/** What the trial says, or why it did not run. Its script is removed afterwards; left behind it would do no harm. */
async function tryScript(admin: HelpdeskAdmin, script: string) {
  const properties = { script_type: 'API', api_method: trialMethod, allow_guest: 0, disabled: 0, script };
  try {
    await admin.erase('Server Script', trialName);
    await admin.create('Server Script', { name: trialName, __newname: trialName, ...properties });
    return Trial.parse(await admin.call(trialMethod, {}));
  } catch (error) {
    if (error instanceof HelpdeskError) return error;
    if (error instanceof z.ZodError) return new HelpdeskError('bad_answer', 'It returned an unexpected answer.');
    throw error;
  } finally {
    await removeTrial(admin).catch(() => undefined);
  }
}

/** Frappe's log of a trial whose call failed, which contains the secret. */
export const trialLogs = [['error', 'like', '%Deskside trial%']] as const;

async function removeTrial(admin: HelpdeskAdmin): Promise<void> {
  await admin.erase('Server Script', trialName);
  const logs = await admin.list('Error Log', { fields: ['name'], filters: trialLogs });
  for (const { name } of logs) await admin.erase('Error Log', name);
}

/** Explains the reason that a script reports. */
function explain(failure: string): string {
  const status = /, HTTP (\d{3})$/.exec(failure)?.[1];
  if (status === '401' || status === '403')
    return `The proxy refuses the secret (${failure}). Restart it with this HELPDESK_SCRIPT_SECRET.`;
  if (status === '404')
    return `There is no such endpoint at PUBLIC_URL (${failure}). Start the proxy there with this HELPDESK_SCRIPT_SECRET.`;
  if (status !== undefined) return `The server at PUBLIC_URL answers with an error (${failure}).`;
  if (failure === 'SSLError') return `The helpdesk does not trust the certificate at PUBLIC_URL (${failure}).`;
  if (/Connect|Timeout|Proxy/.test(failure))
    return `The helpdesk cannot reach the proxy at PUBLIC_URL (${failure}). Start it, and check the way to it from the helpdesk's machine.`;
  return `The server at PUBLIC_URL is not the proxy (${failure}).`;
}
