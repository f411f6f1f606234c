import { lruMemory } from '#adapters/memory-lru/memory.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { createWrites } from '#app/runtime/writes.ts';
import { silent, uncounted } from '#app/testing/fakes.ts';
import type { HttpDeps } from '#http/app.ts';

/** Dependencies of an app in which every verb fails unless given, and every caller is an agent. */
export function httpDeps(given: Partial<HttpDeps> = {}): HttpDeps {
  const no = () => Promise.reject(new AppError('internal'));
  return {
    // What no verb is given for is not reached.
    ...({} as HttpDeps),
    requireAgent: async () => ({ id: 'an@desk.example', fullName: null, language: null, isAgent: true }),
    getTicketProfile: no,
    getLegacyProfile: no,
    refreshCustomer: no,
    enrichCompany: no,
    syncTicketCustomer: no,
    undoSync: no,
    rejectCompany: no,
    undoRejection: no,
    enrichStoreUrl: no,
    findCompanies: no,
    listDecisions: no,
    listAround: no,
    describeCaller: no,
    noteMissingAnchor: no,
    discovery: { name: 'deskside', version: '1', helpdesk_url: 'https://h.example', oauth_client_ids: {} },
    readiness: { checks: async () => [] },
    writes: createWrites(),
    memory: lruMemory,
    logger: silent,
    metrics: uncounted,
    inRequest: (_, work) => work(),
    ...given,
  };
}
