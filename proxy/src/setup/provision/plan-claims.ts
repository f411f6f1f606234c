import type { ClaimsMode } from '@deskside/shared/routing';
import type { OwnSettings } from './options.ts';
import type { PlanItem } from './plan-item.ts';

/** What a mode does with an org id that only the sender of a ticket vouches for, and why (docs/decisions.md 10). */
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
 * The mode of claims that this run is to keep: what was given, else, where nobody has chosen yet, what who may sign up asks
 * for. Null where nothing is to change.
 */
export function chooseClaims(
  { given, chosen }: OwnSettings['claims'],
  signUpIsOpen: boolean | null,
): ClaimsMode | null {
  if (given !== null || chosen !== null) return given;
  return signUpIsOpen === false ? 'accept' : 'hold';
}

/** The rule as it stands, or as this run keeps it. */
export function planClaims({ chosen }: OwnSettings['claims'], wanted: ClaimsMode | null): PlanItem[] {
  const what = 'Rule claims';
  if (wanted === null || wanted === chosen?.mode)
    return chosen === null ? [] : [{ what, state: 'exists', detail: chosen.mode, step: null }];
  const detail = chosen === null ? wanted : `${chosen.mode} becomes ${wanted}`;
  const step = { kind: 'setting', name: 'claims', value: wanted } as const;
  return [{ what, state: chosen === null ? 'create' : 'change', detail, step }];
}

/**
 * What the operator should know of claims: what this run has chosen by itself, what it means and how to change it, in one
 * line; and that accepted ones are open to anybody.
 */
export function claimsWarnings(
  { given, chosen }: OwnSettings['claims'],
  wanted: ClaimsMode | null,
  signUpIsOpen: boolean | null,
): string[] {
  if (wanted !== null && given === null) {
    const change =
      wanted === 'accept'
        ? '--claims hold changes that.'
        : `${signUpIsOpen ? `${switchSignUpOff}, then ` : ''}--claims accept changes that.`;
    return [`${whoSignsUp(signUpIsOpen)} So claims is ${wanted}: ${claimsMeaning[wanted]}. ${change}`];
  }
  const mode = wanted ?? chosen?.mode;
  if (mode !== 'accept' || signUpIsOpen !== true) return [];
  return [`${openToAnybody} ${switchSignUpOff}, or choose --claims hold.`];
}
