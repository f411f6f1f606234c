import type { Credential } from './helpdesk.ts';

/** A credential with the digest under which its permissions are cached. The digest does not reveal it. */
export interface Caller extends Credential {
  readonly digest: string;
  /** Whom the request comes from, so that strangers wait behind each other and not behind their neighbours. */
  readonly client?: string | undefined;
}
