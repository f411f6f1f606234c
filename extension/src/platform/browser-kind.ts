import type { Browser } from '@deskside/shared/contract';

/** Which browser this is, for the OAuth client that the proxy publishes for it. Edge runs Chrome's package. */
export function browserKind(firefox = import.meta.env.FIREFOX, userAgent = navigator.userAgent): Browser {
  if (firefox) return 'firefox';
  return /\bEdg\//.test(userAgent) ? 'edge' : 'chrome';
}
