import { fieldLevels, isAgent } from '#helpdesk/access/permissions.ts';
import { readDocument, updateDocument } from '#helpdesk/documents/documents.ts';
import { methodMissing, permissionDenied } from '#helpdesk/errors.ts';
import { putMessage } from '#helpdesk/hooks/ticket.ts';
import { type MethodTable, record, type SiteCall, text } from '#helpdesk/http/call.ts';
import { insertWithScripts } from '#helpdesk/server-scripts/run.ts';
import { documentsOf, type FakeSite, lookup } from '#helpdesk/site/site.ts';
import { isTable } from '#helpdesk/store/doctype.ts';
import { asDict, columnValue, wireName } from '#helpdesk/store/serialise.ts';
import { hiddenColumns, type StoredDocument } from '#helpdesk/store/store.ts';
import { assign } from './client-methods.ts';

const api = 'helpdesk.helpdesk.doctype.hd_ticket.api';

/** Helpdesk's own methods on tickets. */
export const ticketMethods: MethodTable = {
  [`${api}.new`]: { writes: true, run: newTicket },
  [`${api}.get_one`]: { run: getOne },
  run_doc_method: { writes: true, run: runDocMethod },
};

function ticket(call: SiteCall, name: string): StoredDocument {
  return readDocument(call.site, call.user, call.site.metadata.get('HD Ticket'), name);
}

/** The portal's way to create a ticket; whatever else the sender supplies is taken too (docs/helpdesk.md#senders). */
async function newTicket(call: SiteCall): Promise<unknown> {
  const doctype = call.site.metadata.get('HD Ticket');
  const values = { ...record(call.args.doc, 'doc'), via_customer_portal: 1 };
  const document = await insertWithScripts(call.site, call, doctype, values);
  const dict = asDict(call.site.metadata, doctype, document, fieldLevels(call.site, call.user, doctype, 'read'));
  // This answer is the document as it is in memory, where unset fields are not there yet.
  return Object.fromEntries(Object.entries(dict).filter(([, value]) => value !== null));
}

/** The ticket with its conversation. Shows every column, those above the caller's permission level included. */
function getOne(call: SiteCall): unknown {
  const { site } = call;
  const document = ticket(call, text(call.args, 'name'));
  const doctype = site.metadata.get('HD Ticket');
  const columns = doctype.fields.filter((field) => !isTable(field));
  return {
    ...columnsOf(document, ['creation', 'modified', 'modified_by', 'owner', 'docstatus', 'idx', ...hiddenColumns]),
    name: wireName(doctype, document.name),
    ...Object.fromEntries(columns.map((field) => [field.fieldname, columnValue(field, document)])),
    template: { about: null, fields: [], description_template: null, _form_script: null },
    contact: contactCard(site, document),
    communications: communicationsOf(site, document.name),
    comments: isAgent(site, call.user) ? commentsOf(site, document.name) : [],
    history: [],
    views: [],
    tags: [],
    calls: [],
    _form_script: null,
    fields: [],
  };
}

function columnsOf(document: StoredDocument, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, document[name] ?? null]));
}

function contactCard(site: FakeSite, document: StoredDocument): unknown {
  const contact = lookup(site, 'Contact', document.contact);
  return contact ? columnsOf(contact, ['company_name', 'email_id', 'image', 'mobile_no', 'name', 'phone']) : {};
}

/** Internal notes; never for the customer. */
function commentsOf(site: FakeSite, name: string): unknown[] {
  return documentsOf(site, 'HD Ticket Comment').filter((row) => row.reference_ticket === name);
}

function communicationsOf(site: FakeSite, name: string): unknown[] {
  const own = documentsOf(site, 'Communication')
    .filter((row) => row.reference_doctype === 'HD Ticket' && row.reference_name === name)
    .sort((left, right) => (String(left.creation) < String(right.creation) ? -1 : 1));
  const told = ['name', 'creation', 'communication_date', 'sender', 'recipients', 'cc', 'bcc', 'subject', 'content'];
  return own.map((row) => ({
    ...columnsOf(row, [...told, 'sent_or_received']),
    delivery_status: row.delivery_status ?? '',
    user: { email: row.sender, image: null, name: lookup(site, 'User', row.sender)?.full_name ?? row.sender },
    attachments: [],
  }));
}

/** Methods of a ticket document: an agent's assignment and reply, the sender's answer. */
function runDocMethod(call: SiteCall): unknown {
  const args = call.args.args === undefined ? {} : record(call.args.args, 'args');
  const method = text(call.args, 'method');
  if (text(call.args, 'dt') !== 'HD Ticket') throw methodMissing(method);
  const document = ticket(call, text(call.args, 'dn'));
  if (method === 'create_communication_via_contact')
    return addMessage(call, document, text(args, 'message'), 'Received');
  if (!isAgent(call.site, call.user)) throw permissionDenied(null);
  if (method === 'assign_agent') {
    return assign(call, { doctype: 'HD Ticket', name: document.name, assign_to: [text(args, 'agent')] });
  }
  if (method === 'reply_via_agent') return addMessage(call, document, text(args, 'message'), 'Sent');
  throw methodMissing(method);
}

/** Adds to the conversation and notes when the side that wrote last answered. */
function addMessage(
  call: SiteCall,
  document: StoredDocument,
  content: string,
  direction: 'Sent' | 'Received',
): undefined {
  const { site, user } = call;
  const { creation } = putMessage(site, user, document, {
    content,
    sender: user,
    recipients: direction === 'Sent' ? document.raised_by : null,
    sent_or_received: direction,
  });
  updateDocument(site, call, site.metadata.get('HD Ticket'), document.name, {
    [direction === 'Sent' ? 'last_agent_response' : 'last_customer_response']: creation,
  });
}
