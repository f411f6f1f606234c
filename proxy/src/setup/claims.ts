import type { ClaimsMode } from '@deskside/shared/routing';
import { type HelpdeskAdmin, isOn } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';

// What an org id is worth that only the sender of a ticket vouches for, in words (docs/decisions.md 9).

/** What a mode does with such an org id, and why. */
export const claimsMeaning: Record<ClaimsMode, string> = {
  accept:
    'an org id that only the sender of a ticket vouches for links the ticket, as specified, and the sender reads on it whose the org id is',
  hold: 'an org id that only the sender of a ticket vouches for decides the team and links no ticket, although the specification asks for that: whoever types the one of another company would read whose it is',
};

export const openToAnybody =
  'Anybody may sign up at the helpdesk, and claims are accepted: whoever types an org id reads whose it is.';

export const switchSignUpOff = 'Switch sign-up off (Website Settings, "Disable signups")';

/** Who may sign up, as a sentence; null: this key may not know. */
export function whoSignsUp(isOpen: boolean | null): string {
  if (isOpen === null) return 'Whether anybody may sign up at the helpdesk cannot be seen.';
  return isOpen ? 'Anybody may sign up at the helpdesk.' : 'Nobody may sign up at the helpdesk by themselves.';
}

/**
 * Whether the helpdesk lets anybody sign up (docs/helpdesk.md#permissions); null if this key may not know. Throws
 * HelpdeskError for anything else.
 */
export async function readSignUp(admin: HelpdeskAdmin, signal: AbortSignal): Promise<boolean | null> {
  const settings = await admin.get('Website Settings', 'Website Settings', signal).catch((error: unknown) => {
    if (error instanceof HelpdeskError && error.kind === 'forbidden') return null;
    throw error;
  });
  return settings && !isOn(settings.disable_signup);
}
