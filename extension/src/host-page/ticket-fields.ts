import { appFrame, sidebarSelector } from './anchors.ts';

/** What the page shows of its ticket. Null: empty. Undefined: not found on this page. */
export interface TicketFields {
  team: string | null | undefined;
  assignee: string | null | undefined;
  status: string | undefined;
  customer: string | null | undefined;
}

/** Reads the ticket's fields off the page, each by itself. 2026-11: 1.24.1 and 1.28.1. */
export function readTicketFields(): TicketFields {
  const sidebar = document.querySelector(sidebarSelector);
  const assignee = sidebar?.querySelector('button [class~="min-h-[20px]"]');
  const status = document.querySelector(
    'div#app-header header > div:last-child [aria-haspopup=menu][aria-label] .truncate',
  );
  return {
    team: linkField(sidebar, 'agent_group'),
    assignee: assignee && (textOf(assignee.querySelector('.truncate')) || null),
    status: textOf(status) || undefined,
    customer: linkField(sidebar, 'customer'),
  };
}

/** Whether somebody is writing: an editor of the page has words in it. */
export function hasDraft(): boolean {
  const editors = document.querySelectorAll(`${appFrame} .comm-area [contenteditable=true]`);
  return [...editors].some((editor) => textOf(editor));
}

/** A field that links to a record: a button with its name, or with what to enter where it has none. */
function linkField(sidebar: Element | null | undefined, name: string): string | null | undefined {
  const field = sidebar?.querySelector(`[id="${name}"]`);
  const text = textOf(field?.querySelector('button .truncate, button span'));
  if (!field || text === undefined) return undefined;
  return text === field.getAttribute('placeholder') ? null : text;
}

function textOf(element: Element | null | undefined): string | undefined {
  return element?.textContent?.trim();
}
