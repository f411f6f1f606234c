import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../ui/button.tsx';
import { safeHttpUrl } from '../ui/safe-url.ts';
import { type Changes, changesBetween, noChanges } from './changes.ts';
import { CompanyView } from './company-view.tsx';
import { crmMessage } from './crm-message.ts';
import { FieldNotes } from './field-notes.tsx';
import { Footer } from './footer.tsx';
import { freshnessLine } from './freshness.ts';
import { MessageView } from './message-view.tsx';
import type { Loaded } from './profile-query.ts';
import { RowGroups } from './row-groups.tsx';
import { SyncSection } from './sync-section.tsx';
import { useTexts } from './texts-context.tsx';
import type { Sync } from './use-sync.ts';
import { ChangesContext } from './value.tsx';
import { profileView } from './view-model.ts';
import { WhyTeam } from './why-team.tsx';

interface ProfileBodyProps {
  loaded: Loaded;
  /** Whether the panel is. */
  open: boolean;
  now: number;
  refreshing: boolean;
  onRefresh: () => void;
  sync: Sync;
  /** Warnings from outside the look-up. */
  children?: ReactNode;
}

/** An answered look-up: the company, or the reason why there is none, and in either case what the helpdesk knows. */
export function ProfileBody({ loaded, open, now, refreshing, onRefresh, sync, children }: ProfileBodyProps) {
  const t = useTexts();
  const syncButton = useRef<HTMLButtonElement>(null);
  const { profile, before } = loaded;
  const changes = useChanges(loaded, now);
  const model = profileView(profile, t, now, before);
  const { company } = profile.bitrix;
  const refresh = () => {
    sync.dismiss();
    onRefresh();
  };
  const dismiss = () => {
    // On screen first: what comes back into view takes the focus, and this is where it belongs.
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

/** What the agent's last refresh changed, as worded on screen. */
export function useChanges({ profile, before }: Loaded, now: number): Changes {
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
