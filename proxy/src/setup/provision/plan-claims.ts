import type { ClaimsMode } from '@deskside/shared/routing';
import { claimsMeaning, openToAnybody, switchSignUpOff, whoSignsUp } from '#setup/claims.ts';
import type { OwnSettings } from './options.ts';
import type { PlanItem } from './plan-item.ts';

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
