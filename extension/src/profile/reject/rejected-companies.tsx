import type { ProfileData } from '@deskside/shared/profile';
import type { RejectedCompany } from '@deskside/shared/rejection';
import { useEffect, useId, useRef } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { agePhrase } from '#profile/status/freshness.ts';
import { DeliberateButton } from '#ui/buttons/deliberate-button.tsx';
import { RejectionFailed } from './rejection-failed.tsx';
import type { Rejecting } from './use-rejection.ts';

interface RejectedCompaniesProps {
  profile: ProfileData;
  rejecting: Rejecting;
  unavailable: boolean;
  now: number;
}

/** What agents have said is not the sender's company, each with its undo. */
export function RejectedCompanies({ profile, rejecting, unavailable, now }: RejectedCompaniesProps) {
  const rejected = profile.bitrix.rejected;
  if (rejected.length === 0) return null;
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-3">
      {rejected.map((one) => (
        <Rejected
          key={one.id}
          rejected={one}
          profile={profile}
          rejecting={rejecting}
          unavailable={unavailable}
          now={now}
        />
      ))}
      {rejecting.error && !rejecting.asking && <RejectionFailed error={rejecting.error} />}
    </div>
  );
}

interface RejectedProps extends RejectedCompaniesProps {
  rejected: RejectedCompany;
}

function Rejected({ rejected, profile, rejecting, unavailable, now }: RejectedProps) {
  const t = useTexts();
  const { reject, sync } = t;
  const [id, about] = [useId(), useId()];
  const heading = useRef<HTMLHeadingElement>(null);
  const { busy, done } = rejecting;
  // It has just been rejected: the form that had the focus is gone.
  const isNew = typeof done === 'object' && done?.id === rejected.id;
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  const { company_name, org_id, agent, reason, at, ticket } = rejected;
  const { customer } = profile;
  const isKept = customer?.custom_platform_orgid === org_id;
  const said = [reject.said(agent, agePhrase(at, now, t)), reject.reason[reason.code], reason.note];
  return (
    <section aria-labelledby={id} className="text-sm wrap-anywhere">
      <h3 id={id} ref={heading} tabIndex={-1} className="font-semibold">
        {reject.rejected(company_name ?? org_id)}
      </h3>
      <p className="text-xs text-ink-2">{said.filter(Boolean).join(' · ')}</p>
      {isKept && <p className="mt-1">{reject.kept}</p>}
      <p id={about} className="mt-1 mb-2 text-xs text-ink-2">
        {reject.undoes(ticket === profile.ticket.name)}
      </p>
      <DeliberateButton
        label={reject.undo}
        icon="undo"
        busy={busy === rejected.id}
        unavailable={unavailable || busy !== null}
        onPress={() => rejecting.undo(rejected)}
        aria-describedby={about}
        covered={sync.covered}
      />
    </section>
  );
}
