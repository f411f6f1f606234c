import { reach } from '#helpdesk/access/permissions.ts';
import { notFound, permissionDenied, validationError } from '#helpdesk/errors.ts';
import { type MethodTable, type SiteCall, text } from '#helpdesk/http/call.ts';
import { documentsOf, newColumns } from '#helpdesk/site/site.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';

/**
 * `frappe.share.*`: whoever may share a document gives others rights to it, which go over roles and over the DocType's own
 * check (docs/helpdesk.md#permissions). Frappe does not ask whether the giver has the right that they give.
 */
export const shareMethods: MethodTable = {
  'frappe.share.add': { writes: true, run: add },
  'frappe.share.get_users': { run: getUsers },
};

const rights = ['read', 'write', 'share', 'submit'] as const;

function add(call: SiteCall): Record<string, unknown> {
  const { doctype, document } = subject(call);
  checkShare(call, doctype, document);
  const given = rights.map((right) => [right, right === 'read' || isOn(call.args[right]) ? 1 : 0] as const);
  return save(call, doctype, document, Object.fromEntries(given));
}

/** Empty for whoever may not read the document. */
function getUsers(call: SiteCall): Record<string, unknown>[] {
  const { doctype, document } = subject(call);
  if (!reach(call.site, call.user, doctype, 'read')(document)) return [];
  return sharesOf(call, doctype, document.name).map(({ name, user, everyone, owner, creation, ...share }) => ({
    ...{ name, user: user ?? null, everyone, owner, creation },
    ...Object.fromEntries(rights.map((right) => [right, share[right]])),
  }));
}

function subject(call: SiteCall): { doctype: DocType; document: StoredDocument } {
  const doctype = call.site.metadata.get(text(call.args, 'doctype'));
  const document = call.site.store.find(doctype, text(call.args, 'name'));
  if (document === undefined) throw notFound(doctype.name, text(call.args, 'name'));
  return { doctype, document };
}

function checkShare(call: SiteCall, doctype: DocType, document: StoredDocument): void {
  if (!reach(call.site, call.user, doctype, 'share')(document))
    throw permissionDenied(`No permission to share ${doctype.name} ${document.name}`);
}

function sharesOf({ site }: SiteCall, doctype: DocType, name: string): StoredDocument[] {
  return documentsOf(site, 'DocShare').filter((row) => row.share_doctype === doctype.name && row.share_name === name);
}

const isOn = (value: unknown): boolean => Number(value ?? 0) === 1;

/** Whom the share is for: one's own account, if nobody is named. */
function find(call: SiteCall, doctype: DocType, { name }: StoredDocument): StoredDocument | undefined {
  const user = String(call.args.user ?? call.user);
  return sharesOf(call, doctype, name).find((row) =>
    isOn(call.args.everyone) ? row.everyone === 1 : row.user === user,
  );
}

function save(
  call: SiteCall,
  doctype: DocType,
  document: StoredDocument,
  given: Record<string, unknown>,
): StoredDocument {
  const { site, user, args } = call;
  const everyone = isOn(args.everyone);
  const sharedWith = everyone ? null : String(args.user ?? user);
  if (sharedWith !== null && !site.accounts.has(sharedWith))
    throw validationError(`Could not find User: ${sharedWith}`, 'LinkValidationError');
  const { modified, ...columns } = newColumns(site, user);
  const share = {
    ...columns,
    ...{
      ...(sharedWith !== null && { user: sharedWith }),
      everyone: everyone ? 1 : 0,
      notify_by_email: 1,
      share_doctype: doctype.name,
      share_name: document.name,
    },
    ...find(call, doctype, document),
    ...given,
    modified,
  };
  site.store.put(site.metadata.get('DocShare'), share);
  return { doctype: 'DocShare', ...share };
}
