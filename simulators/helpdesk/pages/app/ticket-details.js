import { post, update } from './api.js';
import { displayName } from './conversation.js';
import { avatar, h, icon } from './dom.js';
import { menuButton } from './menu.js';
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

/** How wide the agent has dragged the sidebar; the real one begins with 352 on each ticket too, until it is dragged. */
const widths = { initial: 352, min: 256, max: 480 };

/** The most values that a field lists at once. */
const pageLength = 10;

/**
 * The right sidebar: contact, fields that save on change, assignee, and what else is set on the ticket. Its outermost
 * element, the classes of that, and the handle at its left edge are those of the real one (1.24.1, 1.28.1 and the next).
 */
export async function details(ticket) {
  const options = await Promise.all(core.map(([, , doctype]) => namesOf(doctype)));
  const agents = await namesOf('HD Agent');
  const assigned = JSON.parse(ticket._assign ?? '[]');
  const content = h(
    'div',
    { class: 'flex h-full flex-col details-content' },
    h('div', { class: 'details-block' }, contactCard(ticket)),
    h(
      'div',
      { class: 'details-block' },
      core.map(([field, label], index) => linkField(ticket, field, label, options[index] ?? [])),
      assignTo(ticket, agents, assigned),
    ),
    h('div', { class: 'details-block' }, h('h2', { class: 'details-title' }, 'Ticket Info'), infoRows(ticket)),
  );
  const edge = window.helpdesk_version === 'next' ? 'border-s' : 'border-l';
  const sidebar = h('div', { class: `details relative flex flex-col ${edge} h-full` }, content);
  sidebar.style.width = `${widths.initial}px`;
  sidebar.append(resizeHandle(sidebar));
  return sidebar;
}

function resizeHandle(sidebar) {
  const resize = ({ clientX }) => {
    const width = document.dir === 'rtl' ? clientX : innerWidth - clientX;
    sidebar.style.width = `${Math.min(Math.max(width, widths.min), widths.max)}px`;
  };
  const start = () => {
    document.addEventListener('mousemove', resize);
    document.addEventListener('mouseup', () => document.removeEventListener('mousemove', resize), { once: true });
  };
  return h('div', { class: 'absolute z-10 h-full w-1 cursor-col-resize left-0', onmousedown: start });
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
  const placeholder = `Enter ${label}`;
  const button = menuButton({
    label,
    className: 'field',
    content: h('span', { class: 'truncate' }, value || placeholder),
    items: choices(options, value, change),
  });
  return h(
    'div',
    { class: 'form-control-core', id: field, placeholder },
    h('span', { class: 'details-label' }, label),
    button,
  );
}

function assignTo(ticket, agents, assigned) {
  const names = assigned.length > 1 ? `${assigned.length} assignees` : assigned[0];
  const button = menuButton({
    label: 'Assignee',
    className: 'field',
    content: h(
      'div',
      { class: window.helpdesk_version === 'next' ? 'min-h-5' : 'min-h-[20px]' },
      names ? h('div', { class: 'truncate' }, names) : h('span', {}, 'No one'),
    ),
    items: choices(agents, assigned[0] ?? '', (agent) => assign(ticket, agent)),
  });
  return h('div', { id: 'assignee' }, h('span', { class: 'details-label' }, 'Assignee'), button);
}

function choices(options, value, choose) {
  return ['', ...options.slice(0, pageLength)].map((option) => ({
    label: option || '—',
    checked: option === value,
    action: () => choose(option),
  }));
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
