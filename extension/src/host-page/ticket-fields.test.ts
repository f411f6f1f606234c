// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { hasDraft, readTicketFields } from './ticket-fields.ts';

const field = (id: string, text: string) =>
  `<div id="${id}" placeholder="Enter ${id}" class="form-control-core"><label>${id}</label><div><button><div><span class="text-base">${text}</span></div></button></div></div>`;
const page = (sidebar: string, editor = '') =>
  `<div id="app"><div><div id="app-header"><header><div></div><div><button></button><button aria-haspopup="menu" aria-label="Open"><span class="truncate">Open</span></button><button aria-haspopup="menu"></button></div></header></div>
   <div class="comm-area">${editor}</div><div class="relative flex flex-col border-l h-full"><div>${sidebar}</div><div></div></div></div></div>`;
const assignee = (inside: string) =>
  `<button><span class="outer"><div class="flex min-h-[20px]">${inside}</div></span></button>`;

test('the fields are read as the page shows them; an empty one shows what to enter', () => {
  document.body.innerHTML = page(
    `${field('agent_group', 'Medium - Scale')}${field('customer', 'Enter customer')}${assignee('<div class="truncate">Agent B</div>')}`,
  );
  expect(readTicketFields()).toEqual({ team: 'Medium - Scale', customer: null, assignee: 'Agent B', status: 'Open' });
  document.body.innerHTML = page(assignee('<span>No one</span><span>Assign yourself</span>'));
  expect(readTicketFields().assignee).toBeNull();
});

test('what is not on the page is left out', () => {
  document.body.innerHTML = '';
  expect(Object.values(readTicketFields())).toEqual([undefined, undefined, undefined, undefined]);
});

test('words in an open editor are a draft, an empty editor is none', () => {
  document.body.innerHTML = page('', '<div contenteditable="true"><p> </p></div>');
  expect(hasDraft()).toBe(false);
  document.body.innerHTML = page('', '<div contenteditable="true"><p>Chào anh</p></div>');
  expect(hasDraft()).toBe(true);
});
