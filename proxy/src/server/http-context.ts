import type { Logger } from '#runtime/logger.ts';

/** What every request carries through the layers. */
export interface AppEnv {
  /** What the server knows about a request's connection; empty if the app is called without a server. */
  Bindings: {
    /** Where the request comes from (docs/operations.md#limits). */
    client?: string;
    /** Call when the helpdesk knows the caller: the connection is then no longer a stranger's. */
    markKnown?: () => void;
    /** Whether the client is gone already. */
    hasLeft?: () => boolean;
  };
  Variables: {
    requestId: string;
    logger: Logger;
    /** Set by a response that has been made with its headers. */
    hasAllHeaders: boolean | undefined;
    /** The body of a response that may be given again for a second. */
    lasting: string | undefined;
    /** Refused for it brings no credential, or none that can be read. */
    isAnonymous: boolean | undefined;
    /** Stable code of the error in the response, for the log line. */
    errorCode: string | undefined;
  };
}
