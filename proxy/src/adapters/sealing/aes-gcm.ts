import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { revealed, type Secret } from '#ports/runtime/secret.ts';
import type { Sealer } from '#ports/runtime/settings.ts';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** By the master key of a configuration; null without one. */
export function sealerOf({
  MASTER_KEY_FILE,
  MASTER_KEY,
}: {
  MASTER_KEY_FILE?: readonly Secret[] | undefined;
  MASTER_KEY?: readonly Secret[] | undefined;
}): Sealer | null {
  const keys = MASTER_KEY_FILE ?? MASTER_KEY;
  return keys ? createSealer(revealed(keys)) : null;
}

/**
 * Seals with AES-256-GCM, bound to the place, as `v1.<which key>.<iv, tag and ciphertext in base64url>`.
 *
 * @param keys 32 bytes each in base64; the first seals, all open
 */
export function createSealer(keys: readonly string[]): Sealer {
  const known = keys.map((key) => Buffer.from(key, 'base64')).map((key) => ({ key, id: idOf(key) }));
  const [current] = known;
  if (current === undefined) throw new RangeError('A sealer needs at least one key.');
  return {
    seal(text, place) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, current.key, iv).setAAD(Buffer.from(place));
      const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return `v1.${current.id}.${Buffer.concat([iv, sealing.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, place) {
      const [, id, text = ''] = /^v1\.([0-9a-f]{8})\.([\w-]+)$/.exec(sealed) ?? [];
      const bytes = Buffer.from(text, 'base64url');
      const match = known.find((key) => key.id === id);
      if (match === undefined || bytes.length < ivBytes + tagBytes) return null;
      const opening = createDecipheriv(cipher, match.key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        return Buffer.concat([opening.update(bytes.subarray(ivBytes + tagBytes)), opening.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** Tells keys apart, and nothing about them. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('deskside master key').update(key).digest('hex').slice(0, 8);
}
