import { list } from './api.js';
import { ago, avatar, dot, h, icon } from './dom.js';
import { openPalette } from './palette.js';
import { reload, ticketHref } from './router.js';
import { breadcrumbs, setHeader, setMain } from './shell.js';
import { setShortcuts } from './shortcuts.js';
import { statuses } from './site-data.js';

const pageLength = 40;
const fields = ['name', 'subject', 'status', 'priority', 'customer', 'agent_group', 'raised_by', '_assign', 'modified'];

/** The agents' list: newest change first, searched by subject or number. */
export async function showList(_user, signal) {
  document.title = 'Tickets';
  const [colors, rows] = await Promise.all([statuses(), tickets('', 0, signal)]);
  if (signal.aborted) return;
  const body = h(
    'div',
    { class: 'list-rows', id: 'list-rows' },
    rows.map((row) => ticketRow(row, colors)),
  );
  const search = h('input', {
    type: 'search',
    class: 'field',
    placeholder: 'Search subject or ID',
    'aria-label': 'Search',
  });
  search.addEventListener('input', async () => {
    const found = await tickets(search.value.trim(), 0, signal).catch(() => null);
    if (found !== null) body.replaceChildren(...found.map((row) => ticketRow(row, colors)));
  });
  const more = h('button', { type: 'button', class: 'btn subtle' }, 'Load more');
  more.addEventListener('click', async () => {
    const next = await tickets(search.value.trim(), body.childElementCount, signal);
    body.append(...next.map((row) => ticketRow(row, colors)));
    more.hidden = next.length < pageLength;
  });
  more.hidden = rows.length < pageLength;
  const create = h(
    'a',
    { class: 'inline-flex', href: '/helpdesk/tickets/new' },
    h('span', { class: 'btn solid' }, icon('plus'), 'Create'),
  );
  setHeader(
    breadcrumbs({ label: 'Tickets', href: '/helpdesk/tickets' }, h('span', { class: 'crumb' }, 'List')),
    create,
  );
  const refresh = h(
    'button',
    { type: 'button', class: 'btn subtle square', 'aria-label': 'Refresh', onclick: reload },
    icon('refresh'),
  );
  const columns = ['Ticket', 'Status', 'Priority', 'Customer', 'Team', 'Assigned', 'Modified'].map((name) =>
    h('span', {}, name),
  );
  setMain(
    h('div', { class: 'toolbar' }, search, refresh),
    h('div', { class: 'list' }, h('div', { class: 'list-head' }, columns), body, more),
  );
  setShortcuts({ '/': () => search.focus(), 'Mod+K': openPalette });
}

function tickets(search, start, signal) {
  const digits = /^#?\d+$/.test(search);
  const filters =
    search === ''
      ? null
      : digits
        ? [['name', 'like', `%${search.replace('#', '')}%`]]
        : [['subject', 'like', `%${search}%`]];
  return list('HD Ticket', { fields, filters, orderBy: 'modified desc', limit: pageLength, start }, signal);
}

/** One line of the list. */
export function ticketRow(row, colors, portal = false) {
  const assigned = JSON.parse(row._assign ?? '[]');
  const cell = (className, ...content) => h('span', { class: `cell ${className}` }, content);
  return h(
    'a',
    { class: 'list-row', href: ticketHref(row.name, portal) },
    cell(
      'wide',
      h('span', { class: 'number' }, String(row.name)),
      h('span', { class: 'truncate strong' }, row.subject),
    ),
    cell('', dot(colors.get(row.status) ?? 'Gray'), row.status),
    cell('', row.priority ?? ''),
    cell('truncate', row.customer ?? '—'),
    cell('truncate', row.agent_group ?? '—'),
    cell(
      '',
      assigned.slice(0, 3).map((user) => avatar(user, 'small')),
    ),
    cell('quiet', ago(row.modified)),
  );
}
