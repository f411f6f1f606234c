import type { FoundCompany } from '@deskside/shared/find';
import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '#i18n/texts-context.ts';
import { Button } from '#ui/buttons/button.tsx';
import { safeHttpUrl } from '#ui/links/safe-url.ts';
import { Around } from './around/around.tsx';
import { changesBetween } from './company/changes.ts';
import { CompanyView } from './company/company-view.tsx';
import { FieldNotes } from './company/field-notes.tsx';
import { profileModel } from './company/profile-model.ts';
import { targetOf } from './find/find-model.ts';
import { FindSection } from './find/find-section.tsx';
import { FoundCard } from './find/found-card.tsx';
import { Footer } from './footer.tsx';
import { People } from './people/people-view.tsx';
import type { LoadedProfile } from './query/profile-query.ts';
import { RejectedCompanies } from './reject/rejected-companies.tsx';
import { useRejection } from './reject/use-rejection.ts';
import { WrongCustomer } from './reject/wrong-customer.tsx';
import { WhyTeam } from './routing/why-team.tsx';
import { type Changes, noChanges } from './rows/row.ts';
import { RowGroups } from './rows/row-groups.tsx';
import { ChangesContext } from './rows/value.tsx';
import { crmMessage } from './status/crm-message.ts';
import { freshnessLine } from './status/freshness.ts';
import { MessageView } from './status/message-view.tsx';
import { RequestId } from './status/request-id.tsx';
import { SyncSection } from './sync/sync-section.tsx';
import type { Sync } from './sync/use-sync.ts';

interface ProfileBodyProps {
  loaded: LoadedProfile;
  /** The last refresh brought nothing. */
  refreshFailed: boolean;
  /** Above everything else. */
  top?: ReactNode;
  /** Whether the panel is open. */
  open: boolean;
  now: number;
  refreshing: boolean;
  onRefresh: () => void;
  sync: Sync;
  /** Warnings that are not about the look-up. */
  children?: ReactNode;
}

/** The result of a look-up: the company or the reason why there is none, and in both cases the helpdesk's data. */
export function ProfileBody({
  loaded,
  top,
  refreshFailed,
  open,
  now,
  refreshing,
  onRefresh,
  sync,
  children,
}: ProfileBodyProps) {
  const t = useTexts();
  const syncButton = useRef<HTMLButtonElement>(null);
  const [found, setFound] = useState<{ company: FoundCompany; button: HTMLElement } | null>(null);
  const { profile, before } = loaded;
  const changes = useChanges(loaded, now);
  const model = profileModel(profile, t, now, before);
  const { company } = profile.bitrix;
  const rejecting = useRejection(profile, sync.reload);
  const unavailable = refreshing || sync.busy !== null;
  const refresh = () => {
    sync.dismiss();
    onRefresh();
  };
  const dismiss = () => {
    // Rendered before the focus moves: a section that reappears would take the focus otherwise.
    const { isFound } = sync;
    flushSync(sync.dismiss);
    (isFound ? found?.button : syncButton.current)?.focus();
  };
  const choose = (company: FoundCompany, button: HTMLElement) => {
    const target = targetOf(profile.ticket.name, company);
    if (target === null) return;
    setFound({ company, button });
    sync.previewFound(target);
  };
  const busy = refreshing || sync.busy !== null;
  const find = <FindSection profile={profile} open={open} unavailable={busy} onChoose={choose} />;
  return (
    <ChangesContext value={changes}>
      {top}
      {model.company ? (
        <CompanyView
          profile={profile}
          model={model.company}
          people={model.people}
          groups={model.groups}
          now={now}
          find={find}
        >
          {children}
        </CompanyView>
      ) : (
        <WithoutCompany profile={profile} now={now} refreshing={refreshing} onRefresh={refresh} find={find}>
          {children}
          <People people={model.people} />
          <RowGroups groups={model.groups} />
        </WithoutCompany>
      )}
      <RejectedCompanies profile={profile} rejecting={rejecting} unavailable={unavailable} now={now} />
      <Around profile={profile} open={open} now={now} />
      <WhyTeam ticket={profile.ticket.name} group={profile.ticket.agent_group} open={open} now={now} />
      <SyncSection sync={sync} profile={profile} refreshing={refreshing} onRefresh={refresh} onDismiss={dismiss}>
        {sync.isFound && found && <FoundCard company={found.company} />}
      </SyncSection>
      <WrongCustomer profile={profile} rejecting={rejecting} unavailable={unavailable} />
      {company && (
        <Footer
          freshness={[
            freshnessLine(profile.bitrix, now, t),
            refreshFailed ? t.shell.notRefreshed : before && t.shell.changes(changes.size),
          ]
            .filter(Boolean)
            .join(' · ')}
          crmUrl={safeHttpUrl(company.url)}
          refreshing={refreshing}
          onRefresh={refresh}
          sync={sync}
          syncButton={syncButton}
        />
      )}
    </ChangesContext>
  );
}

/** What the agent's last refresh changed. */
function useChanges({ profile, before }: LoadedProfile, now: number): Changes {
  const t = useTexts();
  return useMemo(() => (before ? changesBetween(before, profile, t, now) : noChanges), [profile, before, t, now]);
}

interface WithoutCompanyProps extends Pick<ProfileBodyProps, 'now' | 'refreshing' | 'onRefresh' | 'children'> {
  profile: ProfileData;
  find: ReactNode;
}

function WithoutCompany({ profile, now, refreshing, onRefresh, find, children }: WithoutCompanyProps) {
  const t = useTexts();
  const { canRetry, requestId, footnote, ...message } = crmMessage(profile.bitrix, now, t);
  const label = profile.bitrix.status === 'error' ? t.shell.tryNow : t.shell.lookAgain;
  return (
    <>
      <MessageView {...message} footnote={requestId ? <RequestId id={requestId} /> : footnote}>
        {canRetry && (
          <Button icon="refresh" busy={refreshing} onClick={onRefresh}>
            {label}
          </Button>
        )}
      </MessageView>
      {find}
      <div className="flex flex-col gap-4 border-t border-line px-4 pt-3 pb-4">
        <FieldNotes notes={profile.notes} />
        {children}
      </div>
    </>
  );
}
