import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CrmFault } from '@deskside/simulators/crm/server';
import { type HelpdeskUserSeed, type Seed, staffEmail } from '@deskside/simulators/seed/index';
import { desiredScript, scriptName, scriptText } from '#setup/before-insert-script.ts';
import { webhookName } from '#setup/desired-state.ts';
import { openStore, type Store } from '#store/database.ts';
import * as notes from '#store/notes.ts';
import { type Clinic, type ClinicOptions, secrets } from './doctor-kit.ts';

type CustomField = Seed['helpdesk']['customFields'][string][number] & { permlevel?: number };

/** Sets a variable of the proxy. */
export function set({ environment }: Clinic, variable: string, value: string): void {
  environment[variable] = value;
}

/** Lets the front answer a method in the helpdesk’s place. */
export function answer({ front }: Clinic, method: string, message: unknown): void {
  const before = front.answer;
  front.answer = (part) => (part.endsWith(method) ? message : before(part));
}

/** Another account as the service account. */
export function serveAs({ environment }: Clinic, { apiKey, apiSecret }: HelpdeskUserSeed): void {
  Object.assign(environment, { HELPDESK_API_KEY: apiKey, HELPDESK_API_SECRET: apiSecret });
}

/** A file where the data folder should be. */
export async function useFileAsFolder(world: Clinic): Promise<void> {
  const file = path.join(world.data, 'a-file');
  await writeFile(file, '');
  set(world, 'DATABASE_URL', `file:${file}`);
}

/** A rules file. */
export async function useRules(world: Clinic, rules: object): Promise<void> {
  const file = path.join(world.data, 'rules.json');
  await writeFile(file, JSON.stringify({ claims: 'hold', ...rules }));
  set(world, 'RULES_FILE', file);
}

/** Both webhooks on another portal. */
export function moveCrm({ environment }: Clinic, portal: string): void {
  environment.CRM_WEBHOOK_URL = `${portal}/rest/57/abcdefghijklmnop/`;
  environment.CRM_RESPONSIBLE_WEBHOOK_URL = `${portal}/rest/57/ponmlkjihgfedcba/`;
}

/** One webhook for both purposes, with a fault. */
export function useOneWebhook({ environment, crm }: Clinic, fault: CrmFault): void {
  Object.assign(environment, { CRM_WEBHOOK_URL: crm.webhookUrl, CRM_RESPONSIBLE_WEBHOOK_URL: crm.webhookUrl });
  crm.fault = fault;
}

/** A seed where one custom field is of another type, or is not there. */
export function customField(
  doctype: string,
  name: string,
  type: string | null,
  more: Partial<CustomField> = {},
): ClinicOptions {
  return {
    seed({ helpdesk }) {
      const fields = (helpdesk.customFields[doctype] ?? []).flatMap((field): CustomField[] => {
        if (field.fieldname !== name) return [field];
        return type === null ? [] : [{ fieldname: name, label: field.label, fieldtype: type, ...more }];
      });
      helpdesk.customFields = { ...helpdesk.customFields, [doctype]: fields };
    },
  };
}

/** A store that was last backed up three days ago. */
export async function neglectBackups({ environment }: Clinic): Promise<void> {
  const store = await openStore(environment.DATABASE_URL ?? '');
  await notes.noteBackup(store.db, Date.now() - 3 * 86_400_000);
  await store.close();
}

/** A store as it should be. */
async function openKept({ environment }: Clinic): Promise<Store> {
  const store = await openStore(environment.DATABASE_URL ?? '');
  await notes.noteBackup(store.db, Date.now());
  return store;
}

/** An extension has told that it does not find its place on the ticket page. */
export async function missAnchor(world: Clinic): Promise<void> {
  const store = await openKept(world);
  await notes.noteMissingAnchor(
    store.db,
    { anchor: 'ticket_header', extension: '0.1.0', helpdesk: null, at: Date.now() },
    0,
  );
  await store.close();
}

/** A seed without a team. */
export function removeTeam({ helpdesk }: Seed, name: string): void {
  helpdesk.documents['HD Team'] = (helpdesk.documents['HD Team'] ?? []).filter((team) => team.name !== name);
}

/** Makes agents inactive. */
export function sendHome(world: Clinic, ids: string[]): void {
  for (const id of ids) world.change('HD Agent', staffEmail(id), { is_active: 0 });
}

/** Changes our webhook. */
export function webhook(world: Clinic, fields: Record<string, unknown>): void {
  world.helpdesk.put('Webhook', { ...world.webhook, ...fields });
}

/** One delivery that did not fail, and then one that did. */
export function failDelivery({ helpdesk, publicUrl }: Clinic): void {
  const log = { webhook: webhookName, reference_document: '1', url: publicUrl };
  helpdesk.put('Webhook Request Log', { name: 'delivered', ...log, error: '' });
  helpdesk.put('Webhook Request Log', { name: 'failed', ...log, error: 'Traceback\nSSLError: no such authority' });
}

/** Our script, changed by `text`, on a site that runs scripts or not. */
export function putScript(world: Clinic, { text = (t: string) => t, runs = true, disabled = 0 } = {}): void {
  const written = text(scriptText(world.publicUrl, secrets.script));
  world.helpdesk.settings.serverScriptEnabled = runs;
  world.helpdesk.put('Server Script', { name: scriptName, ...desiredScript, disabled, script: written });
}

/** Only Chrome’s client, leading elsewhere; for null to the extension, and open to every role. */
export function register({ helpdesk, environment }: Clinic, redirectUri: string | null): void {
  const name = 'deskside-chrome';
  const client = { ...helpdesk.document('OAuth Client', name), name };
  const changed = redirectUri === null ? { allowed_roles: [] } : { redirect_uris: redirectUri };
  helpdesk.put('OAuth Client', { ...client, ...changed });
  environment.OAUTH_CLIENT_IDS = JSON.stringify({ chrome: name });
}
