export const scriptName = 'Deskside: before insert';

export const beforeInsertPath = '/webhooks/helpdesk/ticket/before-insert';

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
const settable = [
  'agent_group',
  'custom_orgid',
  'custom_customer_segment',
  'custom_shopplan',
  'custom_platform_service_plan',
  'custom_platform_profile_status',
  'custom_platform_profile_error',
  'custom_platform_profile_checked_at',
  'custom_platform_routing_reason',
];

/** For visible ASCII, a JSON literal is also a Python literal. */
const literal = (text: string) => JSON.stringify(text);

/**
 * Text of the Before Insert script, in the Python that Frappe allows there: no imports, no names with a leading
 * underscore, no `format` (docs/helpdesk.md#server-scripts). Whatever fails in it, the ticket is saved. The error log
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

export const trialName = 'Deskside: trial';

/** Start of the subject of every trial ticket. */
export const trialSubject = 'Deskside trial';

/** What a trial throws, as JSON after its ticket's subject. */
export interface TrialReport {
  /** What the script would have logged: the exception's type, and the status of an HTTP response. */
  failure: string | null;
  group: string | null;
}

/**
 * The same script for one trial: it runs on the ticket with this subject only, and then rejects that ticket with a
 * message that consists of the subject and a TrialReport. Nothing of the ticket is stored.
 */
export function trialText(publicUrl: string, secret: string, subject: string): string {
  const work = routing(publicUrl, secret, 'failure = reason');
  return `# Made by Deskside's "provision" for a trial, and deleted after it.
if doc.subject == ${literal(subject)}:
    doc.set("agent_group", None)
    failure = None
${work.replaceAll(/^(?=.)/gm, '    ')}    frappe.throw(${literal(`${subject} `)} + json.dumps({"failure": failure, "group": doc.agent_group}))
`;
}

/** The part that both share. `onFailure`: the statement that handles the reason. */
function routing(publicUrl: string, secret: string, onFailure: string): string {
  return `if not doc.agent_group:
    try:
        answer = frappe.make_post_request(
            ${literal(`${publicUrl}${beforeInsertPath}`)},
            headers={"X-Deskside-Secret": ${literal(secret)}},
            json={
                # A UUID object, which JSON cannot represent.
                "key": str(doc.get("key")),
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
