import type { RoutingDecision } from '@deskside/shared/routing';
import type { LookupStatus } from '@deskside/shared/status';
import type { Fault, LastingFault } from './faults.ts';

/** How a request of ours ended: served, refused with a 4xx, failed with a 5xx, or nobody was there any more. */
export type AnswerOutcome = 'ok' | 'refused' | 'failed' | 'client_left';

/**
 * What the service counts about itself (docs/operate.md#metrics). Nothing here can name a customer, an agent or a
 * ticket: every value comes from a closed list, except teams, which are those of the rules. Never throws.
 */
export interface Metrics {
  /** `route`: the pattern, never the path. `code`: the error in the answer, if there is one. */
  requestAnswered(request: { route: string; outcome: AnswerOutcome; code: string | undefined; seconds: number }): void;
  /** So many org ids were looked for in a layer, with this result. */
  companiesRead(layer: 'memory' | 'store' | 'crm', result: 'hit' | 'miss' | 'failed', count: number): void;
  /** What became of a look-up, whichever layers it went through. */
  companyAnswered(answer: { status: LookupStatus; stale: boolean }): void;
  /** One request to the CRM. `outcome`: `ok` or why it failed. */
  crmAnswered(request: { kind: CrmRequestKind; outcome: string; seconds: number }): void;
  ticketDecided(decision: RoutingDecision): void;
  /** `part`: what it is limited to, such as a kind of request; empty where it is not. */
  faultNoted(fault: Fault, part: string): void;
  /** `part`: null for all of them. Harmless if it was never noted. */
  faultEnded(fault: LastingFault, part: string | null): void;
}

export type CrmRequestKind = 'companies' | 'users' | 'searches' | 'segments';
