import { type CustomerMatch, type MatchVerdict, matchVerdicts } from '@deskside/shared/customer-matches';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import { askPatiently, portion, runAlone } from '#app/customer/bulk-run.ts';
import { marksOfAll } from '#domain/customer/customer-marks.ts';
import { type Mark, matchCustomer, questionsFor } from '#domain/customer/match-customer.ts';
import type { Reading } from '#domain/find/read-query.ts';
import { readAddress } from '#domain/intake/store-address.ts';
import { isPublicMailDomain } from '#domain/trust/mail-domains.ts';
import type { SearchAnswer } from '#ports/crm/crm.ts';
import type { DeskCustomer, HelpdeskSearch } from '#ports/helpdesk/helpdesk-search.ts';
import type { Store } from '#store/store.ts';
import type { MatchingNote } from '#store/upkeep/run-notes.ts';

export type MatchNeeds = Pick<Context, 'matches' | 'upkeep' | 'leases' | 'clock' | 'pause' | 'hosts'> & {
  search: Pick<HelpdeskSearch, 'customersWithMembers'>;
  crm: Pick<CrmLayers, 'askInSpare'>;
  decisions: Pick<Store['decisions'], 'latestOfAll'>;
};

/** `ended`: why it did; `busy`: another process is at it. What is left is found again by the next run. */
export interface MatchReport extends Pick<MatchingNote, 'done' | 'total' | 'failed'> {
  ended: 'done' | 'busy' | 'stopped' | 'crm_failing';
  /** Whether it went on where an earlier run had stopped. */
  resumed: boolean;
}

/**
 * Looks for the company of every customer without org id, by what the desk knows of it, and keeps what it finds for an
 * operator to look at (docs/decisions.md 42): nothing is written to the helpdesk. Its place is kept after every portion: a
 * run that ended early goes on there. One run at a time, across all processes. `onlyLeft`: begins none anew, also where
 * another process has just ended the one that was left. Throws HelpdeskError if the customers cannot be read.
 */
export async function matchCustomers(
  ctx: MatchNeeds,
  { onProgress, onlyLeft = false }: { onProgress(done: number, total: number): void; onlyLeft?: boolean },
  signal: AbortSignal,
): Promise<MatchReport> {
  const { upkeep, clock } = ctx;
  const busy = { ended: 'busy', done: 0, total: 0, failed: 0, resumed: false } as const;
  return (await runAlone(ctx, 'matching', run)) ?? busy;

  async function run(hold: () => Promise<boolean>): Promise<MatchReport> {
    const last = await upkeep.lastMatching();
    const left = last?.after ? { ...last, after: last.after } : null;
    if (onlyLeft && left === null) return busy;
    const customers = await ctx.search.customersWithMembers(signal);
    const all = customers.filter(({ orgId }) => orgId === '');
    const due = left === null ? all : all.filter((one) => isAfter(one, left.after));
    const note: MatchingNote = left ?? {
      begunAt: clock(),
      after: { creation: '', name: '' },
      done: 0,
      total: 0,
      failed: 0,
    };
    note.total = note.done + due.length;
    const report = (ended: MatchReport['ended']): MatchReport => {
      const { done, total, failed } = note;
      return { ended, done, total, failed, resumed: left !== null };
    };
    await upkeep.noteMatching(note);
    const marks = await marksOf(customers);
    const names = new Map(customers.flatMap(({ orgId, name }) => (orgId === '' ? [] : [[orgId, name]])));
    const customerOf = (orgId: OrgId) => names.get(orgId) ?? null;
    while (due.length > 0) {
      onProgress(note.done, note.total);
      const some = due.splice(0, portion).map((customer) => ({ customer, marks: marks.get(customer.name) ?? [] }));
      const questions = some.map((one) => questionsFor(one.marks));
      const answers = await askPatiently(ctx, { ask: () => askAll(questions), failures: failuresOf, hold }, signal);
      if (signal.aborted) return report('stopped');
      if (answers === null) return report('crm_failing');
      const judged = some.flatMap((one, at) => judge(one.customer, one.marks, answers[at] ?? [], customerOf));
      await ctx.matches.keep(judged);
      note.done += some.length;
      note.failed += some.length - judged.length;
      note.after = placeOf(some.at(-1)?.customer) ?? note.after;
      await upkeep.noteMatching(note);
      // Another process may have taken over from one that was asleep for minutes.
      if (!(await hold())) return report('busy');
    }
    // Of those that are gone, or have an org id by now.
    await ctx.matches.forgetBefore(note.begunAt);
    await upkeep.noteMatching({ ...note, after: null });
    onProgress(note.done, note.total);
    return report('done');
  }

  function judge(
    { name }: DeskCustomer,
    marks: readonly Mark[],
    answers: readonly SearchAnswer[],
    customerOf: (orgId: OrgId) => string | null,
  ): CustomerMatch[] {
    if (answers.some(({ failed }) => failed !== null)) return [];
    const isCut = answers.some((answer) => answer.isCut);
    const hits = answers.flatMap(({ companies }) => companies);
    return [
      { customer: name, at: new Date(clock()).toISOString(), ...matchCustomer(marks, hits, { customerOf, isCut }) },
    ];
  }

  /** With the org ids that agents have given on a customer's tickets. */
  async function marksOf(customers: readonly DeskCustomer[]): Promise<Map<string, Mark[]>> {
    const ticketOrgIds = new Map<string, Set<OrgId>>();
    for await (const { inputs, link } of ctx.decisions.latestOfAll(null)) {
      const customer = link?.previous ?? inputs.customer?.name;
      const orgId = parseOrgId(inputs.org_id?.value);
      if (
        customer === undefined ||
        orgId === null ||
        !inputs.org_id?.trust?.evidence.some(({ code }) => atAgentsWord.has(code))
      )
        continue;
      ticketOrgIds.set(customer, (ticketOrgIds.get(customer) ?? new Set()).add(orgId));
    }
    const known = customers.map((customer) => ({
      ...customer,
      ticketOrgIds: [...(ticketOrgIds.get(customer.name) ?? [])],
    }));
    return marksOfAll(known, isAnybodys);
  }

  /** Whether anybody can have an address or a page at a host. */
  function isAnybodys(host: string): boolean {
    return isPublicMailDomain(host) || readAddress(host, ctx.hosts)?.kind === 'guarded';
  }

  /** The answers to each customer's questions. */
  function askAll(questions: readonly (readonly Reading[][])[]): Promise<SearchAnswer[][]> {
    return Promise.all(questions.map((own) => Promise.all(own.map((readings) => ctx.crm.askInSpare(readings)))));
  }
}

function failuresOf(answers: readonly SearchAnswer[]): boolean[] {
  return answers.map(({ failed }) => failed !== null);
}

/** What vouches for a ticket's org id beyond what a sender's address does, which is looked at anyway. */
const atAgentsWord: ReadonlySet<string> = new Set(['linked_by_agent', 'entered_by_agent']);

function placeOf(customer: DeskCustomer | undefined): MatchingNote['after'] {
  return customer ? { creation: customer.creation, name: customer.name } : null;
}

function isAfter({ creation, name }: DeskCustomer, after: { creation: string; name: string }): boolean {
  return creation > after.creation || (creation === after.creation && name > after.name);
}

/** How many customers have each verdict. */
export function countVerdicts(matches: readonly Pick<CustomerMatch, 'verdict'>[]): Record<MatchVerdict, number> {
  const count = (verdict: MatchVerdict) => matches.filter((one) => one.verdict === verdict).length;
  return Object.fromEntries(matchVerdicts.map((verdict) => [verdict, count(verdict)])) as Record<MatchVerdict, number>;
}

/** Has a look begin at whichever process does so (`matchCustomers`), unless one is under way. Throws if the store fails. */
export async function beginMatching({ upkeep, clock }: Pick<Context, 'upkeep' | 'clock'>): Promise<void> {
  if ((await upkeep.lastMatching())?.after) return;
  await upkeep.noteMatching({ begunAt: clock(), after: { creation: '', name: '' }, done: 0, total: 0, failed: 0 });
}
