import { call, create, post, update } from './api.js';
import { communicationArea, conversation } from './conversation.js';
import { ago, dot, h, icon } from './dom.js';
import { menuButton } from './menu.js';
import { openPalette } from './palette.js';
import { navigate, reload, ticketHref } from './router.js';
import { attempt, breadcrumbs, isMobileShell, setHeader, setMain } from './shell.js';
import { setShortcuts } from './shortcuts.js';
import { statuses, ticketOrder } from './site-data.js';
import { details } from './ticket-details.js';

const api = 'helpdesk.helpdesk.doctype.hd_ticket.api';

/** The agents' ticket page. Title and header are those of no ticket until this one has been read. */
export async function showTicket(name, user, signal) {
  document.title = name;
  setMain(h('div', { class: 'loading' }, 'Loading…'));
  const [ticket, colors, order] = await Promise.all([
    call(`${api}.get_one`, { name }, signal),
    statuses(),
    ticketOrder(name),
  ]);
  if (signal.aborted) return;
  document.title = isMobileShell() ? String(ticket.name) : `${ticket.name} - ${ticket.subject}`;
  const { area, open } = communicationArea([
    { label: 'Reply', symbol: 'mail', send: (message) => send(() => reply(ticket, message)) },
    { label: 'Comment', symbol: 'comment', send: (message) => send(() => comment(ticket, user, message)) },
  ]);
  const status = statusButton(ticket, colors);
  const step = (offset) => {
    const next = order[order.indexOf(String(ticket.name)) + offset];
    if (next !== undefined) navigate(ticketHref(next));
  };
  const complete = drawHeader(ticket, order, status, step);
  const panel = await details(ticket);
  if (signal.aborted) return;
  complete?.();
  setMain(
    h(
      'div',
      { class: 'ticket' },
      h('div', { class: 'ticket-body' }, tabs(ticket), area),
      isMobileShell() ? null : panel,
    ),
  );
  const press = (id) => () => document.querySelector(`#${id} button`)?.click();
  setShortcuts({
    r: () => open(0),
    c: () => open(1),
    s: () => status.click(),
    p: press('priority'),
    t: press('ticket_type'),
    'Shift+T': press('agent_group'),
    a: press('assignee'),
    'Shift+<': () => step(-1),
    'Shift+>': () => step(1),
    'Mod+K': openPalette,
  });
}

/** The header with the ticket's status; what it gives adds the rest, which comes later in the real one too. */
function drawHeader(ticket, order, status, step) {
  const title = h('span', { class: 'min-w-0 truncate', title: ticket.subject }, ticket.subject);
  const crumb = isMobileShell()
    ? h('a', { class: 'crumb min-w-0', href: ticketHref(ticket.name) }, title)
    : h('button', { type: 'button', class: 'crumb min-w-0' }, title);
  const left = breadcrumbs({ label: 'Tickets', href: '/helpdesk/tickets' }, crumb);
  if (isMobileShell()) {
    setHeader(left, h('div', { class: 'absolute right-0 pr-2' }, status));
    return null;
  }
  const position = order.indexOf(String(ticket.name));
  const arrow = (symbol, label, offset) => {
    const disabled = position < 0 || order[position + offset] === undefined;
    const properties = {
      type: 'button',
      class: 'btn ghost square',
      'aria-label': label,
      disabled,
      onclick: () => step(offset),
    };
    return h('button', properties, icon(symbol));
  };
  const arrows = h(
    'div',
    { class: 'flex gap-1' },
    arrow('previous', 'Previous ticket', -1),
    arrow('next', 'Next ticket', 1),
  );
  const copy = () => navigator.clipboard.writeText(location.href);
  const items = [{ label: 'Copy link', action: copy }];
  const more = menuButton({ label: 'More', className: 'btn subtle square', content: icon('more'), items });
  const actions = h('div', { class: 'flex gap-2 items-center' }, status);
  setHeader(left, actions, strip(ticket));
  return () => {
    actions.prepend(arrows);
    actions.append(more);
  };
}

function statusButton(ticket, colors) {
  const choose = (status) => () => send(() => update('HD Ticket', ticket.name, { status }));
  return menuButton({
    label: ticket.status,
    className: 'btn subtle',
    content: [dot(colors.get(ticket.status) ?? 'Gray'), h('span', { class: 'truncate' }, ticket.status)],
    items: [...colors].map(([label, color]) => ({
      label,
      color,
      checked: label === ticket.status,
      action: choose(label),
    })),
  });
}

/** Number and deadlines below the header. */
function strip(ticket) {
  const copy = () => navigator.clipboard.writeText(String(ticket.name));
  const due = (label, date) =>
    date
      ? [
          h('span', { class: 'strip-line' }),
          h(
            'div',
            { class: 'flex items-center gap-1' },
            h('span', {}, label),
            h('span', { class: 'due' }, `Due ${dueText(date)}`),
          ),
        ]
      : [];
  return h(
    'div',
    { class: 'strip flex items-center' },
    h(
      'div',
      { class: 'flex items-center gap-1' },
      h('p', { class: 'cursor-copy', onclick: copy }, ` #${ticket.name}`),
      h(
        'span',
        { class: 'quiet flex items-center gap-1' },
        'via',
        icon(ticket.via_customer_portal ? 'globe' : 'mail', 'size-3'),
        ticket.via_customer_portal ? 'Portal' : 'Mail',
      ),
    ),
    due('First Response', ticket.first_responded_on ? null : ticket.response_by),
    due('Resolution', ticket.resolution_by),
  );
}

function dueText(date) {
  const now = new Date().toLocaleString('sv-SE', { timeZone: window.timezone.system });
  return date < now ? `${ago(date)} ago` : `in ${ago(date)}`;
}

function tabs(ticket) {
  const body = h('div', { class: 'tab-body' }, conversation(ticket));
  const kinds = [
    ['Activity', 'all'],
    ['Emails', 'mail'],
    ['Comments', 'comment'],
  ];
  const buttons = kinds.map(([label, kind], index) => {
    const properties = { type: 'button', class: 'tab', role: 'tab', 'aria-selected': String(index === 0) };
    const button = h('button', properties, label);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-selected', String(other === button));
      body.replaceChildren(conversation(ticket, kind));
    });
    return button;
  });
  return h('div', { class: 'tabs' }, h('div', { class: 'tab-list', role: 'tablist' }, buttons), body);
}

async function send(action) {
  await attempt(async () => {
    await action();
    await reload();
  });
}

function reply(ticket, message) {
  return post('run_doc_method', {
    dt: 'HD Ticket',
    dn: String(ticket.name),
    method: 'reply_via_agent',
    args: { message },
  });
}

function comment(ticket, user, content) {
  return create('HD Ticket Comment', { reference_ticket: String(ticket.name), content, commented_by: user.user_id });
}
