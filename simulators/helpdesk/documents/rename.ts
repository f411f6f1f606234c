import { checkDocument } from '#helpdesk/access/permissions.ts';
import { notFound, validationError } from '#helpdesk/errors.ts';
import { type Actor, documentsOf, type FakeSite } from '#helpdesk/site/site.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import { repointed } from './incoming.ts';

/** Frappe's `allow_rename`: a Property Setter takes it away. */
export function isRenamable(site: FakeSite, doctype: string): boolean {
  const setters = documentsOf(site, 'Property Setter').filter(({ property }) => property === 'allow_rename');
  return !setters.some(({ doc_type, value }) => doc_type === doctype && value === '0');
}

/**
 * Gives a document another name, or merges it into the one that has it; whatever links to it follows. It takes the right to
 * write it, which on a customer its managers have (docs/helpdesk.md#permissions). Gives the new name.
 */
export function renameDocument(
  site: FakeSite,
  actor: Actor,
  doctype: DocType,
  { from, to, merge }: { from: string; to: string; merge: boolean },
): string {
  if (!isRenamable(site, doctype.name)) throw validationError(`${doctype.name} not allowed to be renamed`);
  const document = site.store.find(doctype, from);
  if (document === undefined) throw notFound(doctype.name, from);
  const name = to.trim();
  const taken = site.store.find(doctype, name);
  // Another spelling of its own name, in case or accents, is free.
  const isTaken = taken !== undefined && taken.name !== document.name;
  if (isTaken && !merge) throw validationError(`Another ${doctype.name} with name ${name} exists, select another name`);
  if (!isTaken && merge) throw validationError(`${doctype.name} ${name} does not exist, select a new target to merge`);
  checkDocument(site, actor.user, doctype, document, 'write');
  if (taken !== undefined && isTaken) checkDocument(site, actor.user, doctype, taken, 'write');
  for (const { doctype: meta, document: other } of repointed(site, doctype.name, document.name, name))
    site.store.put(meta, other);
  const field = /^field:(\w+)$/.exec(doctype.autoname ?? '')?.[1];
  site.store.remove(doctype, document.name);
  if (!merge)
    site.store.put(doctype, {
      ...document,
      ...(field !== undefined && { [field]: name }),
      ...{ name, modified: site.clock.now(), modified_by: actor.user },
    });
  return name;
}
