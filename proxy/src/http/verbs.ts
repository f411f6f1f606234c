import type { AgentGate } from '#app/access/agent-gate.ts';
import type { describeCaller } from '#app/access/describe-caller.ts';
import type { OperatorContext } from '#app/context.ts';
import type { enrichCompany } from '#app/customer/enrich-company.ts';
import type { refreshCustomer } from '#app/customer/refresh-customer.ts';
import type { rejectCompany } from '#app/customer/reject/reject-company.ts';
import type { undoRejection } from '#app/customer/reject/undo-rejection.ts';
import type { syncTicketCustomer } from '#app/customer/sync/sync-ticket-customer.ts';
import type { undoSync } from '#app/customer/sync/undo-sync.ts';
import type { findCompanies } from '#app/find/find-companies.ts';
import type { enrichStoreUrl } from '#app/intake/enrich-store-url.ts';
import type { getLegacyProfile } from '#app/profile/get-legacy-profile.ts';
import type { getTicketProfile } from '#app/profile/get-ticket-profile.ts';
import type { listAround } from '#app/profile/list-around.ts';
import type { listDecisions, readDecisions } from '#app/routing/list-decisions.ts';
import type { noteMissingAnchor } from '#app/runtime/note-missing-anchor.ts';

/** A verb on the context of one configuration. */
type Bound<V> = V extends (ctx: never, ...asked: infer A) => infer R ? (...asked: A) => R : never;

/** What the table of endpoints calls, under one configuration. */
export interface Verbs extends OperatorContext {
  /** Called before a body is read. */
  requireAgent: AgentGate['requireAgent'];
  getTicketProfile: Bound<typeof getTicketProfile>;
  getLegacyProfile: Bound<typeof getLegacyProfile>;
  refreshCustomer: Bound<typeof refreshCustomer>;
  enrichCompany: Bound<typeof enrichCompany>;
  syncTicketCustomer: Bound<typeof syncTicketCustomer>;
  undoSync: Bound<typeof undoSync>;
  rejectCompany: Bound<typeof rejectCompany>;
  undoRejection: Bound<typeof undoRejection>;
  enrichStoreUrl: Bound<typeof enrichStoreUrl>;
  findCompanies: Bound<typeof findCompanies>;
  listDecisions: Bound<typeof listDecisions>;
  listAround: Bound<typeof listAround>;
  describeCaller: Bound<typeof describeCaller>;
  readDecisions: Bound<typeof readDecisions>;
  noteMissingAnchor: Bound<typeof noteMissingAnchor>;
}
