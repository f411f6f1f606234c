import { scriptName, scriptText, wantedScript } from '../before-insert-script.ts';
import type { AdminDoctype, AdminDocument } from '../helpdesk-admin.ts';
import { customerData, customerDataKey, wantedWebhook, webhookName } from '../wanted.ts';
import type { PlanItem } from './plan.ts';
import type { SiteState } from './read-site.ts';
import type { Wishes } from './wishes.ts';

/** The DocType of snapshots. One that the site has already is its own business, as long as snapshots can be told apart. */
export function planSnapshots(found: AdminDoctype | null): PlanItem {
  const what = `DocType ${customerData.name}`;
  if (found === null) {
    const step = { kind: 'create', doctype: 'DocType', document: customerData } as const;
    return { what, state: 'create', detail: `${customerData.fields.length} fields`, step };
  }
  const missing = customerDataKey.filter((field) => !found.fields.has(field));
  if (missing.length === 0) return { what, state: 'exists', detail: '', step: null };
  const detail = `has no ${missing.join(', ')}: kept; no snapshots are saved until these fields are added to it`;
  return { what, state: 'conflict', detail, step: null };
}

/** The after-insert webhook; its secret is compared, changed where it differs, and never shown. */
export function planWebhook(found: SiteState['webhook'], { publicUrl, webhookSecret }: Wishes): PlanItem {
  const what = `Webhook "${webhookName}"`;
  const wanted = wantedWebhook(publicUrl);
  if (found === null) {
    const document = { name: webhookName, __newname: webhookName, ...wanted, webhook_secret: webhookSecret };
    return {
      what,
      state: 'create',
      detail: wanted.request_url,
      step: { kind: 'create', doctype: 'Webhook', document },
    };
  }
  const differing = differences(found.document, wanted);
  const rotated = found.secret !== webhookSecret;
  if (Object.keys(differing).length === 0 && !rotated) {
    return { what, state: 'exists', detail: wanted.request_url, step: null };
  }
  const changes = { ...differing, ...(rotated && { webhook_secret: webhookSecret }) };
  const step = { kind: 'update', doctype: 'Webhook', name: webhookName, changes } as const;
  return { what, state: 'change', detail: Object.keys(changes).join(', '), step };
}

/** The Before Insert script: right only if it says the same word for word and is switched on. */
export function planScript(found: AdminDocument | null, publicUrl: string, secret: string): PlanItem {
  const what = `Server Script "${scriptName}"`;
  const document = { ...wantedScript, script: scriptText(publicUrl, secret) };
  if (found === null) {
    const detail = 'tried with a harmless script before it is switched on';
    return { what, state: 'create', detail, step: { kind: 'script', exists: false, document } };
  }
  const changed = Object.keys(differences(found, { ...document, disabled: 0 }));
  if (changed.length === 0) return { what, state: 'exists', detail: 'switched on', step: null };
  return { what, state: 'change', detail: changed.join(', '), step: { kind: 'script', exists: true, document } };
}

/** The wanted values that a document does not have. An unset field counts as empty or 0, and blanks around do not count. */
export function differences(found: Record<string, unknown>, wanted: Record<string, string | number>) {
  const plain = (value: unknown) => String(value ?? '').trim();
  const same = (value: unknown, other: string | number) =>
    typeof other === 'number' ? Number(value ?? 0) === other : plain(value) === plain(other);
  return Object.fromEntries(Object.entries(wanted).filter(([field, value]) => !same(found[field], value)));
}
