import { browser } from 'wxt/browser';
import { matchPattern } from './match-pattern.ts';

/** Whether the extension has permission for an origin. Ask each time: the agent can revoke it at any time. */
export async function isGranted(origin: string | null): Promise<boolean> {
  return origin !== null && browser.permissions.contains({ origins: [matchPattern(origin)] });
}

/** Asks the agent for permission. Must be the first call in the handler of a click on one of the extension's own pages. */
export function requestOrigins(origins: string[]): Promise<boolean> {
  return browser.permissions.request({ origins: [...new Set(origins.map((origin) => matchPattern(origin)))] });
}
