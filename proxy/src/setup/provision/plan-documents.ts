import { randomBytes } from 'node:crypto';
import { Secret } from '#runtime/secret.ts';
import { desiredScript, scriptName, scriptText, trialName } from '#setup/before-insert-script.ts';
import { compareWebhook, differences } from '#setup/compare.ts';
import { customerData, customerDataKey, desiredWebhook, webhookName } from '#setup/desired-state.ts';
import type { AdminDoctype } from '#setup/helpdesk-admin.ts';
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
export function planWebhook(found: SiteState['webhook'], publicUrl: string, webhookSecret: Secret): PlanItem {
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

/**
 * The secret that signs the webhook, where we have none yet: that of the webhook which is there, so that another run does not
 * change it, else a new one. The file of settings keeps it.
 */
export function planWebhookSecret(found: SiteState['webhook']): { item: PlanItem; secret: Secret } {
  const theirs = found === 'unseen' ? null : (found?.secret ?? null);
  const isUsable = theirs !== null && theirs.length >= 16 && !theirs.includes(',');
  const secret = new Secret(isUsable ? theirs : randomBytes(24).toString('hex'));
  const detail = isUsable ? 'that of the webhook which is there' : 'new';
  const step = { kind: 'setting', name: 'HELPDESK_WEBHOOK_SECRET', value: secret } as const;
  return { item: { what: 'Setting HELPDESK_WEBHOOK_SECRET', state: 'create', detail, step }, secret };
}

/** Teams that are missing. One needs a member: whoever makes it, until others take their place. */
export function planTeams(
  { user, teamsFound }: Pick<SiteState, 'user' | 'teamsFound'>,
  teams: readonly string[],
): PlanItem[] {
  return teams.map((team): PlanItem => {
    const what = `HD Team "${team}"`;
    if (teamsFound.has(team)) return { what, state: 'exists', detail: '', step: null };
    const document = { team_name: team, users: [{ user }] };
    return { what, state: 'create', detail: `member: ${user}`, step: { kind: 'create', doctype: 'HD Team', document } };
  });
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
