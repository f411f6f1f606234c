import { contract } from '@deskside/shared/contract';
import type { FieldChange } from '@deskside/shared/enrichment';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Finding, IntakeData, MetaFailure } from '@deskside/shared/routing';
import { type Call, type Context, type EntryInput, endpoint } from '#context.ts';
import { hideServiceRefusal } from '#helpdesk/errors.ts';
import type { PlainFields } from '#helpdesk/fields.ts';
import type { PipelineTicket } from '#helpdesk/ticket-file.ts';
import { partMail } from '#intake/mail-text.ts';
import type { MetaAnswer } from '#intake/meta-json.ts';
import {
  claimsOf,
  type Mentions,
  type NamedHost,
  orderFindings,
  readStoreValue,
  resultOf,
  scanText,
} from '#intake/org-id.ts';
import { readAddress, type StoreHosts } from '#intake/store-address.ts';
import { retryIfChanged } from '#runtime/app-error.ts';
import { machine } from '#runtime/machine.ts';

/** What intake found in a ticket; all of it is the sender's claim (decision 7: who vouches). */
export interface Intake {
  orgId: OrgId | null;
  platformDomain: string | null;
  /** By precedence, without duplicates. */
  findings: Finding[];
  metaFailures: MetaFailure[];
  /** Whether an address that failed may tell more later. */
  failed: boolean;
}

interface IntakeOptions {
  /** Read instead of the ticket's own store fields. */
  storeUrl?: string | undefined;
  /** Only what the store fields themselves say: nothing is fetched, and no text is read. */
  storesOnly?: boolean;
  /** For a decision, which does not wait for slow hosts: it is made again when they have answered. */
  forDecision?: boolean;
  /** Limit for all hosts together, in milliseconds; absent: what a person or a decision waits for. */
  withinMs?: number;
}

type MetaFound = MetaAnswer & { kind: 'found' };

type HostInField = NamedHost & { field: string };

/** Limit of hosts asked for one ticket; they are chosen by its sender. */
const maxHosts = 3;

/** How long all hosts together are waited for, in milliseconds. */
const patienceMs = { person: 6_000, decision: 2_000 };

/**
 * Finds a ticket's org id: in its store fields, in the meta.json of the hosts that they name, then in subject,
 * description (or the first message, if that is empty), and in the meta.json of the hosts named there; what is quoted or
 * forwarded counts only if all that tells nothing, and if it names one shop (docs/routing.md#intake). Nothing is fetched once an org id is known. Throws HelpdeskError and the signal's reason;
 * whatever the other sides do is listed among the failures.
 */
export async function intakeTicket(
  { metaJson, helpdesk, hosts }: Context,
  ticket: PipelineTicket,
  { storeUrl, storesOnly = false, forDecision = false, withinMs }: IntakeOptions,
  signal: AbortSignal,
): Promise<Intake> {
  const findings: Finding[] = [];
  const metaFailures: MetaFailure[] = [];
  const asked = new Set<string>();
  const within = machine.timeout(withinMs ?? patienceMs[forDecision ? 'decision' : 'person']);

  const stores = storeUrl === undefined ? ticket.intakeFields : [{ field: 'store_url', value: storeUrl }];
  const storeHosts = stores.flatMap(({ field, value }) => {
    const said = readStoreValue(value, hosts);
    for (const { host } of said.guarded) noteGuarded(host);
    // Which of several numbers in a field for one is meant nobody can know.
    const isForOne = ticket.file.ticket.orgIdFields.some((one) => one.field === field);
    return isForOne && idsOf(said).size > 1 ? [] : take(field, said);
  });
  if (storesOnly) return result();
  await askHosts(storeHosts);

  const { subject, name } = ticket.file.ticket;
  const textHosts = take('subject', scanText(subject ?? '', hosts));
  const isDescribed = ticket.description !== '';
  const field = isDescribed ? 'description' : 'first_message';
  const message =
    isDescribed || hasOrgId() ? ticket.description : await helpdesk.tickets.readFirstMessage(name, signal);
  const { written, quoted } = partMail(message);
  textHosts.push(...take(field, scanText(written, hosts)));
  await askHosts(textHosts);
  if (!hasOrgId()) {
    const said = scanText(quoted, hosts);
    if (isOfOneShop(said)) await askHosts(take(field, said));
  }

  return result();

  function result(): Intake {
    const ordered = orderFindings(findings);
    const failed = metaFailures.some(({ outcome }) => outcome === 'failed');
    return { ...resultOf(ordered), findings: ordered, metaFailures, failed };
  }

  function take(field: string, { claims, hosts }: Mentions): HostInField[] {
    findings.push(...claims.map((claim) => ({ ...claim, field, address: null })));
    return hosts.map((host) => ({ ...host, field }));
  }

  function hasOrgId(): boolean {
    return findings.some(({ kind }) => kind === 'org_id');
  }

  function noteGuarded(host: string) {
    const address = `https://${host}/meta.json`;
    if (metaFailures.every((failure) => failure.address !== address))
      metaFailures.push({ address, outcome: 'none', why: 'guarded_domain' });
  }

  /** Slow hosts have no more time together than one has alone. */
  async function readWithin(host: string): Promise<MetaAnswer> {
    const both = AbortSignal.any([signal, within]);
    const { name } = ticket.file.ticket;
    const reading = forDecision ? metaJson.readFor(name, host, both) : metaJson.read(host, both);
    return reading.catch((error: unknown) => {
      if (signal.aborted || !within.aborted) throw error;
      return { kind: 'failed', why: 'timeout', address: `https://${host}/meta.json` };
    });
  }

  /** Asks the platform's shops first, one host after another, until one tells an org id. */
  async function askHosts(places: HostInField[]) {
    const shopsFirst = places.toSorted((a, b) => Number(b.isShop) - Number(a.isShop));
    for (const place of shopsFirst) {
      if (hasOrgId() || asked.size >= maxHosts) return;
      if (asked.has(place.host)) continue;
      asked.add(place.host);
      const answer = await readWithin(place.host);
      const { address } = answer;
      if (answer.kind !== 'found') metaFailures.push({ address, outcome: answer.kind, why: answer.why });
      else if (isGuarded(answer, hosts)) metaFailures.push({ address, outcome: 'none', why: 'guarded_domain' });
      else {
        findings.push(...findingsOf(answer, place, hosts));
        if (!hasOrgId()) metaFailures.push({ address, outcome: 'none', why: 'no_org_id' });
      }
    }
  }
}

/** Whether a text names one shop and no other, by its org id or its address. */
function isOfOneShop({ claims, hosts }: Mentions): boolean {
  const ids = idsOf({ claims });
  return ids.size === 1 || (ids.size === 0 && hosts.length === 1);
}

function idsOf({ claims }: Pick<Mentions, 'claims'>): Set<string> {
  return new Set(claims.flatMap(({ kind, value }) => (kind === 'org_id' ? [value] : [])));
}

/**
 * Whether a guarded domain answered, or is where the shop lives: other platforms have a meta.json too, with ids of
 * their own. A platform host takes precedence over a guarded domain.
 */
function isGuarded({ address, domains }: MetaFound, hosts: StoreHosts): boolean {
  const kinds = [address, ...domains].map((named) => readAddress(named, hosts)?.kind);
  return kinds.includes('guarded') && !kinds.includes('shop');
}

/** What a meta.json says: its org id, and domains below a platform host. A shop's other domains add nothing. */
function findingsOf(answer: MetaFound, { field, quote }: HostInField, hosts: StoreHosts): Finding[] {
  const told = { source: 'meta_json' as const, field, quote, address: answer.address };
  const domains = answer.domains.flatMap((domain) => {
    const address = readAddress(domain, hosts);
    return address === null ? [] : claimsOf(address, quote, 'meta_json').map((claim) => ({ ...claim, ...told }));
  });
  const orgId = parseOrgId(answer.orgId);
  return orgId === null ? domains : [{ kind: 'org_id', value: orgId, ...told }, ...domains];
}

/**
 * Runs intake for one ticket when an agent asks for it, and writes what it found to empty fields (docs/routing.md#intake).
 * An existing org id is never replaced, and another shop's domain not written beside it. Throws AppError: if the caller may not change the
 * ticket, `changed_since`, and if the helpdesk fails. Whatever the shop's addresses do is a status.
 */
export async function enrichStoreUrl(
  ctx: Call,
  { ticket: name, store_url: storeUrl }: EntryInput<typeof contract.storeUrlEnrich>,
): Promise<IntakeData> {
  await ctx.gate.requireTicketWrite(ctx.caller, name, ctx.signal);
  const ticket = await hideServiceRefusal(ctx.helpdesk.tickets.read(name, ctx.signal));
  const found = await hideServiceRefusal(intakeTicket(ctx, ticket, { storeUrl: storeUrl ?? undefined }, ctx.signal));
  return {
    status: statusOf(found),
    orgid: found.orgId,
    platform_domain: found.platformDomain,
    findings: found.findings,
    meta_failures: found.metaFailures,
    ticket: { name },
    changes: await hideServiceRefusal(write(ctx, ticket, found)),
  };
}

async function write(
  { helpdesk: { tickets }, signal }: Call,
  asRead: PipelineTicket,
  found: Intake,
): Promise<FieldChange[]> {
  const { changes } = await retryIfChanged(async (isFirst) => {
    const ticket = isFirst ? asRead : await tickets.read(asRead.file.ticket.name, signal);
    return tickets.write(ticket, fieldsOf(found, ticket), signal);
  });
  return changes;
}

/** What belongs on the ticket: an org id if it has none, and the domain of the shop that it is about. */
function fieldsOf({ orgId, platformDomain }: Intake, { file, ...ticket }: PipelineTicket): PlainFields {
  const present = file.ticket.orgIdFields.flatMap(({ value }) => parseOrgId(value) ?? [])[0] ?? null;
  const isOther = present !== null && orgId !== null && orgId !== present;
  return {
    ...(present === null && orgId !== null && { orgId }),
    ...(platformDomain !== null && !isOther && ticket.platformDomain === null && { platformDomain }),
  };
}

function statusOf({ orgId, failed }: Intake): IntakeData['status'] {
  if (orgId !== null) return 'found';
  return failed ? 'failed' : 'not_found';
}

export const storeUrlEndpoint = endpoint(contract.storeUrlEnrich, {
  who: 'agent',
  handle: enrichStoreUrl,
  message: ({ status }) => intakeMessages[status],
  success: ({ status }) => status !== 'failed',
});

const intakeMessages: Readonly<Record<IntakeData['status'], string>> = {
  found: 'Org id found.',
  not_found: 'No org id found.',
  failed: 'No org id found, and a store address did not respond.',
};
