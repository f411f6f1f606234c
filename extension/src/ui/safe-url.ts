/**
 * An address from the CRM that is safe to link to, or null: only absolute http and https addresses without credentials,
 * so no `javascript:`, no `data:` and no disguised hosts (`https://crm.example@evil.example`).
 */
export function safeHttpUrl(value: string | null): string | null {
  if (!value || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return url.username || url.password ? null : url.href;
}

/** A `tel:` link for a telephone number in any spelling; null for anything else. */
export function telUrl(value: string | null): string | null {
  const number = value?.trim() ?? '';
  const digits = number.replace(/\D/g, '');
  if (!/^\+?[\d\s().-]+$/.test(number) || digits.length < 7 || digits.length > 15) return null;
  return `tel:${number.startsWith('+') ? '+' : ''}${digits}`;
}

/** The address of a page on this site by its path; null for a path that leads to another one. */
export function onThisSite(path: string): string | null {
  const base = location.origin;
  const url = URL.canParse(path, base) ? new URL(path, base) : null;
  return url?.origin === base ? url.href : null;
}

/** A `mailto:` link for a plain e-mail address, with what is to be written; null for anything that could add headers. */
export function mailtoUrl(value: string | null, mail: { subject?: string; body?: string } = {}): string | null {
  const address = value?.trim() ?? '';
  if (!/^[\w.+-]{1,64}@[\w-]+(\.[\w-]+)+$/u.test(address)) return null;
  const parts = Object.entries(mail).map(([name, text]) => {
    // A subject is one line.
    const written = name === 'subject' ? text.replace(/\p{Cc}+/gu, ' ') : text;
    return `${name}=${encodeURIComponent(written.toWellFormed())}`;
  });
  return `mailto:${address}${parts.length > 0 ? '?' : ''}${parts.join('&')}`;
}
