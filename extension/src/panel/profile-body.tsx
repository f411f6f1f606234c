import type { FoundCompany } from '@deskside/shared/find';
import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { shownTrust } from '#summary/shown-trust.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ActionBar } from './action-bar.tsx';
import { Around } from './around/around.tsx';
import { changesBetween } from './company/changes.ts';
import { CompanyHeader } from './company/company-header.tsx';
import { HealthCard } from './company/health-card.tsx';
import { PlanCard } from './company/plan-card.tsx';
import { profileModel } from './company/profile-model.ts';
import { FindCompany } from './find/find-company.tsx';
import { canFind, targetOf } from './find/find-model.ts';
import { FoundCard } from './find/found-card.tsx';
import { type Opened, OpenedSheet } from './opened-sheet.tsx';
import { type Page, PageContext, usePage } from './page-context.ts';
import { People } from './people/people-view.tsx';
import type { LoadedProfile } from './query/profile-query.ts';
import { RejectedCompanies } from './reject/rejected-companies.tsx';
import { useRejection } from './reject/use-rejection.ts';
import { WrongCustomer } from './reject/wrong-customer.tsx';
import { WhyTeam } from './routing/why-team.tsx';
import { type Changes, noChanges, type Part } from './rows/row.ts';
import { RowGroups } from './rows/row-groups.tsx';
import { ChangesContext, InsertContext } from './rows/value.tsx';
import { crmMessage } from './status/crm-message.ts';
import { freshnessLine } from './status/freshness.ts';
import { MessageView } from './status/message-view.tsx';
import { SyncSheet } from './sync/sync-section.tsx';
import type { Sync } from './sync/use-sync.ts';
import { usePageBehind } from './use-page-behind.ts';
import { WarningSlot } from './warnings/warning-slot.tsx';
import { warningsOf } from './warnings/warnings.ts';

interface ProfileBodyProps {
  /** As answered, with the leading company. */
  answered: ProfileData;
  /** As shown. */
  loaded: LoadedProfile;
  onShowCompany: (orgId: string) => void;
  /** Why the profile could not be updated, and the pause before it is asked again by itself. */
  failure: PanelError | null;
  retryMs: number | false;
  online: boolean;
  /** The last refresh brought nothing. */
  refreshFailed: boolean;
  /** Whether the panel is open. */
  open: boolean;
  now: number;
  refreshing: boolean;
  onRefresh: () => void;
  /** Requests the profile again, as after any write. */
  reload: () => Promise<unknown>;
  sync: Sync;
}

/** The result of a look-up: the company or the reason why there is none, and in both cases the helpdesk's data. */
export function ProfileBody(props: ProfileBodyProps) {
  const { answered, loaded, open, now, refreshing, onRefresh, reload, sync } = props;
  const t = useTexts();
  const syncButton = useRef<HTMLButtonElement>(null);
  const opener = useRef<HTMLElement | null>(null);
  const [found, setFound] = useState<{ company: FoundCompany; button: HTMLElement } | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const { profile, before } = loaded;
  const changes = useChanges(loaded, now);
  const model = profileModel(profile, t, now, before);
  const rejecting = useRejection(profile, reload);
  const busy = refreshing || sync.busy !== null;
  const { step } = sync.stage;
  const hasWritten = step === 'applied' || step === 'undone' || rejecting.done !== null;
  const behind = usePageBehind(hasWritten ? profile.ticket.customer : undefined);
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
  /** Remembers what gets the focus back. */
  const remember = () => {
    const { activeElement } = (syncButton.current?.getRootNode() ?? document) as Document | ShadowRoot;
    opener.current = activeElement as HTMLElement | null;
  };
  const show = (what: Opened) => {
    remember();
    setOpened(what);
  };
  const reject = () => {
    remember();
    rejecting.ask();
  };
  const putAway = (put: () => void) => () => {
    flushSync(put);
    opener.current?.focus();
  };
  const close = putAway(() => setOpened(null));
  // What lies under a sheet is not reached with Tab.
  const isCovered = opened !== null || rejecting.asking || (step !== 'none' && !sync.isTucked);
  const isBack = rejecting.done === 'undone' && model.company !== null;
  useEffect(() => {
    if (isBack) syncButton.current?.focus();
  }, [isBack]);
  const warnings = [
    ...(sync.isTucked
      ? [
          {
            key: 'synced',
            tone: 'ok' as const,
            sentence: `${t.sync.synced}.`,
            action: { label: `${t.sync.undo}…`, onPress: sync.untuck },
          },
        ]
      : []),
    ...(behind ? [behind] : []),
    ...warningsOf({ ...props, profile }, t, {
      ...{ retry: () => void reload(), refresh },
      ...{ reason: () => show('reason'), choose: () => show('companies'), compare: () => show('twins') },
      link: sync.possible && !busy ? sync.preview : null,
    }),
  ];
  const find = (isDirect: boolean) => (
    <FindCompany ticket={profile.ticket.name} isDirect={isDirect} unavailable={busy} onChoose={choose} />
  );
  const canReject = profile.bitrix.lookup_value !== null;
  const more = [
    ...(canReject ? [{ label: t.reject.button, unavailable: busy, onChoose: reject }] : []),
    { label: t.find.another, onChoose: () => show('reason') },
  ];
  return (
    <ChangesContext value={changes}>
      <Inserting profile={profile} active={open}>
        <div className="contents" inert={isCovered}>
          {model.company && (
            <>
              <CompanyHeader profile={profile} company={model.company} onReason={() => show('reason')} />
              <ActionBar {...{ profile, refreshing, sync, syncButton, more }} onRefresh={refresh} />
            </>
          )}
          <div className="scroller">
            <WarningSlot warnings={warnings} />
            {!model.company && (
              <WithoutCompany profile={profile} now={now} refreshing={refreshing} onRefresh={refresh}>
                {canFind(profile) && open && find(false)}
              </WithoutCompany>
            )}
            <div className="flex flex-col gap-3 px-4 pt-2.5 pb-3">
              {model.company && <PlanCard plan={model.company.plan} />}
              {model.company && <HealthCard health={model.company.health} />}
              <People people={model.people} others={model.company ? [model.company.owner, model.company.reach] : []} />
              <RowGroups groups={model.groups} />
              <Around profile={profile} open={open} now={now} />
              <WhyTeam ticket={profile.ticket.name} group={profile.ticket.agent_group} open={open} now={now} />
              <RejectedCompanies profile={profile} rejecting={rejecting} unavailable={busy} now={now} />
            </div>
          </div>
          {model.company && <Foot {...props} changes={changes.size} />}
        </div>
        {opened && (
          <OpenedSheet
            what={opened}
            {...{ answered, profile, sync, now }}
            unavailable={busy}
            find={canFind(profile) && find(true)}
            onShowCompany={props.onShowCompany}
            onDone={() => setOpened(null)}
            onClose={close}
          />
        )}
        <WrongCustomer
          profile={profile}
          rejecting={rejecting}
          unavailable={busy}
          onCancel={putAway(rejecting.cancel)}
        />
        <SyncSheet sync={sync} profile={profile} refreshing={refreshing} onRefresh={refresh} onDismiss={dismiss}>
          {sync.isFound && found && <FoundCard company={found.company} />}
        </SyncSheet>
      </Inserting>
    </ChangesContext>
  );
}

/** What the agent's last refresh changed. */
function useChanges({ profile, before }: LoadedProfile, now: number): Changes {
  const t = useTexts();
  return useMemo(() => (before ? changesBetween(before, profile, t, now) : noChanges), [profile, before, t, now]);
}

const canInsert = (page: Page) => page.canInsert();

/**
 * Lets values be inserted into the reply that is open. It goes to the sender, so plan and owner are offered only where
 * somebody vouches that the company is theirs.
 */
function Inserting({ profile, active, children }: { profile: ProfileData; active: boolean; children: ReactNode }) {
  const page = useContext(PageContext);
  const isOpen = usePage(canInsert, active);
  const trust = shownTrust(profile);
  const isSure = trust === 'confirmed' || trust === 'likely';
  const insert = ({ inserts, key }: Part) => (inserts && (isSure || key === 'company.id') ? page.insert : null);
  return <InsertContext value={isOpen ? insert : null}>{children}</InsertContext>;
}

/** How old the data is. */
function Foot({
  loaded: { profile, before },
  refreshFailed,
  refreshing,
  now,
  changes,
}: ProfileBodyProps & { changes: number }) {
  const t = useTexts();
  const parts = [
    refreshing ? t.shell.refreshing : freshnessLine(profile.bitrix, now, t),
    refreshFailed ? t.shell.notRefreshed : before && t.shell.changes(changes),
  ];
  return (
    <p className="shrink-0 truncate border-t border-line bg-sunken px-4 py-1.5 text-xs text-ink-3">
      {parts.filter(Boolean).join(' · ')}
    </p>
  );
}

interface WithoutCompanyProps extends Pick<ProfileBodyProps, 'now' | 'refreshing' | 'onRefresh'> {
  profile: ProfileData;
  children: ReactNode;
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
      {children && <div className="border-t border-line px-4 pt-3 pb-1">{children}</div>}
    </>
  );
}
