import { jsonOf } from '@deskside/shared/json';
import { Command } from 'commander';
import * as z from 'zod';
import { openAlerts } from '#app/alerts/alert-desk.ts';
import { reachPublicUrl } from '#checks/public-url.ts';
import { loadConfig } from '#cli/load-config.ts';
import { withStore } from '#cli/own-store.ts';
import { crmAdapter } from '#config/crm-adapter.ts';
import type { Config } from '#config/environment.ts';
import { alertCauses } from '#domain/alerts/alert-causes.ts';
import { type Egress, withEgress } from '#net/egress.ts';
import { version } from '#version.ts';

/** Longest wait for one response. */
const withinMs = 5_000;

/** `deskside status`: how it stands, on one screen. Changes nothing. */
export function statusCommand(): Command {
  return new Command('status')
    .description('Show how Deskside stands, on one screen; "deskside doctor" looks closer')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExits with 0 if the service is ready, otherwise with 1.')
    .action(async ({ json }: { json?: boolean }) => {
      const status = await readStatus(await loadConfig());
      console.log(json ? JSON.stringify(status, null, 2) : printStatus(status, Date.now()));
      process.exitCode = status.service.ready ? 0 : 1;
    });
}

type Status = Awaited<ReturnType<typeof readStatus>>;

/** Times as ISO instants, null for never or unknown. */
async function readStatus(config: Config) {
  const webhook = config.CRM_ENABLED ? config.CRM_WEBHOOK_URL?.[0] : undefined;
  const portal = webhook && new URL(webhook.reveal()).origin;
  return withStore(config.DATABASE_URL.reveal(), async (store) => {
    const [service, startedAt, backup, backlog, [last], left, alerts] = await Promise.all([
      withEgress(config, (egress) => readService(config, egress)),
      store.upkeep.lastStart(),
      store.upkeep.lastBackup(),
      store.pipelineWatch.backlog(Date.now()),
      store.pipelineWatch.decided({ beforeId: null, limit: 1 }),
      portal ? store.requestBudget(crmAdapter.limits[config.CRM_PLAN]).left(portal) : null,
      openAlerts(store.leases),
    ]);
    const { due, waiting } = backlog;
    return {
      version,
      service: { ...service, started_at: isoOf(startedAt) },
      claims: config.rules.claims,
      helpdesk: config.HELPDESK_URL,
      // Requests that its budget takes at once, by lane.
      crm: portal && left ? { portal, left } : null,
      inbox: { due: due.tickets, due_since: isoOf(due.since), waiting_for_agent: waiting.tickets },
      last_ticket: last
        ? { ticket: last.ticket, team: last.team, at: new Date(last.at).toISOString(), found_by: last.foundBy }
        : null,
      last_backup: isoOf(backup),
      alerts: alerts.map(({ cause, kind }) => ({ alert: cause, kind })),
    };
  });
}

/** What the service says of itself where everybody asks it. */
async function readService(config: Config, egress: Egress) {
  const address = config.PUBLIC_URL ?? null;
  const { service, problems } = await reachPublicUrl(config, egress, withinMs);
  if (service === null) return { address, ready: false, problems };
  const signal = AbortSignal.timeout(withinMs);
  const answer = await service.request({ method: 'GET', path: '/readyz', signal }).catch(() => null);
  if (answer?.status === 200) return { address, ready: true, problems };
  const told = Told.safeParse(jsonOf(answer?.text ?? ''));
  return { address, ready: false, problems: [...problems, told.data?.message ?? 'It is not ready.'] };
}

const Told = z.object({ message: z.string() });

const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** The screen for people. */
function printStatus(status: Status, now: number): string {
  const { service, crm, inbox, last_ticket: last, last_backup: backup, alerts } = status;
  const lanes = Object.entries(crm?.left ?? {}).map(([lane, left]) => `${lane} ${Math.floor(left)}`);
  const waiting = inbox.waiting_for_agent > 0 ? `, ${inbox.waiting_for_agent} wait for an agent` : '';
  const rows = [
    ['Version', status.version],
    ['Service', `${service.ready ? 'ready' : 'NOT READY'} at ${service.address ?? 'no address'}`],
    ...service.problems.map((problem) => ['', problem]),
    ['Started', ago(service.started_at, now)],
    ['Claims', status.claims ?? 'not chosen: claims link nothing'],
    ['Helpdesk', status.helpdesk],
    ['CRM', crm ? `${crm.portal}; left of its budget: ${lanes.join(', ')}` : 'none'],
    ['Inbox', `${inbox.due} due${inbox.due_since ? ` (first ${ago(inbox.due_since, now)})` : ''}${waiting}`],
    ['Last ticket', last ? `${last.ticket} to ${last.team ?? 'nobody'}, ${ago(last.at, now)}` : 'none yet'],
    ['Last backup', ago(backup, now)],
    ...(alerts.length === 0 ? [['Open alerts', 'none']] : []),
    ...alerts.map(({ alert, kind }, index) => [
      index === 0 ? 'Open alerts' : '',
      `${alert}${kind === null ? '' : ` (${kind})`}: ${alertCauses[alert].says} ${alertCauses[alert].todo}`,
    ]),
  ];
  return rows.map(([name, value]) => `${(name ?? '').padEnd(12)} ${value}`).join('\n');
}

function ago(at: string | null, now: number): string {
  if (at === null) return 'never';
  const minutes = Math.max(0, Math.round((now - Date.parse(at)) / 60_000));
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1_440)} days ago`;
}
