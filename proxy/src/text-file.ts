import { readFileSync } from 'node:fs';

/** Why a file cannot be read as text, in a few words. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText';
}

/** The text of a file in UTF-8, with or without a byte order mark. Throws UnreadableText, or what `readFileSync` throws. */
export function readTextFile(path: string): string {
  return decodeText(readFileSync(path));
}

/** Throws UnreadableText. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked || bytes.subarray(0, 64).includes(0)) throw new UnreadableText('it is UTF-16; save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableText('it is not UTF-8; save it as UTF-8');
  }
}
