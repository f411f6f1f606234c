import { isIP } from 'node:net';

/** One or more addresses or ranges (`10.0.0.0/8`), comma-separated, or `loopback` or `none`. Null for anything else. */
export function parseTrustedProxies(text: string): string[] | null {
  const parts = text.split(',').map((part) => part.trim());
  if (text.trim() === 'none') return [];
  const ranges = parts.flatMap((part) => (part === 'loopback' ? loopback : [part]));
  return ranges.every(isRange) ? ranges : null;
}

export const loopback = ['127.0.0.0/8', '::1'];

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  return most > 0 && isWhole && rest.length === 0;
}
