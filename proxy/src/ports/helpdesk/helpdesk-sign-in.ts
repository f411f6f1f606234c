/** What of a sign-in stays in the browser until the helpdesk sends it back; whoever has both cannot be another browser. */
export interface PendingSignIn {
  state: string;
  verifier: string;
}

/** Who has signed in, according to the helpdesk. */
export interface SignedInUser {
  id: string;
  fullName: string | null;
  /** A code such as `vi`; null: none is set. */
  language: string | null;
  roles: string[];
}

/** The roles that somebody has now; none with an account that is disabled or gone. Throws HelpdeskError. */
export type ReadRoles = (user: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Signing in with the helpdesk, as a browser does it that is sent there and comes back (docs/helpdesk.md#oauth). */
export interface HelpdeskSignIn {
  /** Where to send the browser. */
  begin(): Promise<{ url: string; pending: PendingSignIn }>;
  /**
   * Who has come back with this query. What the helpdesk issued for it is revoked: nothing is kept that could act there.
   * Throws HelpdeskError: `unauthenticated` if the helpdesk refused, or if it was not this browser that began; otherwise
   * `unavailable`, `timeout` or `bad_answer`.
   */
  finish(query: string, pending: PendingSignIn, signal: AbortSignal): Promise<SignedInUser>;
}
