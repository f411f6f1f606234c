import type { Browser } from '@deskside/shared/contract';
import { browser } from 'wxt/browser';

/** Where the helpdesk redirects to after a sign-in. Registered there exactly like this, one OAuth client per browser. */
export function redirectUri(): string {
  return browser.identity.getRedirectURL('cb');
}

export function launchWebAuthFlow(details: { url: string; interactive: boolean }): Promise<string | undefined> {
  return browser.identity.launchWebAuthFlow(details);
}

/** The browser, which decides the OAuth client to use. Edge runs the same package as Chrome. */
export function browserKind(firefox = import.meta.env.FIREFOX, userAgent = navigator.userAgent): Browser {
  if (firefox) return 'firefox';
  return /\bEdg\//.test(userAgent) ? 'edge' : 'chrome';
}
