import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import type { SearchAnswer } from '#crm/search.ts';
import type { DeskCustomer } from '#helpdesk/whole.ts';
import { readAddress } from '#intake/store-address.ts';
import * as adoptions from '#store/adoptions.ts';
import { isPublicMailDomain } from '#trust/mail-domains.ts';
import { askPatiently, portion } from './ask-patiently.ts';
import { marksOfAll } from './customer-marks.ts';
import { findTwins, type Shared } from './find-twins.ts';
import { type Judgement, matchCustomer, questionsFor, type Settled, settleAll } from './match-customer.ts';
import { plainDomain } from './plain-name.ts';

/** A customer without org id. `isAnswered`: whether the CRM has answered about it. */
export interface CustomerMatch extends Judgement, Settled {
  customer: string;
  isAnswered: boolean;
}

export interface CustomersMatched {
  matches: CustomerMatch[];
  twins: Map<DeskCustomer, Shared<DeskCustomer>[]>;
  customers: DeskCustomer[];
}

/**
 * Looks for the company of every customer without org id, by what the desk knows of it (docs/decisions.md 42), and for
 * twins among all. Writes nothing. The CRM is asked in the lane that only gets what the others leave. Null if the CRM
 * does not answer at all, and if the signal ends it. Throws HelpdeskError if the customers cannot be read.
 */
export async function matchCustomers(
  ctx: Context,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<CustomersMatched | null> {
  /** Whether anybody can have an address or a page at a host. */
  const isAnybodys = (host: string) => isPublicMailDomain(host) || readAddress(host, ctx.hosts)?.kind === 'guarded';
  const { crm } = ctx;
  if (crm === null) return null;
  const all = await ctx.helpdesk.whole.customersWithMembers(signal);
  const customers = all.map((one) => ({ ...one, domain: isAnybodys(plainDomain(one.domain)) ? '' : one.domain }));
  const marks = marksOfAll(customers, isAnybodys);
  const names = new Map(customers.map(({ orgId, name }) => [orgId, name]));
  const customerOf = (orgId: OrgId) => names.get(orgId) ?? null;
  const due = customers.filter(({ orgId }) => orgId === '');
  const judged = [];
  for (let at = 0; at < due.length; at += portion) {
    onProgress(at, due.length);
    const some = due.slice(at, at + portion).map(({ name }) => ({ customer: name, marks: marks.get(name) ?? [] }));
    const askAbout = (one: (typeof some)[number]) =>
      Promise.all(questionsFor(one.marks).map((question) => crm.search(question, 'backfill')));
    const ask = () => Promise.all(some.map(askAbout));
    const answers = await askPatiently(ctx, { ask, hasFailed }, signal);
    if (answers === null) return null;
    for (const [which, { customer, marks: own }] of some.entries()) {
      const answered = answers[which] ?? [];
      const isAnswered = !hasFailed(answered);
      const hits = isAnswered ? answered.flatMap(({ companies }) => companies) : [];
      const isCut = answered.some((one) => one.isCut);
      judged.push({ customer, isAnswered, ...matchCustomer(own, hits, { customerOf, isCut }) });
    }
  }
  onProgress(due.length, due.length);
  return { matches: settleAll(judged, await adoptions.takenBack(ctx.db)), twins: findTwins(customers), customers };
}

function hasFailed(answers: readonly SearchAnswer[]): boolean {
  return answers.some(({ failed }) => failed !== null);
}
