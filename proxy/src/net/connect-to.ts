import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { Dial } from './dial.ts';
import { type CertificateFault, EgressError } from './egress-error.ts';
import { codeOf } from './exchange.ts';

/** How connections are opened to addresses that were looked up beforehand. */
export interface ConnectHow {
  dial: Dial;
  /** Certificate authorities in PEM, instead of the usual ones. */
  tls?: { ca: string } | undefined;
  /** Longest wait for the TLS handshake, in milliseconds. */
  timeoutMs: number;
}

/**
 * A connector for the HTTP library: TLS to none but these addresses, whatever the name leads to by now. Fails with an
 * EgressError `unreachable`.
 *
 * @param signal closes the connection when it fires, even long after it was opened
 */
export function connectorTo(
  addresses: readonly string[],
  signal: AbortSignal,
  { dial, tls, timeoutMs }: ConnectHow,
): buildConnector.connector {
  const secure = buildConnector({ ...tls, rejectUnauthorized: true, allowH2: false, timeout: timeoutMs });
  return (options, callback) => {
    const opened = new Promise<Socket>((resolve, reject) => {
      const socket = dial({ host: options.hostname, addresses, port: Number(options.port) || 443, signal });
      // For the socket's whole life: the signal ends it with an error.
      socket.on('error', reject);
      socket.once('connect', () =>
        secure({ ...options, httpSocket: socket }, (error, secured) => (error ? reject(error) : resolve(secured))),
      );
    });
    opened.then(
      (socket) => callback(null, socket),
      (error) => callback(notOpened(error), null),
    );
  };
}

/** By the codes of Node and OpenSSL. */
const certificateFaults: Readonly<Record<string, CertificateFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
};

/** A failure to connect, whatever it was. */
export function notOpened(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  const certificate = certificateFaults[code] ?? null;
  const what = certificate === null ? 'The connection could not be opened' : 'The certificate is not accepted';
  return new EgressError('unreachable', `${what} (${code}).`, certificate, code);
}
