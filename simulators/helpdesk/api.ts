import type { HelpdeskDocument, HelpdeskSeed } from '#seed/types.ts';

/** The generations of Frappe Helpdesk that were recorded; they differ in names, permissions and pages. 1.25 is a mixture. */
export type Generation = '1.24' | '1.25' | '1.28';

export interface HelpdeskOptions {
  seed: HelpdeskSeed;
  /** Default `1.28`. */
  generation?: Generation;
  /** TCP port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number;
  /** Epoch milliseconds; decides timestamps, token expiry and sessions. */
  now?: () => number;
}

/** A request of the API as it comes in: a server's, or one within this process. Names of headers are lower case. */
export interface ApiRequest {
  method: string;
  url: URL;
  headers: Pick<Headers, 'get'>;
  text(): Promise<string>;
}

/** `body`: null where the connection breaks before it is complete. */
export interface ApiAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: string | null;
}

/** One API request as the simulator answered it. */
export interface JournalEntry {
  method: string;
  /** Decoded path, without the query. */
  path: string;
  query: Record<string, string>;
  /** User the request was judged as; `Guest` where there was no valid credential. */
  user: string;
  /** HTTP status; 0 while unanswered, and for good where the connection was cut or left hanging. */
  status: number;
}

/**
 * Ways an API request can go wrong on demand: never answered, broken off inside the body, a maintenance page with
 * status 200, a server error, a gateway's HTML, Frappe's rate limit, or the database's deadlock (500).
 */
export type SimulatedFault = 'hang' | 'cut' | 'html' | 'deadlock' | 500 | 502 | 503 | 429;

export interface HelpdeskSettings {
  /** Frappe's System Setting for users who have chosen no language. Empty by default: none is set there either. */
  language: string;
  /**
   * The page that is served: the generation's own, the next release's (another set of utility classes), or that one from
   * right to left, as for somebody who uses it in Arabic.
   */
  page: 'own' | 'next' | 'next-rtl';
  restrictTicketsByAgentGroup: boolean;
  /** Frappe's System Setting: whether error bodies carry tracebacks. On by default, as on a new site. */
  allowErrorTraceback: boolean;
  /** `server_script_enabled` of the bench, on by default. While off, every enabled script blocks what it hangs on. */
  serverScriptEnabled: boolean;
  /**
   * Whether a ToDo for somebody outside the ticket's team is refused (frappe/helpdesk#3763, which is open). Administrator
   * and native rules are exempt. Off by default.
   */
  refusesAssigneesOutsideTeam: boolean;
  /** User Permissions by user and DocType, as Frappe tells each of their own; they hide nothing here. */
  userPermissions: Record<string, Record<string, { doc: string; applicable_for: string | null }[]>>;
  /** Milliseconds between saving and the webhook; a real site needs about 1,000. Default 20. */
  webhookDelayMs: number;
  /** Multiplies the pauses of 1, 4 and 7 s after failed deliveries. Default 1. */
  webhookPauseScale: number;
  /** Jobs that no worker has begun with. */
  queuedJobs: number;
}

/** A message to the helpdesk. */
export interface Mail {
  /** Address, or `Name <address>`. */
  from: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** The team that a rule of the site gives it. */
  group?: string;
}

export interface HelpdeskSimulator {
  /** `http://127.0.0.1:PORT` */
  url: string;
  generation: Generation;
  journal: JournalEntry[];
  clearJournal(): void;
  /** The stored document, with standard keys; undefined where there is none. Names are strings in every generation. */
  document(doctype: string, name: string): HelpdeskDocument | undefined;
  /** All stored documents of a DocType, as they are at this moment. */
  documents(doctype: string): readonly HelpdeskDocument[];
  /** Stores a document for test set-up: no permissions, no validation, no hooks. */
  put(doctype: string, document: HelpdeskDocument): void;
  /** Registers a public client with `skip_authorization`. */
  registerOAuthClient(client: { clientId: string; redirectUri: string; allowedRoles: string[] }): void;
  /** Switches of the running site. */
  settings: HelpdeskSettings;
  /** What to wait for before an API request is answered: milliseconds, or what a test decides. */
  latency: (request: { method: string; path: string }) => number | Promise<void>;
  fault: ((request: { method: string; path: string }) => SimulatedFault | null) | null;
  /** Deliveries of webhooks, under way and to come. */
  webhooks: { idle(): Promise<void> };
  /** Creates a ticket the way the API does, with scripts, rules and webhooks. Gives its name; throws a FrappeError. */
  insertTicket(user: string, values: Record<string, unknown>, options?: { portal?: boolean }): Promise<string>;
  /** A message to the helpdesk's address becomes a ticket; gives its name. */
  receiveMail(mail: Mail): Promise<string>;
  /** A value for the `sid` cookie that signs this user in. */
  sessionFor(user: string): string;
  /** Gives an account other roles, as an administrator does. */
  setRoles(user: string, roles: readonly string[]): void;
  /** An access token that this user got by signing in. */
  accessTokenFor(user: string): string;
  /** Stops the server; ends hanging requests, scripts that wait, and webhooks that were not delivered. */
  close(): Promise<void>;
}
