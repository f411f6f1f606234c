import { desiredScript, scriptName, scriptText, trialName } from '#setup/before-insert-script.ts';
import { compareWebhook } from '#setup/compare-webhook.ts';
import { customerData, customerDataKey, desiredWebhook, webhookName } from '#setup/desired-state.ts';
import { differences } from '#setup/differences.ts';
import type { AdminDoctype } from '#setup/helpdesk-admin.ts';
import type { ProvisionOptions } from './options.ts';
import { type PlanItem, unseenItem } from './plan-item.ts';
import type { SiteState } from './read-site.ts';

/** The DocType of snapshots. An existing one is left alone, as long as snapshots can be told apart. */
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

/** The after-insert webhook; its secret is compared, updated if different, and never shown. */
export function planWebhook(found: SiteState['webhook'], { publicUrl, webhookSecret }: ProvisionOptions): PlanItem {
  const what = `Webhook "${webhookName}"`;
  if (found === 'unseen') return unseenItem(what);
  const desired = desiredWebhook(publicUrl);
  if (found === null) {
    const document = { name: webhookName, __newname: webhookName, ...desired, webhook_secret: webhookSecret.reveal() };
    return {
      what,
      state: 'create',
      detail: desired.request_url,
      step: { kind: 'create', doctype: 'Webhook', document },
    };
  }
  const { differing, secret } = compareWebhook(found, publicUrl, [webhookSecret]);
  const changes = { ...differing, ...(secret !== 'current' && { webhook_secret: webhookSecret.reveal() }) };
  if (Object.keys(changes).length === 0) return { what, state: 'exists', detail: desired.request_url, step: null };
  const step = { kind: 'update', doctype: 'Webhook', name: webhookName, changes } as const;
  return { what, state: 'change', detail: Object.keys(changes).join(', '), step };
}

/** The Before Insert script: right only if its text is identical and it is switched on. */
export function planScript(found: SiteState['script'], publicUrl: string, secret: string): PlanItem {
  const what = `Server Script "${scriptName}"`;
  if (found === 'unseen') return unseenItem(what);
  const step = { kind: 'script', exists: found !== null, publicUrl, secret } as const;
  const trial = 'tried on a ticket that is not stored before it is enabled';
  if (found === null) return { what, state: 'create', detail: trial, step };
  const desired = { ...desiredScript, script: scriptText(publicUrl, secret), disabled: 0 };
  const changed = Object.keys(differences(found, desired));
  if (changed.length === 0) return { what, state: 'exists', detail: 'switched on', step: null };
  return { what, state: 'change', detail: `${changed.join(', ')}; ${trial}`, step };
}

/** Leftovers of a run that was interrupted during a trial. */
export function planClearing(): PlanItem {
  const what = `Server Script "${trialName}"`;
  return { what, state: 'delete', detail: 'left over from an interrupted run', step: { kind: 'clear_trials' } };
}
