/// <reference path="../env.d.ts" />
import * as z from 'zod/mini';

/** Address of a helpdesk or proxy: an origin. */
export const Address = z.string().check(z.refine(isAddress, 'Expected an origin such as https://helpdesk.example.'));

/** The language setting. `auto`: the helpdesk's, else the browser's. */
export const Language = z.enum(['auto', 'en', 'vi']);
export type Language = z.infer<typeof Language>;

export const UiLanguage = z.enum(['en', 'vi']);
export type UiLanguage = z.infer<typeof UiLanguage>;

/** How an agent has arranged the panel: the state of the interface only, nothing of a ticket or a customer. */
export const PanelLayout = z.object({
  open: z.boolean(),
  /** The face of the helpdesk's column that the agent chose; without one it is the customer. */
  face: z.optional(z.enum(['ticket', 'customer'])),
});
export type PanelLayout = z.infer<typeof PanelLayout>;

export type AddressProblem = 'empty' | 'not_an_address' | 'other_scheme' | 'credentials' | 'insecure';

type ParsedAddress = { ok: true; origin: string } | { ok: false; problem: AddressProblem };

/** The hosts that may be used without TLS (ARCHITECTURE.md#the-extension); a build for trying things out may name more. */
const loopback = ['127.0.0.1', 'localhost', ...(import.meta.env.INSECURE_HOSTS ?? [])];

/**
 * Parses an address as typed or pasted: a missing scheme is added (https, http on loopback); path, query and fragment are
 * dropped, so that the address of any page of the helpdesk will do.
 */
export function parseAddress(text: string): ParsedAddress {
  const typed = text.trim();
  if (!typed) return { ok: false, problem: 'empty' };
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `${schemeFor(typed)}//${typed}`;
  if (!URL.canParse(withScheme)) return { ok: false, problem: 'not_an_address' };
  const url = new URL(withScheme);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, problem: 'other_scheme' };
  if (url.username || url.password) return { ok: false, problem: 'credentials' };
  // Chromium escapes in a host what cannot stand in one, such as a blank, where the standard refuses it.
  if (!url.hostname || /[*%]/.test(url.hostname)) return { ok: false, problem: 'not_an_address' };
  if (url.protocol === 'http:' && !loopback.includes(url.hostname)) return { ok: false, problem: 'insecure' };
  return { ok: true, origin: url.origin };
}

/** Whether a value is an origin as `parseAddress` returns it. */
export function isAddress(value: string): boolean {
  const parsed = parseAddress(value);
  return parsed.ok && parsed.origin === value;
}

function schemeFor(typed: string): 'http:' | 'https:' {
  const host = typed.split(/[:/?#]/)[0]?.toLowerCase() ?? '';
  return loopback.includes(host) ? 'http:' : 'https:';
}
