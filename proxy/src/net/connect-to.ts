import { type CertificateFault, EgressError } from './egress-error.ts';
import { codeOf } from './exchange.ts';

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

const notConnected = new Set(
  ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].concat(
    Object.keys(certificateFaults),
  ),
);

/** For a request through a proxy: an EgressError if no connection came about through it, null if it was something else. */
export function neverOpened(error: unknown): EgressError | null {
  const refused = error instanceof Error ? /^Proxy response \((\d{3})\)/.exec(error.message)?.[1] : undefined;
  if (refused !== undefined)
    return new EgressError('unreachable', `The proxy lets nothing through (HTTP ${refused}).`, null, refused);
  return notConnected.has(codeOf(error)) ? notOpened(error) : null;
}

/** A failure to connect, whatever it was. */
export function notOpened(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  const certificate = certificateFaults[code] ?? null;
  const what = certificate === null ? 'The connection could not be opened' : 'The certificate is not accepted';
  return new EgressError('unreachable', `${what} (${code}).`, certificate, code);
}
