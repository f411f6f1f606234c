import { type Browser, desiredOAuthClient, oauthRoles, publicClient } from './desired-state.ts';
import { differences } from './differences.ts';
import type { AdminDocument } from './helpdesk-admin.ts';
import { column, textOf } from './helpdesk-reader.ts';

/** How a client of the helpdesk differs from the desired one: `provision` mends it, `doctor` says it (docs/helpdesk.md#oauth). */
export interface ComparedClient {
  /** The properties that differ, as they should be. */
  changes: Record<string, unknown>;
  /** Leads back to where it should, and perhaps elsewhere too. */
  leadsBack: boolean;
  /** Portal customers may not use it to sign in. */
  staffOnly: boolean;
}

/** @param asksForMethod whether this Frappe has a field for how a client authenticates itself */
export function compareClient(
  document: AdminDocument,
  { use, redirectUri }: { use: Browser; redirectUri: string },
  asksForMethod = false,
): ComparedClient {
  const wanted = oauthRoles;
  const roles = column(document.allowed_roles, 'role');
  const staffOnly = roles.length > 0 && roles.every((role) => wanted.includes(role));
  const desired = { ...desiredOAuthClient(use, redirectUri), ...(asksForMethod && publicClient) };
  return {
    changes: {
      ...differences(document, desired),
      ...(!(staffOnly && wanted.every((role) => roles.includes(role))) && {
        allowed_roles: wanted.map((role) => ({ role })),
      }),
    },
    leadsBack: textOf(document.redirect_uris).split(/\s+/).includes(redirectUri),
    staffOnly,
  };
}
