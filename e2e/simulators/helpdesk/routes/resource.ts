import { allLevels, fieldLevels } from '#helpdesk/access/permissions.ts';
import { deleteDocument, readDocument, updateDocument } from '#helpdesk/documents/documents.ts';
import { listDocuments } from '#helpdesk/documents/list.ts';
import { methodMissing } from '#helpdesk/errors.ts';
import type { Call } from '#helpdesk/http/call.ts';
import { insertWithScripts } from '#helpdesk/server-scripts/run.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import { asDict, withoutNulls } from '#helpdesk/store/serialise.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';

export interface ResourceAnswer {
  status: 200 | 202;
  body: Record<string, unknown>;
}

/** `/api/resource/<DocType>[/<name>]` with GET, POST, PUT and DELETE. Throws FrappeErrors. */
export async function resource(call: Call, doctypeName: string, name: string | undefined): Promise<ResourceAnswer> {
  const { site, user } = call;
  if (name === undefined && call.method === 'GET') {
    return { status: 200, body: { data: listDocuments(site, user, doctypeName, call.args) } };
  }
  const doctype = site.metadata.get(doctypeName);
  if (name === undefined) {
    if (call.method !== 'POST') throw methodMissing(call.method);
    return answer(call, doctype, await insertWithScripts(site, call, doctype, call.body), 'written');
  }
  switch (call.method) {
    case 'GET':
      return answer(call, doctype, readDocument(site, user, doctype, name), 'read');
    case 'PUT':
      return answer(call, doctype, updateDocument(site, call, doctype, name, call.body), 'written');
    case 'DELETE':
      deleteDocument(site, user, doctype, name);
      return { status: 202, body: { data: 'ok' } };
    default:
      throw methodMissing(call.method);
  }
}

/** Reading respects field levels; the answer to a write shows the document whole (docs/helpdesk.md#writing). */
function answer(call: Call, doctype: DocType, document: StoredDocument, mode: 'read' | 'written'): ResourceAnswer {
  const levels = mode === 'read' ? fieldLevels(call.site, call.user, doctype, 'read') : allLevels(doctype);
  const data = withoutNulls(asDict(call.site.metadata, doctype, document, levels));
  // A Single is kept as texts; only its `idx` shows that when it is read.
  const idx = mode === 'read' && doctype.issingle ? { idx: String(document.idx) } : {};
  return { status: 200, body: { data: { ...data, ...idx } } };
}
