export const scriptName = 'Deskside: before insert';

/** What of the Server Script besides its text and its switch is ours. */
export const wantedScript = {
  script_type: 'DocType Event',
  reference_doctype: 'HD Ticket',
  doctype_event: 'Before Insert',
} as const;

/** Read from the new ticket; a field that the site lacks goes as null. */
const sent = [
  'key',
  'subject',
  'owner',
  'raised_by',
  'customer',
  'contact',
  'custom_orgid',
  'custom_store_url',
  'agent_group',
];

/** The only fields that an answer may set, whatever it says. */
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

/**
 * Text of the Before Insert script, in the Python that Frappe allows there: no imports, no underscore in front of a name,
 * no `format` (facts/frappe.md 6.2). Whatever fails in it, the ticket is saved. The message of the error log is given,
 * because without one Frappe logs the values of variables too.
 *
 * @param publicUrl origin under which the helpdesk reaches the proxy
 * @param secret visible ASCII, for the header
 */
export function scriptText(publicUrl: string, secret: string): string {
  // For visible ASCII a literal of JSON is one of Python.
  const literal = (text: string) => JSON.stringify(text);
  return `# Made by Deskside's "provision"; changes made here are undone by its next run.
if not doc.agent_group:
    try:
        answer = frappe.make_post_request(
            ${literal(`${publicUrl}/webhooks/helpdesk/ticket/before-insert`)},
            headers={"X-Deskside-Secret": ${literal(secret)}},
            json={
${sent.map((field) => `                ${literal(field)}: doc.get(${literal(field)}),`).join('\n')}
            },
        )
        fields = answer["data"]["fields"]
        for field in [
${settable.map((field) => `            ${literal(field)},`).join('\n')}
        ]:
            if fields.get(field):
                doc.set(field, fields.get(field))
    except Exception:
        frappe.log_error(${literal(scriptName)}, "Deskside gave no answer; the ticket was saved without a team of its own.")
`;
}
