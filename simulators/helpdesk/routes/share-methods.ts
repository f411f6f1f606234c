import { reach } from '#helpdesk/access/permissions.ts';
import { notFound, permissionDenied, validationError } from '#helpdesk/errors.ts';
import { type MethodTable, type SiteCall, text } from '#helpdesk/http/call.ts';
import { documentsOf, newColumns } from '#helpdesk/site/site.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import { hashName, type StoredDocument } from '#helpdesk/store/store.ts';

/**
 * `frappe.share.*`: whoever may share a document gives others rights to it, which go over roles and over the DocType's own
 * check (docs/helpdesk.md#permissions). Frappe does not ask whether the giver has the right that they give.
 */
export const shareMethods: MethodTable = {
  'frappe.share.add': { writes: true, run: add },
  'frappe.share.get_users': { run: getUsers },
  'frappe.core.doctype.communication.email.make': { writes: true, run: mail },
};

const rights = ['read', 'write', 'share', 'submit'] as const;

function add(call: SiteCall): Record<string, unknown> {
  const { site, user, args } = call;
  const { doctype, document } = subject(call, 'share');
  // For one's own account, if nobody is named.
  const sharedWith = isOn(args.everyone) ? null : String(args.user ?? user);
  if (sharedWith !== null && !site.accounts.has(sharedWith))
    throw validationError(`Could not find User: ${sharedWith}`, 'LinkValidationError');
  const before = sharesOf(call, doctype, document.name).find((row) =>
    sharedWith === null ? row.everyone === 1 : row.user === sharedWith,
  );
  const { modified, ...columns } = newColumns(site, user);
  const subjectOf = { notify_by_email: 1, share_doctype: doctype.name, share_name: document.name };
  const receiver = sharedWith === null ? { everyone: 1 } : { user: sharedWith, everyone: 0 };
  const given = rights.map((right) => [right, right === 'read' || isOn(args[right]) ? 1 : 0] as const);
  const share = { ...columns, ...receiver, ...subjectOf, ...before, ...Object.fromEntries(given), modified };
  site.store.put(site.metadata.get('DocShare'), share);
  return { doctype: 'DocShare', ...share };
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

/** The document that is meant. `right`: which its caller needs to have. */
function subject(
  { site, user, args }: SiteCall,
  right?: 'share' | 'email',
): { doctype: DocType; document: StoredDocument } {
  const doctype = site.metadata.get(text(args, 'doctype'));
  const document = site.store.find(doctype, text(args, 'name'));
  if (document === undefined) throw notFound(doctype.name, text(args, 'name'));
  if (right && !reach(site, user, doctype, right)(document))
    throw permissionDenied(`No permission to ${right} ${doctype.name} ${document.name}`);
  return { doctype, document };
}

/** Only whether somebody may is simulated: the mail itself shows the document to whoever has its link. */
function mail(call: SiteCall): Record<string, unknown> {
  subject(call, 'email');
  return { name: hashName(), emails_not_sent_to: '' };
}

function sharesOf({ site }: SiteCall, doctype: DocType, name: string): StoredDocument[] {
  return documentsOf(site, 'DocShare').filter((row) => row.share_doctype === doctype.name && row.share_name === name);
}

const isOn = (value: unknown): boolean => Number(value ?? 0) === 1;
