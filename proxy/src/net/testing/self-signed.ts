import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its key, both in PEM. */
export interface SelfSigned {
  cert: string;
  key: string;
}

/**
 * Makes a self-signed certificate (X.509 v3, ECDSA P-256, RFC 5280) for the given host names; valid from 2020 to 2049,
 * or as `years` says. Every call makes a new key, which is kept in memory only.
 */
export function selfSigned(hosts: string[], years = ['20', '49']): SelfSigned {
  return certify('test', hosts, years, null);
}

/**
 * Makes a certificate authority, and with it a certificate for the given host names.
 *
 * @returns `authority`: its own certificate in PEM
 */
export function authoritySigned(hosts: string[]): SelfSigned & { authority: string } {
  const authority = certify('test authority', null, ['20', '49'], null);
  const issuer = { name: 'test authority', key: authority.key };
  return { ...certify('test', hosts, ['20', '49'], issuer), authority: authority.cert };
}

/** `hosts` null: an authority. `issuer` null: it signs itself. */
function certify(
  subject: string,
  hosts: string[] | null,
  [from, to]: readonly string[],
  issuer: { name: string; key: string } | null,
): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)); // ecdsa-with-SHA256
  const named = (name: string) => sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, name)))); // common name
  const extension =
    hosts === null
      ? sequence(oid(0x55, 0x1d, 0x13), der(0x01, [0xff]), der(0x04, sequence(der(0x01, [0xff])))) // an authority
      : sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(...hosts.map((host) => der(0x82, host))))); // names
  const toBeSigned = sequence(
    der(0xa0, der(0x02, [2])), // version 3
    der(0x02, [1]), // serial number
    algorithm,
    named(issuer?.name ?? subject),
    sequence(der(0x17, `${from}0101000000Z`), der(0x17, `${to}0101000000Z`)),
    named(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', toBeSigned, issuer?.key ?? privateKey);
  const certificate = sequence(toBeSigned, algorithm, der(0x03, [0], signature));
  const lines = certificate.toString('base64').replace(/.{1,64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One value in DER: tag, length, content. */
function der(tag: number, ...parts: (string | number[] | Uint8Array)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (...bytes: number[]): Buffer => der(0x06, bytes);
