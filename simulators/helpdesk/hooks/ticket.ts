import { randomUUID } from 'node:crypto';
import { customersOfContact, isAgent } from '#helpdesk/access/permissions.ts';
import { helpdeskError, permissionDenied } from '#helpdesk/errors.ts';
import type { Actor, Hooks } from '#helpdesk/site/site.ts';
import { documentsOf, type FakeSite, lookup, newColumns } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { applyAssignmentRules, dropOutsiders } from './assignment-rules.ts';

const dayMs = 86_400_000;

/** HD Ticket: what Helpdesk decides about a ticket, whatever its creator sent (docs/helpdesk.md#inserting-a-ticket). */
export const ticketHooks: Hooks = {
  beforeInsert(_site, _actor, document) {
    document.key = randomUUID();
  },
  validate(site, actor, document, before) {
    checkContact(site, actor, document, before);
    if (before === undefined) complete(site, actor, document);
    // On every save: whoever's it is, an empty contact is filled in (docs/helpdesk.md#contacts).
    else document.contact ||= contactFor(site, String(document.raised_by));
    if (before !== undefined && site.generation !== '1.28') setCustomer(site, actor, document);
    document.status_category = lookup(site, 'HD Ticket Status', document.status)?.category ?? null;
    if (before !== undefined && document.customer !== before.customer) checkCustomer(site, actor, document);
  },
  afterInsert(site, _actor, document) {
    if (document.description) storeMessage(site, document, document.description);
  },
  afterSave(site, actor, document, before) {
    if (before !== undefined) dropOutsiders(site, actor, document, before);
    applyAssignmentRules(site, actor, document);
  },
};

/** What a new ticket gets after scripts have seen it: sender, status, service level, contact and customer. */
function complete(site: FakeSite, actor: Actor, document: StoredDocument): void {
  const settings = lookup(site, 'HD Settings', 'HD Settings');
  document.raised_by ||= actor.user;
  document.priority ||= settings?.default_priority ?? 'Medium';
  document.ticket_type ||= settings?.default_ticket_type ?? '';
  document.status = settings?.default_ticket_status ?? 'Open';
  const time = String(document.creation).slice(11);
  document.opening_time = time.replace(/^0/, '');
  setAgreement(site, document);
  document.contact ||= contactFor(site, String(document.raised_by));
  setCustomer(site, actor, document);
}

/** Dates of the service level: two days to answer, four to resolve. */
function setAgreement(site: FakeSite, document: StoredDocument): void {
  const due = (days: number): string =>
    `${site.clock.format(site.clock.epochMs() + days * dayMs).slice(0, 10)} 18:00:00`;
  document.sla = 'Default';
  document.agreement_status = 'First Response Due';
  document.response_by = due(2);
  document.resolution_by = due(4);
  document.service_level_agreement_creation = site.clock.now();
  const hour = Number(String(document.creation).slice(11, 13));
  document.raised_outside_working_hours = hour < 10 || hour >= 18 ? 1 : 0;
}

/** The contact with this primary address; the one changed last where several have it. */
function contactFor(site: FakeSite, address: string): string | null {
  const bare = (/<([^<>]+)>\s*$/.exec(address)?.[1] ?? address).toLowerCase();
  const [contact] = documentsOf(site, 'Contact')
    .filter((candidate) => candidate.email_id === bare)
    .sort((left, right) => (String(left.modified) < String(right.modified) ? 1 : -1));
  return contact?.name ?? null;
}

/** The contact's customer where it is the only one; a portal sender with several must choose in 1.28. */
function setCustomer(site: FakeSite, actor: Actor, document: StoredDocument): void {
  if (document.customer) {
    checkCustomer(site, actor, document);
    return;
  }
  if (!document.contact) return;
  const [only, ...others] = customersOfContact(site, String(document.contact));
  if (only !== undefined && others.length === 0) document.customer = only;
  else if (others.length > 0 && site.generation === '1.28' && !isAgent(site, actor.user)) {
    throw helpdeskError(`Please select a customer for the contact ${String(document.contact)}.`);
  }
}

/** 1.28 lets only agents name a contact that is not the account's own; what is filled in afterwards is not looked at. */
function checkContact(
  site: FakeSite,
  actor: Actor,
  document: StoredDocument,
  before: StoredDocument | undefined,
): void {
  const { contact } = document;
  if (site.generation !== '1.28' || !contact || contact === before?.contact || isAgent(site, actor.user)) return;
  const contacts = documentsOf(site, 'Contact');
  const own =
    contacts.find(({ user }) => user === actor.user) ??
    contacts.find(({ user, email_id }) => !user && email_id === actor.user);
  if (own?.name !== contact) throw permissionDenied('You can only raise tickets for your own contact.');
}

/** 1.28 lets only agents name a customer that is not the contact's (docs/helpdesk.md#senders). */
function checkCustomer(site: FakeSite, actor: Actor, document: StoredDocument): void {
  if (site.generation !== '1.28' || !document.customer || isAgent(site, actor.user)) return;
  const settings = lookup(site, 'HD Settings', 'HD Settings');
  if (settings?.auto_set_customer_from_contact === 0) return;
  const [customer, contact] = [String(document.customer), String(document.contact)];
  if (customersOfContact(site, contact).includes(customer)) return;
  const advice = "Please select a valid customer or update the contact's linked customers.";
  throw helpdeskError(`The selected customer ${customer} is not linked to the contact ${contact}.${advice}`);
}

/** Adds the first message of the conversation; for the sender's own tickets that is a reply. */
export function storeMessage(site: FakeSite, document: StoredDocument, content: unknown): void {
  const { name, creation } = putMessage(site, document.owner, document, {
    content,
    sender: document.raised_by,
    sent_or_received: 'Received',
    delivery_status: '',
  });
  site.store.put(site.metadata.get('HD Ticket'), {
    ...document,
    last_customer_response: creation,
    modified: site.clock.now(),
    _comments: JSON.stringify([{ comment: content, by: document.raised_by, name }]),
  });
}

/** Puts a message into a ticket's conversation; gives its columns. */
export function putMessage(site: FakeSite, user: unknown, ticket: StoredDocument, message: Record<string, unknown>) {
  const columns = newColumns(site, user);
  site.store.put(site.metadata.get('Communication'), {
    ...columns,
    subject: `Re: ${String(ticket.subject)}`,
    communication_date: columns.creation,
    reference_doctype: 'HD Ticket',
    reference_name: ticket.name,
    ...message,
  });
  return columns;
}
