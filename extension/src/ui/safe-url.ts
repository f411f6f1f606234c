/**
 * A link target from the CRM, or null if it may not become one: only absolute http and https addresses without
 * credentials are followed, so `javascript:`, `data:` and disguised hosts (`https://crm.example@evil.example`) are not.
 */
export function safeHttpUrl(value: string | null): string | null {
  if (!value || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return url.username || url.password ? null : url.href;
}

/** A `mailto:` target for something that is plainly one address; null for anything that could smuggle headers in. */
export function mailtoUrl(value: string | null): string | null {
  const address = value?.trim() ?? '';
  return /^[\w.+-]{1,64}@[\w-]+(\.[\w-]+)+$/u.test(address) ? `mailto:${address}` : null;
}
