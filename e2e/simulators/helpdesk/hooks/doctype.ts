import { defineDoctype } from '#helpdesk/seeding/place.ts';
import { childRows } from '#helpdesk/site/site.ts';
import type { Hooks } from './types.ts';

/** DocType: a new one can be used at once; a Single has its one document from the start. */
export const doctypeHooks: Hooks = {
  validate(_site, actor, document) {
    if (document.issingle !== 1) return;
    for (const row of childRows(document, 'permissions')) Object.assign(row, { report: 0, export: 0, import: 0 });
    actor.messages.push({ message: 'Report cannot be set for Single types', title: 'Message' });
  },
  afterInsert(site, actor, document) {
    defineDoctype(site, document);
    if (document.issingle !== 1) return;
    const standard = { owner: actor.user, modified: document.modified, modified_by: actor.user, docstatus: 0, idx: 0 };
    site.store.put(site.metadata.get(document.name), { name: document.name, ...standard });
  },
};
