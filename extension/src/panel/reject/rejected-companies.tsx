import type { ProfileData } from '@deskside/shared/profile';
import type { RejectedCompany } from '@deskside/shared/rejection';
import { useEffect, useId, useRef } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { agePhrase } from '#panel/status/freshness.ts';
import { DeliberateButton } from '#ui/buttons/deliberate-button.tsx';
import { Note } from '#ui/note.tsx';
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

/** Answers that were lost on the way: what was asked for may have been done. */
const lost: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'offline', 'helpdesk_timeout', 'aborted']);

/** Why a company was not rejected, or a rejection not taken back. */
export function RejectionFailed({ error }: { error: PanelError }) {
  const { failures, reject } = useTexts();
  const { title, body } = failures.code[error.code];
  return (
    <Note tone="bad" title={`${reject.failed}: ${title}`}>
      <p>{body}</p>
      {lost.has(error.code) && <p>{reject.mayBeDone}</p>}
    </Note>
  );
}
