/** How a call can fail below HTTP. Only `unreachable` guarantees that it had no effect on the other side. */
export type EgressErrorCode = 'timeout' | 'unreachable' | 'cut' | 'too_large' | 'blocked';

/** Why the certificate of the other side is not accepted. */
export type CertificateFault = 'untrusted' | 'expired' | 'other_name';

/**
 * A call without a complete response. Addresses may contain secrets (the CRM's webhook does), so the message consists
 * of fixed words and at most the system's error code, and there is never a `cause`.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code: EgressErrorCode;
  /** Null unless it was that. */
  readonly certificate: CertificateFault | null;
  /** The system's or OpenSSL's word for why there is no connection, such as ECONNREFUSED, or what a response was too much by. */
  readonly reason: string | null;
  constructor(
    code: EgressErrorCode,
    message: string,
    certificate: CertificateFault | null = null,
    reason: string | null = null,
  ) {
    super(message);
    this.code = code;
    this.certificate = certificate;
    this.reason = reason;
  }
}

/** What is wrong with a certificate, and what to do. `whose`: such as "the helpdesk"; `setting`: where its address stands. */
export function certificateProblem(why: CertificateFault, whose: string, setting: string) {
  const certificate = `The certificate of ${whose}`;
  return {
    untrusted: {
      text: `${certificate} is not from an authority that Deskside trusts.`,
      todo: 'Have this machine trust your authority (update-ca-certificates) and restart Deskside, which trusts what the machine trusts; if it is no authority of yours, have the whole chain sent along.',
    },
    expired: {
      text: `${certificate} has expired or is not valid yet.`,
      todo: "Renew it there; if it is valid, check this machine's clock.",
    },
    other_name: {
      text: `${certificate} is for another name than ${setting} has.`,
      todo: `Set ${setting} to a name that is in the certificate.`,
    },
  }[why];
}
