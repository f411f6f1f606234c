/** Somebody who is signed in to the operator page. Times are epoch milliseconds. */
export interface OperatorSession {
  /** The helpdesk's user id. */
  user: string;
  fullName: string | null;
  /** The language they use the helpdesk in, as a code such as `vi`. */
  language: string | null;
  /** Those of their roles that the page knows, as of the sign-in. */
  roles: string[];
  signedInAt: number;
  usedAt: number;
}

/**
 * Sessions of the operator page, known to all processes on the store. The store has the digest of a session's token, which
 * is of no use to whoever reads it.
 */
export interface OperatorSessions {
  begin(digest: string, session: OperatorSession): Promise<void>;
  find(digest: string): Promise<OperatorSession | null>;
  /** Notes that the session was used. */
  touch(digest: string, at: number): Promise<void>;
  /** Repeatable. */
  end(digest: string): Promise<void>;
  /** Deletes sessions that began, or were last used, before these times; at most `limit`; returns how many. */
  deleteOver(before: { signedIn: number; used: number }, limit: number): Promise<number>;
}
