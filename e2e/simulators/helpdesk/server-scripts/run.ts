import { type Draft, draftDocument, finishInsert } from '../documents.ts';
import { FrappeError, validationError } from '../errors.ts';
import type { Actor } from '../hooks/types.ts';
import type { DocType } from '../metadata.ts';
import { sendAsPython } from '../outgoing.ts';
import { fieldLevels } from '../permissions.ts';
import { documentsOf, type Site } from '../site.ts';
import type { StoredDocument } from '../store.ts';
import { castValue } from '../values.ts';
import { pythonJson } from '../webhooks/render.ts';
import { apiAnswer, type ReadScript, readScript } from './read.ts';

/**
 * Creates a document the way the API does: Before Insert scripts see it when it has its key and nothing else of its own
 * (facts/live.md sections 4 and 7), and may set fields. They have no time-out: a receiver that hangs holds the insert.
 */
export async function insertWithScripts(
  site: Site,
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

/** The body that an API script of this method name answers; undefined where there is none. Throws 403 while scripts are off. */
export function callApiScript(
  site: Site,
  method: string,
): { guest: boolean; message: () => string | null } | undefined {
  const script = enabledScripts(site, 'API').find((candidate) => candidate.api_method === method);
  if (script === undefined) return undefined;
  const message = (): string | null => {
    checkEnabled(site);
    return apiAnswer(String(script.script));
  };
  return { guest: script.allow_guest === 1, message };
}

function enabledScripts(site: Site, type: string): StoredDocument[] {
  return documentsOf(site, 'Server Script').filter((script) => script.script_type === type && script.disabled !== 1);
}

/** While the site does not allow scripts, an enabled one blocks what it hangs on (facts/frappe.md 6.2). */
function checkEnabled(site: Site): void {
  if (site.settings.serverScriptEnabled) return;
  const message = 'Server Scripts are disabled. Please enable server scripts from bench configuration.';
  throw new FrappeError({ status: 403, excType: 'ServerScriptNotEnabled', message, title: 'Message' });
}

async function runScript(site: Site, { actor, doctype, document }: Draft, script: ReadScript): Promise<void> {
  if (script.skipsWhenSet !== null && document[script.skipsWhenSet]) return;
  let fields: Record<string, unknown>;
  try {
    fields = await ask(site, document, script);
  } catch (error) {
    site.closing.throwIfAborted();
    if (script.catches) return;
    throw validationError(error instanceof Error ? error.message : String(error));
  }
  // What the creator may not write is taken back when the document is saved (facts/live.md section 1).
  const levels = fieldLevels(site, actor.user, doctype, 'write');
  for (const field of doctype.fields) {
    const value = fields[field.fieldname];
    if (!value || !script.literals.has(field.fieldname) || !levels.has(field.permlevel ?? 0)) continue;
    document[field.fieldname] = castValue(doctype, field, value);
  }
}

/** `frappe.make_post_request`: gives the fields to set, throws for every answer that the script cannot read. */
async function ask(site: Site, document: StoredDocument, script: ReadScript): Promise<Record<string, unknown>> {
  const payload = script.sends.map(([key, field]) => [key, document[field] === '' ? null : (document[field] ?? null)]);
  const { status, text } = await sendAsPython({
    method: 'POST',
    url: script.url,
    headers: {
      ...(script.secret === null ? {} : { 'X-Deskside-Secret': script.secret }),
      'Content-Type': 'application/json',
    },
    body: pythonJson(JSON.stringify(Object.fromEntries(payload))),
    signal: site.closing,
  });
  if (status >= 400) throw new Error(`${status} Server Error for url: ${script.url}`);
  const answer = JSON.parse(text) as { data?: { fields?: unknown } } | null;
  const fields = script.readsEnvelope ? answer?.data?.fields : answer;
  if (typeof fields !== 'object' || fields === null) throw new Error("KeyError: 'fields'");
  return fields as Record<string, unknown>;
}
