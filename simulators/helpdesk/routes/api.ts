import { identify, type SiteCaller, sessionCookies } from '#helpdesk/access/auth.ts';
import { allLevels, fieldLevels } from '#helpdesk/access/permissions.ts';
import type { ApiAnswer, ApiRequest } from '#helpdesk/api.ts';
import { deleteDocument, readDocument, updateDocument } from '#helpdesk/documents/documents.ts';
import { listDocuments } from '#helpdesk/documents/list.ts';
import { FrappeError, methodMissing, notWhitelisted, permissionDenied, type ServerMessage } from '#helpdesk/errors.ts';
import { RawBody, readArguments, type SiteCall } from '#helpdesk/http/call.ts';
import { errorBody, packMessages } from '#helpdesk/http/envelope.ts';
import { callApiScript, insertWithScripts } from '#helpdesk/server-scripts/run.ts';
import type { FakeSite } from '#helpdesk/site/site.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import { asDict, withoutNulls } from '#helpdesk/store/serialise.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { assignMethods, clientMethods } from './client-methods.ts';
import { logout } from './login.ts';
import { type Answer, oauth } from './oauth.ts';
import { permissionMethods } from './permission-methods.ts';
import { shareMethods } from './share-methods.ts';
import { helpdeskMethods, siteMethods } from './site-methods.ts';
import { ticketMethods } from './ticket-methods.ts';

const guest: SiteCaller = { user: 'Guest', session: undefined, staleSession: false };

/** Answers one request under /api/. `onUser` hears whom it was judged as. */
export async function handleApi(
  site: FakeSite,
  request: ApiRequest,
  onUser: (user: string) => void,
): Promise<ApiAnswer> {
  const messages: ServerMessage[] = [];
  let caller = guest;
  try {
    const read = await readArguments(request);
    caller = identify(site, request, read.args.csrf_token);
    onUser(caller.user);
    const call: SiteCall = { site, caller, user: caller.user, messages, method: request.method, request, ...read };
    const answer = await dispatch(call);
    return respond(site, call.caller, answer, messages);
  } catch (error) {
    if (!(error instanceof FrappeError)) throw error;
    const expired = caller.staleSession && error.status === 403 ? { session_expired: 1 } : {};
    const body = { ...errorBody(error, messages, site.settings.allowErrorTraceback), ...expired };
    return respond(site, caller, { status: error.status, body }, []);
  }
}

async function dispatch(call: SiteCall): Promise<Answer> {
  const [, , kind = '', ...rest] = call.request.url.pathname.replace('/api/v1/', '/api/').split('/');
  const [head = '', ...tail] = rest.map((part) => decodeURIComponent(part));
  if (kind === 'resource' && head !== '') {
    return resource(call, head, tail.length === 0 ? undefined : tail.join('/'));
  }
  if (kind !== 'method') throw methodMissing(kind);
  if (head === 'logout') return { status: 200, body: logout(call) };
  return oauth(call, head) ?? { status: 200, body: await callMethod(call, head) };
}

function respond(site: FakeSite, caller: SiteCaller, answer: Answer, messages: ServerMessage[]): ApiAnswer {
  const { status, location } = answer;
  const headers = sessionCookies(site, caller).map((cookie): [string, string] => ['set-cookie', cookie]);
  if (location !== undefined) headers.push(['location', location]);
  if (typeof answer.body === 'string') {
    return { status, headers: [...headers, ['content-type', 'text/html; charset=utf-8']], body: answer.body };
  }
  const said = messages.length > 0 ? { _server_messages: packMessages(messages) } : {};
  const body = JSON.stringify({ ...answer.body, ...said });
  return { status, headers: [...headers, ['content-type', 'application/json']], body };
}

/** `/api/resource/<DocType>[/<name>]` with GET, POST, PUT and DELETE. Throws FrappeErrors. */
async function resource(call: SiteCall, doctypeName: string, name: string | undefined): Promise<Answer> {
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
function answer(call: SiteCall, doctype: DocType, document: StoredDocument, mode: 'read' | 'written'): Answer {
  const levels = mode === 'read' ? fieldLevels(call.site, call.user, doctype, 'read') : allLevels(doctype);
  const data = withoutNulls(asDict(call.site.metadata, doctype, document, levels));
  // A Single is kept as texts; only its `idx` shows that when it is read.
  const idx = mode === 'read' && doctype.issingle ? { idx: String(document.idx) } : {};
  return { status: 200, body: { data: { ...data, ...idx } } };
}

const tables = [
  siteMethods,
  clientMethods,
  assignMethods,
  permissionMethods,
  shareMethods,
  ticketMethods,
  helpdeskMethods,
];
const methods = new Map(tables.flatMap((table) => Object.entries(table)));

/** Runs a method by its dotted name, a script's before one of the code, and gives the answer's body. Throws FrappeErrors. */
async function callMethod(call: SiteCall, name: string): Promise<Record<string, unknown>> {
  const script = callApiScript(call.site, name);
  const method = script ?? methods.get(name);
  if (call.user === 'Guest' && method?.guest !== true) throw notWhitelisted(name);
  if (method === undefined) throw methodMissing(name);
  if ('writes' in method && call.method === 'GET') throw permissionDenied('Not permitted');
  const result = await method.run(call);
  if (result instanceof RawBody) return result.body;
  return result === undefined || result === null ? {} : { message: result };
}
