import type { ClaimsMode } from '@deskside/shared/routing';
import type { Deadline, HelpdeskReader } from '#setup/helpdesk-reader.ts';
import { claimsMeaning, openToAnybody, switchSignUpOff, whoSignsUp } from '#setup/provision/plan-claims.ts';
import { attempt } from '#setup/read-result.ts';
import { readSignUp } from '#setup/sign-up.ts';
import { type AreaReport, areaReport, finding } from './finding.ts';
import type { ReadRecords } from './records.ts';

/**
 * Whether anybody may sign up at the helpdesk: as an administrator's key sees it, else as `provision` saw it last. Null if
 * nobody has looked.
 */
export async function gatherSignUp({
  admin,
  records,
  deadline,
}: {
  admin: Pick<HelpdeskReader, 'get'> | null;
  records: ReadRecords<'upkeep'>;
  deadline: Deadline;
}): Promise<boolean | null> {
  const seen = admin && (await attempt(readSignUp(admin, deadline())));
  if (seen?.ok && seen.value !== null) return seen.value;
  return records(async ({ upkeep }) => (await upkeep.lastSignUp())?.isOpen ?? null);
}

/**
 * Says what claims are worth, where strangers can make use of it, and where typed org ids do not link for that reason
 * (docs/decisions.md 10).
 *
 * @param signUpIsOpen null if it is not known
 */
export function judgeClaims(mode: ClaimsMode, signUpIsOpen: boolean | null): AreaReport {
  const area = 'Claims';
  const set = (to: ClaimsMode) => `set "claims" to "${to}" in the file of rules`;
  const meaning = `Claims: ${mode}. That means: ${claimsMeaning[mode]}.`;
  if (mode === 'accept' && signUpIsOpen === null)
    return areaReport(area, { unchecked: ['Whether anybody may sign up: run "deskside provision", which looks.'] });
  const open = finding('claims_open', openToAnybody, `${switchSignUpOff}, or ${set('hold')}.`);
  const held = finding(
    'claims_held',
    `${whoSignsUp(true)} So claims is hold: ${claimsMeaning.hold}.`,
    `Nothing, if that is meant. Else: ${switchSignUpOff}, then ${set('accept')}.`,
  );
  const findings = signUpIsOpen === true ? [mode === 'accept' ? open : held] : [];
  return areaReport(area, { findings, fine: meaning });
}
