import { create, post } from './api.js';
import { paragraphs } from './conversation.js';
import { h } from './dom.js';
import { navigate, ticketHref } from './router.js';
import { attempt, breadcrumbs, setHeader, setMain } from './shell.js';
import { namesOf } from './site-data.js';

/** The form for a new ticket; agents may raise it for somebody and set team and priority. */
export async function showNew(user, signal) {
  document.title = 'New Ticket';
  const root = { label: 'Tickets', href: user.is_agent ? '/helpdesk/tickets' : '/helpdesk/my-tickets' };
  const selects = user.is_agent ? await agentFields() : [];
  if (signal.aborted) return;
  setHeader(
    breadcrumbs(
      root,
      h('a', { class: 'crumb', href: '/helpdesk/my-tickets/new' }, h('span', { title: 'New Ticket' }, 'New Ticket')),
    ),
    [],
  );
  const subject = h('input', {
    class: 'field',
    id: 'subject',
    name: 'subject',
    required: true,
    maxlength: 140,
    placeholder: 'A short description',
  });
  const description = h('textarea', {
    class: 'field',
    id: 'description',
    name: 'description',
    rows: 8,
    placeholder: 'Detailed explanation',
  });
  const form = h(
    'form',
    { class: 'new-ticket' },
    h(
      'div',
      { class: 'new-grid' },
      selects.map(({ label, control }) => labelled(label, control)),
    ),
    labelled('Subject', subject),
    labelled('Description', description),
    h('div', { class: 'editor-actions' }, h('button', { type: 'submit', class: 'btn solid' }, 'Submit')),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = { subject: subject.value, description: paragraphs(description.value) };
    for (const { control } of selects) if (control.value !== '') values[control.name] = control.value;
    attempt(() => submit(user, values));
  });
  setMain(form);
}

async function submit(user, values) {
  const ticket = user.is_agent
    ? await create('HD Ticket', values)
    : await post('helpdesk.helpdesk.doctype.hd_ticket.api.new', { doc: values, attachments: [] });
  navigate(ticketHref(ticket.name, !user.is_agent));
}

async function agentFields() {
  const raisedBy = h('input', {
    class: 'field',
    id: 'raised_by',
    name: 'raised_by',
    type: 'email',
    placeholder: 'customer@…',
  });
  const [teams, priorities] = await Promise.all([namesOf('HD Team'), namesOf('HD Ticket Priority')]);
  return [
    { label: 'Raised by', control: raisedBy },
    { label: 'Team', control: choice('agent_group', teams) },
    { label: 'Priority', control: choice('priority', priorities) },
  ];
}

function choice(name, options) {
  return h(
    'select',
    { class: 'field', id: name, name },
    ['', ...options].map((option) => h('option', { value: option }, option)),
  );
}

function labelled(label, control) {
  return h('div', { class: 'labelled' }, h('label', { for: control.id }, label), control);
}
