import { post, update } from './api.js';
import { displayName } from './conversation.js';
import { avatar, h, icon } from './dom.js';
import { reload } from './router.js';
import { attempt } from './shell.js';
import { namesOf } from './site-data.js';

/** Core fields of the sidebar with the ids that the real page gives them. */
const core = [
  ['ticket_type', 'Ticket Type', 'HD Ticket Type'],
  ['priority', 'Priority', 'HD Ticket Priority'],
  ['customer', 'Customer', 'HD Customer'],
  ['agent_group', 'Team', 'HD Team'],
];

/** The right sidebar: contact, fields that save on change, assignee, and what else is set on the ticket. */
export async function details(ticket) {
  const options = await Promise.all(core.map(([, , doctype]) => namesOf(doctype)));
  const agents = await namesOf('HD Agent');
  const assigned = JSON.parse(ticket._assign ?? '[]');
  return h(
    'aside',
    { class: 'details', 'aria-label': 'Ticket details' },
    h('div', { class: 'details-block' }, contactCard(ticket)),
    h(
      'div',
      { class: 'details-block' },
      core.map(([field, label], index) => linkField(ticket, field, label, options[index] ?? [])),
      row(
        'assignee',
        'Assigned to',
        select('assignee', agents, assigned[0] ?? '', (agent) => assign(ticket, agent)),
      ),
    ),
    h('div', { class: 'details-block' }, h('h2', { class: 'details-title' }, 'Ticket Info'), infoRows(ticket)),
  );
}

function contactCard(ticket) {
  const { contact } = ticket;
  const name = displayName(contact, ticket.raised_by);
  const line = (symbol, text) =>
    text ? h('div', { class: 'contact-line' }, icon(symbol), h('span', { class: 'truncate' }, text)) : null;
  return h(
    'div',
    { class: 'contact' },
    h('div', { class: 'contact-head' }, avatar(name, 'large'), h('strong', { class: 'truncate' }, name)),
    line('mail', contact.email_id ?? ticket.raised_by),
    line('phone', contact.phone || contact.mobile_no),
    line('building', ticket.customer),
  );
}

function linkField(ticket, field, label, options) {
  const value = ticket[field] ?? '';
  const change = (chosen) =>
    attempt(async () => {
      await update('HD Ticket', ticket.name, { [field]: chosen });
      await reload();
    });
  return row(field, label, select(field, options, value, change));
}

function select(id, options, value, change) {
  const known = options.includes(value) || value === '' ? options : [value, ...options];
  const element = h(
    'select',
    { class: 'field form-control-core', id },
    ['', ...known].map((option) => h('option', { value: option }, option || '—')),
  );
  element.value = value;
  element.addEventListener('change', () => change(element.value));
  return element;
}

function row(id, label, control) {
  return h('div', { class: 'details-row' }, h('label', { for: id }, label), control);
}

function assign(ticket, agent) {
  return attempt(async () => {
    const target = { doctype: 'HD Ticket', name: String(ticket.name) };
    for (const user of JSON.parse(ticket._assign ?? '[]')) {
      await post('frappe.desk.form.assign_to.remove', { ...target, assign_to: user });
    }
    if (agent !== '') await post('frappe.desk.form.assign_to.add', { ...target, assign_to: [agent] });
    await reload();
  });
}

/** Custom fields with a value, and the ticket's dates. */
function infoRows(ticket) {
  const custom = Object.entries(ticket).filter(
    ([key, value]) => key.startsWith('custom_') && value !== null && value !== '',
  );
  const dates = [
    ['Raised by', ticket.raised_by],
    ['Created', String(ticket.creation).slice(0, 16)],
    ['Modified', String(ticket.modified).slice(0, 16)],
  ];
  const labelled = custom.map(([key, value]) => [key.replace('custom_', '').replaceAll('_', ' '), value]);
  return [...dates, ...labelled].map(([label, value]) =>
    h(
      'div',
      { class: 'details-row' },
      h('span', { class: 'details-label' }, label),
      h('span', { class: 'details-value' }, String(value)),
    ),
  );
}
