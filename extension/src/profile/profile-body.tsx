import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '#i18n/texts-context.ts';
import { Button } from '#ui/button.tsx';
import { safeHttpUrl } from '#ui/safe-url.ts';
import { changesBetween } from './company/changes.ts';
import { CompanyView } from './company/company-view.tsx';
import { FieldNotes } from './company/field-notes.tsx';
import { profileModel } from './company/profile-model.ts';
import { Footer } from './footer.tsx';
import type { LoadedProfile } from './query/profile-query.ts';
import { WhyTeam } from './routing/why-team.tsx';
import { type Changes, noChanges } from './rows/row.ts';
import { RowGroups } from './rows/row-groups.tsx';
import { ChangesContext } from './rows/value.tsx';
import { crmMessage } from './status/crm-message.ts';
import { freshnessLine } from './status/freshness.ts';
import { MessageView } from './status/message-view.tsx';
import { SyncSection } from './sync/sync-section.tsx';
import type { Sync } from './sync/use-sync.ts';

interface ProfileBodyProps {
  loaded: LoadedProfile;
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
export function ProfileBody({ loaded, open, now, refreshing, onRefresh, sync, children }: ProfileBodyProps) {
  const t = useTexts();
  const syncButton = useRef<HTMLButtonElement>(null);
  const { profile, before } = loaded;
  const changes = useChanges(loaded, now);
  const model = profileModel(profile, t, now, before);
  const { company } = profile.bitrix;
  const refresh = () => {
    sync.dismiss();
    onRefresh();
  };
  const dismiss = () => {
    // Rendered before the focus moves: a section that reappears would take the focus otherwise.
    flushSync(sync.dismiss);
    syncButton.current?.focus();
  };
  return (
    <ChangesContext value={changes}>
      {model.company ? (
        <CompanyView profile={profile} model={model.company} groups={model.groups} now={now}>
          {children}
        </CompanyView>
      ) : (
        <WithoutCompany profile={profile} now={now} refreshing={refreshing} onRefresh={refresh}>
          {children}
          <RowGroups groups={model.groups} />
        </WithoutCompany>
      )}
      <WhyTeam ticket={profile.ticket.name} group={profile.ticket.agent_group} open={open} now={now} />
      <SyncSection sync={sync} profile={profile} refreshing={refreshing} onRefresh={refresh} onDismiss={dismiss} />
      {company && (
        <Footer
          freshness={[freshnessLine(profile.bitrix, now, t), before && t.shell.changes(changes.size)]
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
}

function WithoutCompany({ profile, now, refreshing, onRefresh, children }: WithoutCompanyProps) {
  const t = useTexts();
  const { canRetry, ...message } = crmMessage(profile.bitrix, now, t);
  const label = profile.bitrix.status === 'error' ? t.shell.tryNow : t.shell.lookAgain;
  return (
    <>
      <MessageView {...message}>
        {canRetry && (
          <Button icon="refresh" busy={refreshing} onClick={onRefresh}>
            {label}
          </Button>
        )}
      </MessageView>
      <div className="flex flex-col gap-4 border-t border-line px-4 pt-3 pb-4">
        <FieldNotes notes={profile.notes} />
        {children}
      </div>
    </>
  );
}
