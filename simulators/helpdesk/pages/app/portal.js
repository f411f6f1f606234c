import { call, list, post, update } from './api.js';
import { communicationArea, conversation } from './conversation.js';
import { dot, h, icon } from './dom.js';
import { ticketRow } from './list.js';
import { reload, ticketHref } from './router.js';
import { attempt, breadcrumbs, setHeader, setMain } from './shell.js';
import { setShortcuts } from './shortcuts.js';
import { statuses } from './site-data.js';

const root = { label: 'Tickets', href: '/helpdesk/my-tickets' };
const fields = ['name', 'subject', 'status', 'priority', 'modified'];

/** A customer's own tickets. */
export async function showPortalList(signal) {
  document.title = 'My Tickets';
  const [rows, colors] = await Promise.all([
    list('HD Ticket', { fields, orderBy: 'modified desc' }, signal),
    statuses(),
  ]);
  if (signal.aborted) return;
  const create = h(
    'a',
    { class: 'inline-flex', href: '/helpdesk/my-tickets/new' },
    h('span', { class: 'btn solid' }, icon('plus'), 'Create'),
  );
  setHeader(breadcrumbs(root), create);
  setMain(
    h(
      'div',
      { class: 'list portal' },
      h(
        'div',
        { class: 'list-rows', id: 'list-rows' },
        rows.map((row) => ticketRow(row, colors, true)),
      ),
    ),
  );
}

/** A customer's view of one ticket: no team, no assignee, no deadlines. */
export async function showPortalTicket(name, signal) {
  document.title = name;
  setMain(h('div', { class: 'loading' }, 'Loading…'));
  const args = { name, is_customer_portal: 'true' };
  const [ticket, colors] = await Promise.all([
    call('helpdesk.helpdesk.doctype.hd_ticket.api.get_one', args, signal),
    statuses(),
  ]);
  if (signal.aborted) return;
  const close = () =>
    attempt(async () => {
      await update('HD Ticket', ticket.name, { status: 'Closed' });
      await reload();
    });
  const crumb = h(
    'a',
    { class: 'crumb min-w-0', href: ticketHref(ticket.name, true) },
    h('span', { class: 'min-w-0 truncate', title: ticket.subject }, ticket.subject),
  );
  setHeader(
    breadcrumbs(root, crumb),
    h('button', { type: 'button', class: 'btn solid', 'aria-label': 'Close', onclick: close }, icon('check'), 'Close'),
  );
  const { area, open } = communicationArea([
    { label: 'Reply', symbol: 'mail', send: (message) => reply(ticket, message) },
  ]);
  const fact = (label, ...value) =>
    h(
      'div',
      { class: 'details-row' },
      h('span', { class: 'details-label' }, label),
      h('span', { class: 'details-value' }, value),
    );
  setMain(
    h(
      'div',
      { class: 'ticket' },
      h(
        'section',
        { class: 'ticket-body' },
        h('h1', { class: 'portal-title' }, ticket.subject),
        h('div', { class: 'tab-body' }, conversation({ ...ticket, comments: [] })),
        area,
      ),
      h(
        'aside',
        { class: 'details', 'aria-label': 'Ticket details' },
        h(
          'div',
          { class: 'details-block' },
          fact('Ticket ID', String(ticket.name)),
          fact('Status', dot(colors.get(ticket.status) ?? 'Gray'), ticket.status),
          fact('Priority', ticket.priority ?? ''),
        ),
      ),
    ),
  );
  setShortcuts({ r: () => open(0) });
}

function reply(ticket, message) {
  return attempt(async () => {
    await post('run_doc_method', {
      dt: 'HD Ticket',
      dn: String(ticket.name),
      method: 'create_communication_via_contact',
      args: { message },
    });
    await reload();
  });
}
