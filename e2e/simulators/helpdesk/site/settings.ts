import type { HelpdeskSettings } from '#helpdesk/api.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import type { Metadata } from '#helpdesk/store/metadata.ts';
import type { Store } from '#helpdesk/store/store.ts';

/** The switches of a new site. Those that Helpdesk keeps in HD Settings are read from and written to that document. */
export function siteSettings(metadata: Metadata, store: Store): HelpdeskSettings {
  const doctype = metadata.get('HD Settings');
  return {
    language: '',
    page: 'own',
    allowErrorTraceback: true,
    serverScriptEnabled: true,
    assignRace: false,
    refusesAssigneesOutsideTeam: false,
    webhookDelayMs: 20,
    webhookTimeoutMs: null,
    webhookPauseScale: 1,
    get restrictTicketsByAgentGroup() {
      return readSwitch(store, doctype, 'restrict_tickets_by_agent_group');
    },
    set restrictTicketsByAgentGroup(on) {
      writeSwitch(store, doctype, 'restrict_tickets_by_agent_group', on);
    },
    get doNotRestrictTicketsWithoutAnAgentGroup() {
      return readSwitch(store, doctype, 'do_not_restrict_tickets_without_an_agent_group');
    },
    set doNotRestrictTicketsWithoutAnAgentGroup(on) {
      writeSwitch(store, doctype, 'do_not_restrict_tickets_without_an_agent_group', on);
    },
  };
}

function readSwitch(store: Store, doctype: DocType, field: string): boolean {
  return store.find(doctype, doctype.name)?.[field] === 1;
}

function writeSwitch(store: Store, doctype: DocType, field: string, on: boolean): void {
  const document = store.find(doctype, doctype.name);
  if (document !== undefined) store.put(doctype, { ...document, [field]: on ? 1 : 0 });
}
