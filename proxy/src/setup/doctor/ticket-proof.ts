import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '#config.ts';
import { HelpdeskAdmin, textOf } from '#helpdesk/admin.ts';
import { serviceKeyOf, withServiceKeys } from '#helpdesk/credentials.ts';
import { HelpdeskError, helpdeskProblem } from '#helpdesk/errors.ts';
import { type Egress, withEgress } from '#net/egress.ts';
import type { Secret } from '#runtime/secret.ts';
import { errorIn, webhookName } from '#setup/needs/webhook.ts';
import { openStore } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import * as tickets from '#store/tickets.ts';
import { meetDeskside } from './meet-deskside.ts';

/** What came of a ticket that was made to see whether tickets come through. */
interface TicketProof {
  /** Null if none could be made. */
  ticket: string | null;
  /** From the insert on; null for what did not come. */
  seconds: { webhook: number | null; decision: number | null; profile: number | null };
  team: string | null;
  agent: string | null;
  /** Whether it is gone again. */
  deleted: boolean;
  /** What kept it from coming through, as sentences; empty if all is well. */
  problems: string[];
}

/** Longest wait for one response. */
const answerWithinMs = 30_000;
/** The sweep looks every 30 s: a ticket that has not come by then does not come. */
const decidedWithinMs = 75_000;
/** The helpdesk writes its log once it has given up: after three tries of 5 s, and pauses between them. */
const loggedWithinMs = 30_000;

/**
 * Makes a ticket of the service account, waits for its webhook, its decision and its profile, and deletes it, also where
 * something fails or `signal` fires (docs/operate.md#commands). It is a ticket like any other, and routed like one. It stays
 * where the helpdesk's queue is behind: a deletion would then befall the next ticket (docs/helpdesk.md#writing).
 *
 * @param adminKey a System Manager's `key:secret`: says why the webhook did not come, and leaves no copy of the ticket
 * @throws StoreError
 */
export async function proveWithTicket(config: Config, adminKey: Secret | null, signal: AbortSignal) {
  const store = await openStore(config.DATABASE_URL.reveal(), Date.now);
  return withEgress(config, async (egress): Promise<TicketProof> => {
    const limits = { timeoutMs: answerWithinMs, maxConnections: 2 };
    const upstream = withServiceKeys(config, egress.upstream(config.HELPDESK_URL, limits));
    const clients = (stop?: AbortSignal) => ({
      service: new HelpdeskAdmin(upstream, serviceKeyOf(config), stop),
      admin: adminKey && new HelpdeskAdmin(upstream, adminKey.reveal(), stop),
    });
    const { service, admin } = clients(signal);
    /** Not ended by the signal: a ticket whose name is not known could not be deleted, and one that was made has to be. */
    const lasting = clients();
    const seconds: TicketProof['seconds'] = { webhook: null, decision: null, profile: null };
    const proof: TicketProof = { ticket: null, seconds, team: null, agent: null, deleted: false, problems: [] };
    const begunAt = Date.now();
    const ticket = await make().catch((error: unknown) => {
      proof.problems.push(whyNone(error, signal));
      return null;
    });
    if (ticket === null) return proof;
    proof.ticket = ticket;
    const insertedAt = Date.now();
    const since = () => (Date.now() - insertedAt) / 1_000;
    const isBehind = await follow(ticket).catch((error: unknown) => {
      proof.problems.push(signal.aborted ? 'It was interrupted.' : String(error));
      return false;
    });
    if (isBehind) return proof;
    proof.deleted = await remove(ticket, lasting).then(
      () => true,
      (error: unknown) => {
        proof.problems.push(`The ticket could not be deleted: delete it in the helpdesk. ${String(error)}`);
        return false;
      },
    );
    return proof;

    async function make(): Promise<string> {
      const { user } = await service.caller();
      const subject = `Deskside: proof ${new Date(begunAt).toISOString()}`;
      return lasting.service.create('HD Ticket', { subject, raised_by: user });
    }

    /** Returns whether jobs of the helpdesk wait for so long that the webhook has not come. */
    async function follow(ticket: string): Promise<boolean> {
      let isBehind = false;
      const creation = textOf((await service.get('HD Ticket', ticket))?.creation);
      const hasCome = async () => {
        // Another ticket may have had the name before.
        if ((await tickets.insertOf(store.db, { name: ticket, creation })) !== null) seconds.webhook ??= since();
        return seconds.webhook !== null;
      };
      while (seconds.decision === null && since() * 1_000 < decidedWithinMs) {
        await hasCome();
        const decision = await decisions.latestNamed(store.db, ticket);
        if (decision?.inputs.ticket_creation === creation && decision.state !== 'planned') {
          seconds.decision = since();
          proof.team = decision.outcome.team;
          proof.agent = decision.assignment.agent;
          if (decision.outcome.fallback === 'team_missing') proof.problems.push(decision.outcome.reason);
        } else await wait(100, undefined, { signal });
      }
      // The sweep may have been faster.
      const why = await webhookError(admin, { ticket, creation }, insertedAt + loggedWithinMs, hasCome, signal);
      if (seconds.webhook === null) {
        proof.problems.push(`The webhook did not come.${why ? ` The helpdesk's last error: ${why}` : ''}`);
        const jobs = admin && (await waitingJobs(admin));
        if (jobs) {
          isBehind = true;
          proof.problems.push(
            `${jobs} jobs wait in the helpdesk's queue, before the webhook: do its workers run?`,
            `Ticket ${ticket} is not deleted: the next one would get its name, and lose its message and its assignment once the jobs are done. Delete it when none waits.`,
          );
        }
      }
      if (seconds.decision === null) proof.problems.push('The ticket was not decided, also not by way of the sweep.');
      const failed = await askForProfile(config, egress, ticket, signal);
      if (failed === null) seconds.profile = since();
      else proof.problems.push(failed);
      return isBehind;
    }
  }).finally(() => store.close());
}

/** Why there is no ticket; throws what is neither the helpdesk's doing nor the operator's. */
function whyNone(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'It was interrupted.';
  if (!(error instanceof HelpdeskError)) throw error;
  const why = error.kind === 'unauthenticated' ? helpdeskProblem(error).text : error.message;
  return `No ticket could be made. ${why}`;
}

/** Why the helpdesk could not send our webhook about the ticket, in its own words; null if it has come or its log does not say. */
async function webhookError(
  admin: HelpdeskAdmin | null,
  { ticket, creation }: { ticket: string; creation: string },
  until: number,
  hasCome: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<string | null> {
  const filters = [
    ['webhook', '=', webhookName],
    ['reference_document', '=', ticket],
    ['creation', '>=', creation],
  ] as const;
  for (;;) {
    if (await hasCome()) return null;
    const log = admin === null ? [] : await admin.list('Webhook Request Log', { fields: ['name', 'error'], filters });
    const error = log.map((row) => errorIn(row.error)).findLast((text) => text !== '');
    if (error !== undefined || Date.now() >= until) return error ?? null;
    await wait(1_000, undefined, { signal });
  }
}

/** How many jobs the helpdesk has not begun with, webhooks among them; null if it does not say. */
async function waitingJobs(admin: HelpdeskAdmin): Promise<number | null> {
  const args = { doctype: 'RQ Job', filters: JSON.stringify([['RQ Job', 'status', '=', 'queued']]) };
  const count = await admin.call('frappe.desk.reportview.get_count', args).catch((error: unknown) => {
    if (error instanceof HelpdeskError) return null;
    throw error;
  });
  return typeof count === 'number' ? count : null;
}

/** As an agent's browser asks, at PUBLIC_URL; why there is no profile, or null. */
async function askForProfile(config: Config, egress: Egress, ticket: string, signal: AbortSignal) {
  const { who, said } = await meetDeskside(config, egress, answerWithinMs);
  if (who !== 'us' && who !== 'other version') return said.text;
  const service = egress.upstream(config.PUBLIC_URL ?? '', {
    timeoutMs: answerWithinMs,
    maxConnections: 1,
    direct: true,
  });
  const path = `/api/method/platform_crm_customer_profile?ticket=${encodeURIComponent(ticket)}`;
  const headers = { authorization: `token ${serviceKeyOf(config)}` };
  const { status } = await service.request({ method: 'GET', path, headers, signal });
  return status === 200 ? null : `The profile of the ticket was answered with HTTP ${status}.`;
}

/** With an administrator's key the copy goes too that the helpdesk keeps (docs/helpdesk.md#writing). */
async function remove(
  ticket: string,
  { service, admin }: { service: HelpdeskAdmin; admin: HelpdeskAdmin | null },
): Promise<void> {
  await service.remove('HD Ticket', ticket);
  await admin?.erase('HD Ticket', ticket);
}

/** What came of the ticket, for people. */
export function printProof({ ticket, seconds, team, agent, deleted, problems }: TicketProof): string {
  const hops = [
    ['the webhook came', seconds.webhook],
    [`decided: ${team ?? 'no team'}, ${agent ?? 'nobody'}`, seconds.decision],
    ['the profile was there', seconds.profile],
  ] as const;
  return [
    ticket === null ? 'No ticket' : `Ticket ${ticket}, made${deleted ? ' and deleted' : ''}`,
    ...hops.flatMap(([what, at]) => (at === null ? [] : [`  ✓ after ${at.toFixed(1).padStart(4)} s: ${what}`])),
    ...problems.map((problem) => `  ✗ ${problem}`),
  ].join('\n');
}
