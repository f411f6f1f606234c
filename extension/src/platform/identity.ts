import { browser } from 'wxt/browser';

/** Where the helpdesk redirects to after a sign-in. Registered there byte for byte, one OAuth client per browser. */
export function redirectUri(): string {
  return browser.identity.getRedirectURL('cb');
}

export function launchWebAuthFlow(details: { url: string; interactive: boolean }): Promise<string | undefined> {
  return browser.identity.launchWebAuthFlow(details);
}
