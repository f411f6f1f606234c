import type { ClaimsMode } from '@deskside/shared/routing';
import type { ProvisionIo } from './io.ts';
import { type OwnSettings, ProvisionError } from './options.ts';
import type { PlanItem } from './plan-item.ts';

/** What each mode does, and what senders can then read (SECURITY.md), the specification's first. */
const claimsModes: Record<ClaimsMode, string> = {
  accept:
    'the specification: a claim counts as true and links the ticket; whoever types an org id reads that company’s name, segment, plan and owner on their own ticket.',
  hold: 'a claim decides the team and nothing else; the sender reads the team, and so perhaps that the company is a large one, until somebody vouches.',
};

export const openToAnybody =
  'Anybody may sign up at the helpdesk, and claims are accepted: whoever types an org id reads whose it is.';
export const switchSignUpOff = 'Switch sign-up off (Website Settings, "Disable signups")';

/** Who may sign up, as a sentence; null: this key may not know. */
function signUpSentence(isOpen: boolean | null): string {
  if (isOpen === null) return 'Whether anybody may sign up at the helpdesk, this key cannot see (Website Settings).';
  return isOpen
    ? 'Anybody may sign up at this helpdesk (Website Settings).'
    : 'Nobody may sign up at this helpdesk by themselves.';
}

/**
 * The mode of claims that this run is to keep (docs/decisions.md 10): what was given, else the operator's answer. Null where
 * nothing is to change: one has been chosen, or the operator leaves it for later.
 *
 * @param asks whether this run may change anything, and whether somebody can answer
 * @throws ProvisionError where nobody can be asked, and claims may come from anybody
 */
export async function chooseClaims(
  { given, chosen }: OwnSettings['claims'],
  signUpIsOpen: boolean | null,
  asks: 'nothing' | ProvisionIo['ask'],
): Promise<ClaimsMode | null> {
  if (given !== null || chosen !== null || asks === 'nothing') return given;
  const isKnownClosed = signUpIsOpen === false;
  if (asks === null) {
    if (isKnownClosed) return null;
    throw new ProvisionError(
      `Nothing was changed: say with --claims accept or hold what an org id is worth that only the sender vouches for. ${signUpSentence(signUpIsOpen)}`,
    );
  }
  const modes = Object.entries(claimsModes).map(([mode, does]) => `  ${mode.padEnd(8)}${does}`);
  const question = `What is an org id worth that only the sender vouches for?\n${modes.join('\n')}\n${signUpSentence(signUpIsOpen)}\nclaims (accept, hold; empty: later): `;
  for (;;) {
    const answer = (await asks(question)).trim().toLowerCase();
    if (answer === '') return null;
    const mode = (Object.keys(claimsModes) as ClaimsMode[]).find((one) => one === answer);
    if (mode !== undefined) return mode;
  }
}

/** The rule as it stands and as this run would keep it. Empty if nothing has been chosen. */
export function planClaims({ chosen }: OwnSettings['claims'], wanted: ClaimsMode | null): PlanItem[] {
  const what = 'Rule claims';
  if (chosen === null && wanted === null) return [];
  if (wanted === null || wanted === chosen?.mode)
    return [{ what, state: 'exists', detail: chosen?.mode ?? '', step: null }];
  if (chosen?.by === 'environment') {
    const detail = `is ${chosen.mode} in RULES_FILE, which goes over the store: kept; change it there`;
    return [{ what, state: 'conflict', detail, step: null }];
  }
  const detail = chosen === null ? wanted : `${chosen.mode} becomes ${wanted}`;
  return [
    {
      what,
      state: chosen === null ? 'create' : 'change',
      detail,
      step: { kind: 'setting', name: 'claims', value: wanted },
    },
  ];
}
