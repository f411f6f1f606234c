import { browser } from 'wxt/browser';
import { matchPattern } from './match-pattern.ts';

/** True if the extension may act on an origin. The browser is the source of truth: the agent can revoke at any time. */
export async function isGranted(origin: string | null): Promise<boolean> {
  return origin !== null && browser.permissions.contains({ origins: [matchPattern(origin)] });
}

/** Asks the agent. Must be called first thing in a click of one of the extension's own pages. */
export function requestOrigins(origins: string[]): Promise<boolean> {
  return browser.permissions.request({ origins: [...new Set(origins.map((origin) => matchPattern(origin)))] });
}
