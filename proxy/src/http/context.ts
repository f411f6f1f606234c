import type { Logger } from '../ports/logger.ts';

/** What every request carries through the layers. */
export interface AppEnv {
  Variables: {
    requestId: string;
    logger: Logger;
    /** Stable code of the error that the answer carries, for the log line. */
    errorCode: string | undefined;
  };
}
