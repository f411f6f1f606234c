import type { Site } from '#helpdesk/site/site.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { contactsOf, customersOfContact, isAgent, memberships, teamsOf } from './roles.ts';

/**
 * Helpdesk's own check on a ticket, after the roles and for every action alike (docs/helpdesk.md#permissions): senders
 * and, depending on the generation, colleagues of the same customer; agents, unless teams are kept apart.
 */
export function mayAccessTicket(site: Site, user: string, ticket: StoredDocument): boolean {
  if ([ticket.contact, ticket.raised_by, ticket.owner].includes(user)) return true;
  if (isAgent(site, user)) return mayAgentAccess(site, user, ticket);
  return sharesCustomer(site, user, ticket);
}

function mayAgentAccess(site: Site, user: string, ticket: StoredDocument): boolean {
  if (!site.settings.restrictTicketsByAgentGroup) return true;
  if (!ticket.agent_group && site.settings.doNotRestrictTicketsWithoutAnAgentGroup) return true;
  if (assignees(ticket).includes(user)) return true;
  return teamsOf(site, user).some((team) => team.ignore_restrictions === 1 || team.name === ticket.agent_group);
}

/** 1.28 opens a customer's tickets to its managers; before, to everybody whose Contact links to it. */
function sharesCustomer(site: Site, user: string, ticket: StoredDocument): boolean {
  if (!ticket.customer) return false;
  if (site.generation === '1.28') {
    return memberships(site, user).some(({ customer, row }) => customer === ticket.customer && row.is_manager === 1);
  }
  return contactsOf(site, user).some((contact) =>
    customersOfContact(site, contact.name).includes(String(ticket.customer)),
  );
}

/** The users in `_assign`, which the database keeps as the text of a JSON array. */
export function assignees(document: StoredDocument): string[] {
  return typeof document._assign === 'string' ? (JSON.parse(document._assign) as string[]) : [];
}
