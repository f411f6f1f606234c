import type { Clock } from '../../ports/clock.ts';
import type { Secret } from '../../secret.ts';
import type { Browser } from '../wanted.ts';
import { finding, type Report, reportOf, type Verdict } from './finding.ts';
import { type AskCrm, gatherCrm, gatherHook } from './gather-crm.ts';
import { gatherDisk } from './gather-disk.ts';
import { gatherFields, type ReadLengths } from './gather-fields.ts';
import { gatherHelpdesk, type HelpdeskFacts } from './gather-helpdesk.ts';
import { gatherOAuth } from './gather-oauth.ts';
import { gatherScripts } from './gather-scripts.ts';
import { gatherTeams } from './gather-teams.ts';
import { gatherWebhook } from './gather-webhook.ts';
import type { Deadline, HelpdeskReader, ZoneOf } from './helpdesk-reader.ts';
import { judgeClocks } from './judge-clocks.ts';
import { type CrmSettings, type CrmWorld, judgeCrm } from './judge-crm.ts';
import { judgeDisk } from './judge-disk.ts';
import { judgeFields } from './judge-fields.ts';
import { judgeHelpdesk, judgeService, whyUnreadable } from './judge-helpdesk.ts';
import { judgeOAuth } from './judge-oauth.ts';
import { judgeScripts } from './judge-scripts.ts';
import { judgeSettings } from './judge-settings.ts';
import { judgeTeams } from './judge-teams.ts';
import { judgeWebhook } from './judge-webhook.ts';
import { attempt, type Outcome } from './outcome.ts';

/** The proxy's settings, as far as they are looked at. */
export interface DoctorSettings {
  publicUrl: string | null;
  databaseUrl: string;
  /** The current secret, then perhaps the previous one; empty where none is set. */
  webhookSecrets: readonly Secret[];
  scriptSecrets: readonly Secret[];
  oauthClientIds: Partial<Record<Browser, string>>;
  /** Teams that tickets are routed to. */
  teams: readonly string[];
  crm: CrmSettings;
}

/** What `doctor` looks through; everything in it only reads. */
export interface Patient {
  settings: DoctorSettings;
  /** The helpdesk as the service account, and as an administrator where a key was given. */
  service: HelpdeskReader;
  lengths: ReadLengths;
  admin: HelpdeskReader | null;
  /** How far the helpdesk's clock is ahead of ours, in milliseconds, once it has answered. */
  helpdeskAhead(): number | null;
  /** Null where no webhook is set; `same` where one serves both purposes. */
  crm: { lookup: AskCrm | null; responsible: AskCrm | 'same' | null; onePortal: boolean };
  deadline: Deadline;
  zoneOf: ZoneOf;
  clock: Clock;
}

/** Looks at everything at once. A part that cannot be read is reported as such and keeps no other from being looked at. */
export async function diagnose(patient: Patient): Promise<Report> {
  const { settings, clock } = patient;
  const [disk, helpdesk, [crmVerdict, crmAhead]] = await Promise.all([
    gatherDisk(settings.databaseUrl),
    diagnoseHelpdesk(patient),
    diagnoseCrm(patient.crm, settings.crm, clock),
  ]);
  const own = judgeSettings({
    publicUrl: settings.publicUrl,
    webhookSecretSet: settings.webhookSecrets.length > 0,
    browsers: Object.keys(settings.oauthClientIds),
  });
  const clocks = judgeClocks({ helpdesk: patient.helpdeskAhead(), crm: crmAhead });
  return reportOf([own, judgeDisk(disk), ...helpdesk, crmVerdict, clocks]);
}

async function diagnoseHelpdesk(patient: Patient): Promise<Verdict[]> {
  const facts = await gatherHelpdesk(patient.service, patient.zoneOf, patient.deadline);
  const verdicts = [judgeHelpdesk(facts), judgeService(facts)];
  if (!facts.whoami.ok && facts.whoami.kind !== 'unauthenticated' && facts.whoami.kind !== 'forbidden') {
    return verdicts.slice(0, 1);
  }
  const parts = await Promise.all([asService(patient, facts), asAdministrator(patient, facts)]);
  return [...verdicts, ...parts.flat()];
}

async function asService(patient: Patient, facts: HelpdeskFacts): Promise<Verdict[]> {
  const { service, settings, deadline } = patient;
  const me = facts.whoami.ok ? facts.whoami.value : null;
  const why = whyUnreadable(facts);
  if (me === null || why !== null) return [unread('Fields and teams', why ?? '')];
  return Promise.all([
    part('Fields', gatherFields(['HD Ticket', 'HD Customer'], patient, me, deadline), judgeFields),
    part('Teams', gatherTeams(service, settings.teams, deadline), judgeTeams),
  ]);
}

async function asAdministrator(
  { admin, settings, zoneOf, clock, deadline }: Patient,
  facts: HelpdeskFacts,
): Promise<Verdict[]> {
  const area = 'Webhook, script, sign-in';
  if (admin === null)
    return [unread(area, "they need a System Manager's key (--admin-key-file or DESKSIDE_ADMIN_KEY).")];
  const caller = await attempt(admin.caller(deadline()));
  if (!caller.ok && caller.kind !== 'unauthenticated') return [unread(area, caller.message)];
  if (!caller.ok || !caller.value.hasRole('System Manager')) {
    const fault = caller.ok
      ? finding('admin_key_lacks_role', `${caller.value.user} is no System Manager.`, 'Use the key of one.')
      : finding(
          'admin_key_refused',
          "The helpdesk refuses the administrator's key.",
          'Make a new key in the helpdesk.',
        );
    return [{ area, findings: [fault], passed: [], unchecked: ['All of them.'] }];
  }
  const { publicUrl, webhookSecrets: ours, scriptSecrets: secrets } = settings;
  const dayAgo = siteTime(clock() - dayMs, facts.zone.ok ? zoneOf(facts.zone.value.name) : null);
  return Promise.all([
    part('Webhook', gatherWebhook(admin, { ours, dayAgo }, deadline), (webhook) =>
      judgeWebhook(webhook, publicUrl, ours.length > 0),
    ),
    part('Before Insert script', gatherScripts(admin, { publicUrl, secrets }, deadline), judgeScripts),
    part('Sign-in', gatherOAuth(admin, settings.oauthClientIds, deadline), judgeOAuth),
  ]);
}

async function diagnoseCrm(
  { lookup, responsible, onePortal }: Patient['crm'],
  settings: CrmSettings,
  clock: Clock,
): Promise<[Verdict, number | null]> {
  const wanted = settings.enabled;
  const [looked, owners] = await Promise.all([
    wanted && lookup ? gatherCrm(lookup, clock) : null,
    wanted && typeof responsible === 'function' ? gatherHook(responsible) : null,
  ]);
  const world: CrmWorld = { lookup: looked, responsible: responsible === 'same' ? 'same' : owners, onePortal };
  const verdict = judgeCrm(world, settings);
  return [verdict, looked?.clockAhead ?? null];
}

const dayMs = 86_400_000;

/** An instant as the site writes it; where its zone is not known in UTC, which is at most half a day off. */
function siteTime(epochMs: number, zone: ReturnType<ZoneOf>): string {
  return zone?.fromInstant(epochMs) ?? new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Judges what could be read; what could not is said, with the reason. */
async function part<T>(area: string, gathering: Promise<T>, judge: (facts: T) => Verdict): Promise<Verdict> {
  const facts: Outcome<T> = await attempt(gathering);
  if (facts.ok) return judge(facts.value);
  return unread(area, facts.kind === 'forbidden' ? `the key may not read it. ${facts.message}` : facts.message);
}

function unread(area: string, why: string): Verdict {
  return { area, findings: [], passed: [], unchecked: [why] };
}
