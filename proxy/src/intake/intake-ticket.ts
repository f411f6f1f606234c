import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Finding, MetaFailure } from '@deskside/shared/routing';
import type { Context } from '#context.ts';
import { carriedOrgIds } from '#customers/carried-org-ids.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import * as rejections from '#store/rejections.ts';
import { chosenFirst, isRejected } from '#trust/agents-word.ts';
import { senderAddress } from '#trust/sender.ts';
import { earlierChoices } from '#trust/sender-memory.ts';
import {
  claimsOf,
  type NamedHost,
  orderFindings,
  readStoreValue,
  resultOf,
  type Said,
  scanText,
} from './find-org-id.ts';
import type { Candidate } from './org-id-candidates.ts';
import { readAddress, type StoreHosts } from './store-address.ts';
import type { StoreMeta, StoreMetaAnswer } from './store-meta-port.ts';

/** The org ids that a ticket names, in its fields, its customer or its text. */
interface NamedCandidates {
  /** In the order in which to try them, without those that agents have rejected. */
  candidates: Candidate[];
  /** What intake found; nothing where it was not asked, or found a rejected company. */
  found: Intake;
  /** The one that intake found, which is among the candidates; null if it is none of them. */
  fromIntake: Candidate | null;
  /** Whose the domain is that intake found, as far as that is known. */
  domainOf: Candidate | null;
  /** Those that agents have rejected. */
  rejected: OrgId[];
}

/** How long a decision waits for all addresses that its ticket names, in milliseconds. */
const patienceMs = 2_000;

const nothingFound: Intake = { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false };

/** Throws HelpdeskError; whatever a shop's address does is part of the result. */
export async function nameCandidates(
  ctx: Context,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<NamedCandidates> {
  const { file } = ticket;
  const standing = await rejections.standing(ctx.db, {
    ticket: file.ticket.name,
    sender: senderAddress(file.ticket.origin),
  });
  const isOut = (candidate: Candidate) => isRejected(idsOf(candidate), standing);
  const carried = (await carriedOrgIds(ctx.db, file)).candidates;
  const kept = carried.filter((candidate) => !isOut(candidate));
  // A ticket without an org id may still name a shop, and not the one of its customer.
  const own = kept[0]?.source === 'ticket' ? kept[0] : null;
  const read =
    own === null ? await intakeInTime(ctx, ticket, {}, signal) : await domainBeside(ctx, own, ticket, signal);
  const inText = candidateOf(read);
  const fromIntake = inText !== null && isOut(inText) ? null : inText;
  const all = fromIntake === null ? kept : [fromIntake, ...kept];
  const choices = all.length > 1 ? await earlierChoices(ctx, file.ticket) : [];
  return {
    candidates: chosenFirst(all, choices, idsOf),
    found: inText === fromIntake ? read : { ...nothingFound, metaFailures: read.metaFailures },
    fromIntake,
    domainOf: own ?? fromIntake,
    rejected: [...carried, ...(inText ? [inText] : [])].filter(isOut).map(({ orgId }) => orgId),
  };
}

/** A ticket that has an org id wants no more than its shop's domain, as the store address has it. */
async function domainBeside(
  ctx: Context,
  { orgId }: Candidate,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<Intake> {
  if (ticket.platformDomain !== null) return nothingFound;
  const { findings, ...said } = await intakeInTime(ctx, ticket, { storesOnly: true }, signal);
  if (said.orgId !== null && said.orgId !== orgId) return nothingFound;
  const { platformDomain } = said;
  return { ...nothingFound, platformDomain, findings: findings.filter(({ value }) => value === platformDomain) };
}

/**
 * A decision that was made without an address's answer is made again as soon as that has come
 * (docs/routing.md#repair).
 */
function intakeInTime(
  ctx: Context,
  ticket: PipelineTicket,
  options: { storesOnly?: boolean },
  signal: AbortSignal,
): Promise<Intake> {
  const { name } = ticket.file.ticket;
  const storeMeta: StoreMeta = { read: (host, within) => ctx.metaQueue.read(name, host, within) };
  return intakeTicket({ ...ctx, storeMeta }, ticket, { ...options, withinMs: patienceMs }, signal);
}

function idsOf({ orgId }: Candidate) {
  return { orgId, crmCompanyId: null };
}

function candidateOf({ orgId, findings }: Intake): Candidate | null {
  if (orgId === null) return null;
  const finding = findings.find(({ kind, value }) => kind === 'org_id' && value === orgId);
  return { orgId, source: 'ticket', field: finding?.field ?? 'text' };
}

export type IntakeNeeds = Pick<Context, 'hosts'> & {
  storeMeta: StoreMeta;
  helpdesk: Helpdesk;
};

/** What intake found in a ticket; all of it is the sender's claim (docs/decisions.md 9). */
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
  /** Limit for all hosts together, in milliseconds; absent: what a person waits for. */
  withinMs?: number;
}

type MetaFound = StoreMetaAnswer & { kind: 'found' };

/** A host, and the field that names it. */
type Place = NamedHost & { field: string };

/** Limit of hosts asked for one ticket; they are chosen by its sender. */
const maxHosts = 3;

const onScreenMs = 6_000;

/**
 * Finds a ticket's org id: in its store fields, in the meta.json of the hosts that they name, then in subject,
 * description (or the first message, if that is empty), and in the meta.json of the hosts named there
 * (docs/routing.md#intake). Nothing is fetched once an org id is known. Throws HelpdeskError and the signal's reason;
 * whatever the other sides do is listed among the failures.
 */
export async function intakeTicket(
  { storeMeta, helpdesk, hosts }: IntakeNeeds,
  ticket: PipelineTicket,
  { storeUrl, storesOnly = false, withinMs = onScreenMs }: IntakeOptions,
  signal: AbortSignal,
): Promise<Intake> {
  const findings: Finding[] = [];
  const metaFailures: MetaFailure[] = [];
  const asked = new Set<string>();
  const within = AbortSignal.timeout(withinMs);

  const stores = storeUrl === undefined ? ticket.intakeFields : [{ field: 'store_url', value: storeUrl }];
  const storeHosts = stores.flatMap(({ field, value }) => {
    const said = readStoreValue(value, hosts);
    for (const { host } of said.guarded) noteGuarded(host);
    return take(field, said);
  });
  if (storesOnly) return result();
  await askHosts(storeHosts);

  const { subject } = ticket.file.ticket;
  const textHosts = take('subject', scanText(subject ?? '', hosts));
  if (ticket.description.trim() !== '') textHosts.push(...take('description', scanText(ticket.description, hosts)));
  else if (!hasOrgId()) {
    const message = await helpdesk.tickets.readFirstMessage(ticket.file.ticket.name, signal);
    textHosts.push(...take('first_message', scanText(message, hosts)));
  }
  await askHosts(textHosts);

  return result();

  function result(): Intake {
    const ordered = orderFindings(findings);
    const failed = metaFailures.some(({ outcome }) => outcome === 'failed');
    return { ...resultOf(ordered), findings: ordered, metaFailures, failed };
  }

  function take(field: string, { claims, hosts }: Said): Place[] {
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
  async function readWithin(host: string): Promise<StoreMetaAnswer> {
    return storeMeta.read(host, AbortSignal.any([signal, within])).catch((error: unknown) => {
      if (signal.aborted || !within.aborted) throw error;
      return { kind: 'failed', why: 'timeout', address: `https://${host}/meta.json` };
    });
  }

  /** Asks the platform's shops first, one host after another, until one tells an org id. */
  async function askHosts(places: Place[]) {
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

/**
 * Whether a guarded domain answered, or is where the shop lives: other platforms have a meta.json too, with ids of
 * their own. A platform host takes precedence over a guarded domain.
 */
function isGuarded({ address, domains }: MetaFound, hosts: StoreHosts): boolean {
  const kinds = [address, ...domains].map((named) => readAddress(named, hosts)?.kind);
  return kinds.includes('guarded') && !kinds.includes('shop');
}

/** What a meta.json says: its org id, and domains below a platform host. A shop's other domains add nothing. */
function findingsOf(answer: MetaFound, { field, quote }: Place, hosts: StoreHosts): Finding[] {
  const told = { source: 'meta_json' as const, field, quote, address: answer.address };
  const domains = answer.domains.flatMap((domain) => {
    const address = readAddress(domain, hosts);
    return address === null ? [] : claimsOf(address, quote, 'meta_json').map((claim) => ({ ...claim, ...told }));
  });
  const orgId = parseOrgId(answer.orgId);
  return orgId === null ? domains : [{ kind: 'org_id', value: orgId, ...told }, ...domains];
}
