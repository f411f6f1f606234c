import type { Clock } from '#runtime/clock.ts';
import type { Deadline, HelpdeskReader, ZoneOf } from '#setup/helpdesk-reader.ts';
import { attempt, type ReadResult } from '#setup/read-result.ts';
import { gatherBackup, judgeBackup } from './backup.ts';
import { gatherSignUp, judgeClaims } from './claims.ts';
import { judgeClocks } from './clocks.ts';
import { gatherDisk, judgeDisk } from './disk.ts';
import { gatherFields, judgeFields } from './fields.ts';
import { type AreaReport, areaReport, finding, type Report, reportOf } from './finding.ts';
import {
  gatherHelpdesk,
  type HelpdeskFacts,
  isRefusal,
  judgeHelpdesk,
  judgeService,
  whyUnreadable,
} from './helpdesk.ts';
import { gatherOAuth, judgeOAuth } from './oauth.ts';
import { judgePublicUrl, type MetAtPublicUrl } from './public-url.ts';
import type { ReadRecords } from './records.ts';
import { gatherScripts, judgeScripts } from './scripts.ts';
import { type DoctorSettings, judgeSettings } from './settings.ts';
import { gatherTeams, judgeTeams } from './teams.ts';
import { gatherTicketPage, judgeTicketPage } from './ticket-page.ts';
import { gatherWebhook, judgeWebhook } from './webhook.ts';
import { gatherWebsiteRights, judgeWebsiteRights } from './website-rights.ts';

/** What `doctor` examines; everything in it is read-only. */
export interface Examined {
  settings: DoctorSettings;
  /** The helpdesk as the service account, and as an administrator if a key was given. */
  service: HelpdeskReader;
  /** Our own records. */
  records: ReadRecords;
  admin: HelpdeskReader | null;
  /** How far the helpdesk's clock is ahead of ours, in milliseconds, once it has responded. */
  helpdeskAhead(): number | null;
  /** What answers at PUBLIC_URL; null if that is not set. */
  publicUrl: () => Promise<MetAtPublicUrl> | null;
  /** Examines the CRM; how is up to its adapter. */
  crm: () => Promise<{ report: AreaReport; clockAhead: number | null }>;
  deadline: Deadline;
  zoneOf: ZoneOf;
  clock: Clock;
}

/**
 * Runs all checks at once. A part that cannot be read is reported as such and does not keep the others from being
 * checked.
 */
export async function diagnose(examined: Examined): Promise<Report> {
  const { settings } = examined;
  const { databaseUrl } = settings;
  const [met, disk, backup, claims, helpdesk, crm] = await Promise.all([
    examined.publicUrl(),
    gatherDisk(databaseUrl),
    part('Backup', gatherBackup(examined.records, { databaseUrl, now: examined.clock() }), judgeBackup),
    part('Claims', gatherSignUp(examined), (signUp) => judgeClaims(settings.claims, signUp)),
    diagnoseHelpdesk(examined),
    settings.crmEnabled ? examined.crm() : { report: crmDisabled(), clockAhead: null },
  ]);
  const clocks = judgeClocks({ helpdesk: examined.helpdeskAhead(), crm: crm.clockAhead });
  const address = judgePublicUrl(settings.publicUrl ?? '', met, examined.clock());
  return reportOf([judgeSettings(settings), address, judgeDisk(disk), backup, claims, ...helpdesk, crm.report, clocks]);
}

async function diagnoseHelpdesk(examined: Examined): Promise<AreaReport[]> {
  const facts = await gatherHelpdesk(examined.service, examined.zoneOf, examined.deadline);
  const verdicts = [judgeHelpdesk(facts), judgeService(facts)];
  if (!facts.whoami.ok && !isRefusal(facts.whoami)) return verdicts.slice(0, 1);
  const parts = await Promise.all([asService(examined, facts), asAdministrator(examined, facts)]);
  return [...verdicts, ...parts.flat()];
}

async function asService(examined: Examined, facts: HelpdeskFacts): Promise<AreaReport[]> {
  const { service, settings, records, deadline } = examined;
  const me = facts.whoami.ok ? facts.whoami.value : null;
  const why = whyUnreadable(facts);
  if (me === null || why !== null) return [unread('Fields and teams', why ?? '')];
  return Promise.all([
    part('Fields', gatherFields(examined, me, deadline), judgeFields),
    part('Evidence', gatherWebsiteRights(service, settings.accountLinkDoctype, deadline), judgeWebsiteRights),
    part('Teams', gatherTeams(service, settings.teams, deadline), judgeTeams),
    part('Ticket page', gatherTicketPage(records, examined.clock() - weekMs), judgeTicketPage),
  ]);
}

async function asAdministrator(
  { admin, settings, zoneOf, clock, deadline }: Examined,
  facts: HelpdeskFacts,
): Promise<AreaReport[]> {
  const area = 'Webhook, script, sign-in';
  if (admin === null)
    return [unread(area, "they need a System Manager's key (--admin-key-file or DESKSIDE_ADMIN_KEY).")];
  const caller = await attempt(admin.caller(deadline()));
  if (!caller.ok && caller.kind !== 'unauthenticated') return [unread(area, caller.message)];
  if (!caller.ok || !caller.value.hasRole('System Manager')) {
    const fault = caller.ok
      ? finding('admin_key_lacks_role', `${caller.value.user} is not a System Manager.`, 'Use a System Manager’s key.')
      : finding(
          'admin_key_refused',
          "The helpdesk refuses the administrator's key.",
          'Create a new key in the helpdesk.',
        );
    return [areaReport(area, { findings: [fault], unchecked: ['All of it.'] })];
  }
  const { publicUrl, webhookSecrets: ours, scriptSecrets: secrets } = settings;
  const dayAgo = siteTime(clock() - dayMs, zoneIn({ zoneOf }, facts));
  return Promise.all([
    part('Webhook', gatherWebhook(admin, dayAgo, deadline), (webhook) => judgeWebhook(webhook, publicUrl, ours)),
    part('Before Insert script', gatherScripts(admin, { publicUrl, secrets }, deadline), judgeScripts),
    part('Sign-in', gatherOAuth(admin, settings.oauthClientIds, deadline), judgeOAuth),
  ]);
}

function crmDisabled(): AreaReport {
  const off = finding('crm_disabled', 'CRM_ENABLED is off: no company is looked up.', 'Set CRM_ENABLED=1.');
  return areaReport('CRM', { findings: [off], unchecked: ['The CRM.'] });
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

function zoneIn({ zoneOf }: Pick<Examined, 'zoneOf'>, { zone }: HelpdeskFacts): ReturnType<ZoneOf> {
  return zone.ok ? zoneOf(zone.value.name) : null;
}

/** An instant as the site writes it; in UTC if its zone is unknown, which is at most half a day off. */
function siteTime(epochMs: number, zone: ReturnType<ZoneOf>): string {
  return zone?.fromInstant(epochMs) ?? new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Judges what could be read; what could not is reported with the reason. */
async function part<T>(area: string, gathering: Promise<T>, judge: (facts: T) => AreaReport): Promise<AreaReport> {
  const facts: ReadResult<T> = await attempt(gathering);
  if (facts.ok) return judge(facts.value);
  return unread(area, facts.kind === 'forbidden' ? `the key may not read it. ${facts.message}` : facts.message);
}

function unread(area: string, why: string): AreaReport {
  return areaReport(area, { unchecked: [why] });
}
