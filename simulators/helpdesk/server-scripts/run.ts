import { fieldLevels } from '#helpdesk/access/permissions.ts';
import { type Draft, draftDocument, finishInsert } from '#helpdesk/documents/documents.ts';
import { FrappeError, validationError } from '#helpdesk/errors.ts';
import { type ReadScript, readScript } from '#helpdesk/hooks/read-script.ts';
import { sendAsPython } from '#helpdesk/http/call.ts';
import type { Actor } from '#helpdesk/site/site.ts';
import { documentsOf, type FakeSite, newColumns } from '#helpdesk/site/site.ts';
import type { DocType } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { castValue } from '#helpdesk/store/values.ts';
import { pythonJson } from '#helpdesk/webhooks/render.ts';

/**
 * Creates a document the way the API does: Before Insert scripts see it when it has its key and nothing else of its own
 * (docs/helpdesk.md#inserting-a-ticket), and may set fields. They have no time-out: a receiver that hangs holds the
 * insert.
 */
export async function insertWithScripts(
  site: FakeSite,
  actor: Actor,
  doctype: DocType,
  values: Record<string, unknown>,
): Promise<StoredDocument> {
  const draft = draftDocument(site, actor, doctype, values);
  for (const script of enabledScripts(site, 'DocType Event')) {
    if (script.reference_doctype !== doctype.name) continue;
    checkEnabled(site);
    const read = readScript(String(script.script));
    if (read !== null) await runScript(site, draft, read);
  }
  return finishInsert(site, draft);
}

/**
 * What an API script of this method name answers; undefined where there is none. One that asks an address answers what failed,
 * or else the team. Throws 403 while scripts are off.
 */
export function callApiScript(
  site: FakeSite,
  method: string,
): { guest: boolean; run: () => Promise<unknown> } | undefined {
  const script = enabledScripts(site, 'API').find((candidate) => candidate.api_method === method);
  if (script === undefined) return undefined;
  const run = async () => {
    checkEnabled(site);
    const text = String(script.script);
    const read = readScript(text);
    if (read === null) throw new Error('an API script that asks nobody is not understood');
    const document = {
      subject: /"subject", "([^"]*)"/.exec(text)?.[1],
      key: 'of-no-ticket',
    } as unknown as StoredDocument;
    try {
      return { failure: null, group: (await ask(site, document, read)).agent_group ?? null };
    } catch (error) {
      if (!(error instanceof PythonError)) throw error;
      return { failure: error.reason, group: null };
    }
  };
  return { guest: script.allow_guest === 1, run };
}

function enabledScripts(site: FakeSite, type: string): StoredDocument[] {
  return documentsOf(site, 'Server Script').filter((script) => script.script_type === type && script.disabled !== 1);
}

/** While the site does not allow scripts, an enabled one blocks what it hangs on (docs/helpdesk.md#inserting-a-ticket). */
function checkEnabled(site: FakeSite): void {
  if (site.settings.serverScriptEnabled) return;
  const message = 'Server Scripts are disabled. Please enable server scripts from bench configuration.';
  throw new FrappeError({ status: 403, excType: 'ServerScriptNotEnabled', message, title: 'Message' });
}

async function runScript(site: FakeSite, { actor, doctype, document }: Draft, script: ReadScript): Promise<void> {
  const { skipsWhenSet } = script;
  if (skipsWhenSet !== null && document[skipsWhenSet]) return;
  try {
    setFields(site, { actor, doctype, document }, script, await ask(site, document, script));
  } catch (error) {
    site.closing.throwIfAborted();
    if (!(error instanceof PythonError)) throw error;
    if (!script.catches) throw validationError(error.message);
    if (script.logsAs !== null) logError(site, script.logsAs, `Not used (${error.reason}).`);
  }
}

/** What the creator may not write is taken back when the document is saved (docs/helpdesk.md#permission-levels). */
function setFields(
  site: FakeSite,
  { actor, doctype, document }: Omit<Draft, 'values'>,
  { literals, checksTeam }: ReadScript,
  fields: Record<string, unknown>,
): void {
  const team = fields.agent_group;
  if (checksTeam && team && !documentsOf(site, 'HD Team').some(({ name }) => name === team)) return;
  const levels = fieldLevels(site, actor.user, doctype, 'write');
  for (const field of doctype.fields) {
    const value = fields[field.fieldname];
    if (!value || !literals.has(field.fieldname) || !levels.has(field.permlevel ?? 0)) continue;
    document[field.fieldname] = castValue(doctype, field, value);
  }
}

/** `frappe.make_post_request`: gives the fields to set, throws for every answer that the script cannot read. */
async function ask(site: FakeSite, document: StoredDocument, script: ReadScript): Promise<Record<string, unknown>> {
  const orgId = String(document.custom_orgid ?? '').trim();
  const withOrgId = documentsOf(site, 'HD Customer').filter(({ custom_platform_orgid: own }) => orgId && own === orgId);
  const customer = withOrgId.length === 1 ? withOrgId[0] : undefined;
  const payload = Object.fromEntries([
    ...script.sends.map(([key, field]) => {
      const value = document[field] === '' ? null : (document[field] ?? null);
      return [key, script.texts.has(key) ? (value === null ? 'None' : String(value)) : value];
    }),
    ...script.sendsOfCustomer.map(([key, field]) => [key, customer?.[field] ?? null]),
  ]);
  const text = await post(site, script, payload).catch((error: unknown) => {
    site.closing.throwIfAborted();
    // The framework logs the failed call with all its variables, and nothing takes an Error Log back.
    const variables = { url: script.url, headers: headersOf(script), json: payload };
    logError(site, 'Error', `Traceback with variables (most recent call last):\n${JSON.stringify(variables)}`);
    throw error;
  });
  let answer: { data?: { fields?: unknown } } | null;
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    throw new PythonError('TypeError', 'string indices must be integers');
  }
  const fields = script.readsEnvelope ? answer?.data?.fields : answer;
  if (typeof fields !== 'object' || fields === null) throw new PythonError('KeyError', "'fields'");
  return fields as Record<string, unknown>;
}

async function post(site: FakeSite, script: ReadScript, payload: Record<string, unknown>): Promise<string> {
  // What Helpdesk puts there is an object of Python, unlike the text that it is stored as.
  if (script.sends.some(([key, field]) => field === 'key' && !script.texts.has(key))) {
    throw new PythonError('TypeError', 'Object of type UUID is not JSON serializable');
  }
  const { status, text } = await sendAsPython({
    method: 'POST',
    url: script.url,
    headers: { ...headersOf(script), 'Content-Type': 'application/json' },
    body: pythonJson(JSON.stringify(payload)),
    signal: site.closing,
  }).catch((error: unknown) => {
    throw new PythonError('ConnectionError', error instanceof Error ? error.message : String(error));
  });
  if (status >= 400) throw new PythonError('HTTPError', `${status} Server Error for url: ${script.url}`, status);
  return text;
}

const headersOf = ({ secret }: ReadScript): Record<string, string> =>
  secret === null ? {} : { 'X-Deskside-Secret': secret };

/** An exception of the script's; `reason` is what ours says of one. */
class PythonError extends Error {
  readonly reason: string;
  constructor(type: string, message: string, status?: number) {
    super(`${type}: ${message}`);
    this.reason = status === undefined ? type : `${type}, HTTP ${status}`;
  }
}

/** Stays although the request that it was made in comes to nothing: its table knows no transactions. */
function logError(site: FakeSite, method: string, error: string): void {
  const columns = newColumns(site, 'Administrator');
  site.store.put(site.metadata.get('Error Log'), { ...columns, method, error, seen: 0 });
}
