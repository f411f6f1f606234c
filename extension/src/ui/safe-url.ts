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

/** A `mailto:` link for a plain e-mail address; null for anything that could add headers. */
export function mailtoUrl(value: string | null): string | null {
  const address = value?.trim() ?? '';
  return /^[\w.+-]{1,64}@[\w-]+(\.[\w-]+)+$/u.test(address) ? `mailto:${address}` : null;
}
