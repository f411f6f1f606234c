import type { Endpoint } from '@deskside/shared/contract';

/** What each endpoint of the contract is for, in a line (docs/api.md). */
export const summaries: Readonly<Record<Endpoint, string>> = {
  customerProfile: "A ticket's customer: company, account owner, and who vouches for them.",
  legacyProfile: 'The same in the shape that an older panel reads.',
  refreshCustomer: 'Asks the CRM about a customer and writes what is new.',
  enrichCompany: 'Looks a company up by org id, and writes the customer and the link of the ticket.',
  syncTicketCustomer: 'Links a ticket to a company: preview, apply, undo.',
  rejectCompany: "Says that a company is not the sender's, or takes that back.",
  storeUrlEnrich: "Finds org id and platform domain in a ticket's own words.",
  findCompanies: 'Companies that an agent may mean by what they typed.',
  routingDecisions: 'Every decision on a ticket, newest first.',
  aroundTicket: "Other tickets of a ticket's customer.",
  missingAnchor: 'The extension misses its place on a page of the helpdesk.',
  whoami: 'Whose the credential is; for agents also what the set-up lacks.',
  discovery: 'Public: version, address of the helpdesk, OAuth client ids.',
};

/** Endpoints for which there is no contract with a client of ours. `body`: JSON Schema of what is sent. */
export const others = {
  '/livez': { method: 'get', summary: 'The process answers.', security: [], envelope: true },
  '/readyz': {
    method: 'get',
    summary: 'Store and helpdesk work; 503 says which does not.',
    security: [],
    envelope: true,
  },
  '/metrics': { method: 'get', summary: 'Figures for Prometheus.', security: [{ metrics: [] }], type: 'text/plain' },
  '/openapi.json': { method: 'get', summary: 'This description.', security: [], type: 'application/json' },
  '/docs': { method: 'get', summary: 'This description as a page.', security: [], type: 'text/html' },
  '/webhooks/helpdesk/ticket/after-insert': {
    method: 'post',
    summary: 'The helpdesk announces a new ticket; signed.',
    security: [{ helpdesk_signature: [] }],
    envelope: true,
    status: 202,
  },
  '/webhooks/helpdesk/ticket/before-insert': {
    method: 'post',
    summary: 'Answers fields for a ticket that is being saved.',
    security: [{ script_secret: [] }],
    envelope: true,
  },
  '/webhooks/crm/company': {
    method: 'post',
    summary: 'The CRM announces that a company has changed; its token is in the body.',
    security: [],
    envelope: true,
  },
} as const satisfies Record<string, Described>;

interface Described {
  method: 'get' | 'post';
  summary: string;
  security: readonly Record<string, readonly []>[];
  /** Answers with the usual envelope. */
  envelope?: boolean;
  /** Otherwise what it answers with. */
  type?: string;
  status?: number;
}

/** How callers show who they are (docs/api.md#callers). */
export const securitySchemes = {
  helpdesk_token: { type: 'http', scheme: 'bearer', description: "OAuth2 token of the helpdesk, of the agent's own." },
  helpdesk_key: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'API key of a helpdesk user, as `token key:secret`.',
  },
  metrics: { type: 'http', scheme: 'bearer', description: 'METRICS_TOKEN.' },
  helpdesk_signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Frappe-Webhook-Signature',
    description: 'HMAC-SHA256 of the body with HELPDESK_WEBHOOK_SECRET.',
  },
  script_secret: { type: 'apiKey', in: 'header', name: 'X-Deskside-Secret', description: 'HELPDESK_SCRIPT_SECRET.' },
} as const;
