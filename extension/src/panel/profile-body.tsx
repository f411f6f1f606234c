import type { FoundCompany } from '@deskside/shared/find';
import type { ProfileData } from '@deskside/shared/profile';
import { type PointerEvent, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { canInsert, insertOnce, insertText, lastMessageFrom, openReply } from '#host-page/reply.ts';
import { languageOf } from '#i18n/format.ts';
import type { PanelError, SyncTarget } from '#messaging/protocol.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import { IconButton, IconLink } from '#ui/button.tsx';
import { MenuButton } from '#ui/menu-button.tsx';
import { safeHttpUrl } from '#ui/safe-url.ts';
import { focusedBeside } from '#ui/shadow-root.ts';
import { CompanyDetails, HelpdeskRecord } from './company/company-details.tsx';
import { CompanyChoice, Compare } from './company/company-sheets.tsx';
import { FactsGrid, factsOf } from './facts/facts.tsx';
import { canFind, FindCompany, kindsOf, nothingBySender, useFoundBySender } from './find/find-company.tsx';
import { Head } from './head.tsx';
import { HeadContext, InsertContext, usePage } from './parts/page.ts';
import { writeText } from './parts/rows.tsx';
import { Sheet } from './parts/sheet.tsx';
import { People } from './people/people.tsx';
import { notUndone, useRejected, useRejection, WrongCustomer } from './reject/wrong-customer.tsx';
import { WhyTeam } from './routing/why-team.tsx';
import { freshnessLine } from './status/freshness.ts';
import { SaidFailure } from './status/views.tsx';
import { NextStep, StepAction } from './steps/next-step.tsx';
import { becameTheirs, type Change, type Question, type Step, stepsOf, tellOwner, undoAction } from './steps/steps.ts';
import { doneSentence, syncFailureMessage } from './sync/sync.ts';
import { SyncSheet } from './sync/sync-sheet.tsx';
import type { Outcome, Sync } from './sync/use-sync.ts';
import { type Texts, textsFor, useTexts } from './texts/texts.ts';
import { RecentTickets, useTickets } from './tickets/recent-tickets.tsx';
import { usePageBehind } from './use-page-behind.ts';

interface ProfileBodyProps {
  answered: ProfileData;
  profile: ProfileData;
  onShowCompany: (orgId: string) => void;
  failure: PanelError | null;
  online: boolean;
  open: boolean;
  now: number;
  refreshing: boolean;
  onRefresh: () => void;
  reload: () => Promise<unknown>;
  sync: Sync;
}

/** The customer of a ticket, from top to bottom: who, what next, four facts, people, tickets, and the records. */
export function ProfileBody(props: ProfileBodyProps) {
  const { answered, profile, open, now, refreshing, reload, sync } = props;
  const t = useTexts();
  const isReplying = usePage(canInsert, open);
  const body = useRef<HTMLDivElement>(null);
  const sheet = useSheet(body);
  const tickets = useTickets(profile, answered, open);
  const rejecting = useRejection(profile, reload);
  const rejected = useRejected(profile, rejecting, now);
  const insertQuestion = useInsertQuestion(profile);
  const busy = refreshing || sync.busy !== null || rejecting.busy !== null;
  const hasWritten = sync.outcome !== null || rejecting.writes > 0;
  const behind = usePageBehind(hasWritten ? profile.ticket.customer : undefined);

  // What lies under a sheet is not reached with Tab, and starts nothing.
  const isCovered = sheet.opened !== null || rejecting.asking || sync.preview !== null;

  const refresh = () => {
    sync.dismiss();
    props.onRefresh();
  };
  const itsThem = (adopt?: string) => isCovered || sheet.opening(() => sync.start(adopt));
  const choose = (target: SyncTarget, company: FoundCompany) => sheet.opening(() => sync.startFound(target, company));
  const { alternatives, lookup_value } = profile.bitrix;
  const { isSearching, nothingFound, searchedBy } = useSenderSearch(profile, open);
  const changes = [...changesOf(profile, sync, t), ...(behind ? [behind] : []), ...rejected];
  const situation = { ...props, nothingFound, link: `${location.origin}${location.pathname}`, t };
  const told = tellOwner(situation, t.steps.mail.twins(alternatives.length + 1, lookup_value ?? ''));
  const steps = [
    ...notDone(sync, t),
    ...notUndone(rejecting, t),
    ...stepsOf(situation, {
      insertQuestion,
      refresh,
      retry: () => void reload(),
      itsThem: sync.possible && !busy ? itsThem : null,
      choose: () => sheet.open('companies'),
      compare: () => sheet.open('twins'),
    }),
  ];
  return (
    <SaidFailure value={props.failure}>
      <InsertContext value={isReplying ? insertText : null}>
        <HeadActions
          profile={profile}
          sync={sync}
          busy={busy}
          onItsThem={itsThem}
          onReject={() => sheet.opening(rejecting.ask)}
          onFind={() => sheet.open('find')}
        />
        <Head profile={profile} />
        <div className="below">
          <div ref={body} className="contents" inert={isCovered}>
            <Scroller>
              <NextStep changes={changes} steps={steps} told={sync.outcome ?? rejecting.writes} />
              {isSearching && open && (
                <FindCompany profile={profile} isDirect={false} unavailable={busy} onChoose={choose} />
              )}
              <FactsGrid facts={factsOf(profile, tickets, t)} />
              <People profile={profile} />
              <RecentTickets tickets={tickets} profile={profile} now={now} />
              <CompanyDetails profile={profile} />
              <HelpdeskRecord profile={profile} />
              <WhyTeam ticket={profile.ticket.name} group={profile.ticket.agent_group} open={open} now={now} />
            </Scroller>
            <Foot {...props} searchedBy={searchedBy} onRefresh={refresh} />
          </div>
          <CompanySheet {...props} opened={sheet.opened} told={told} onClose={sheet.close}>
            <FindCompany profile={profile} isDirect unavailable={busy} onChoose={choose} />
          </CompanySheet>
          <WrongCustomer
            profile={profile}
            rejecting={rejecting}
            unavailable={busy}
            onCancel={sheet.putAway(rejecting.cancel)}
          />
          <SyncSheet
            sync={sync}
            profile={profile}
            refreshing={refreshing}
            onRefresh={refresh}
            onDismiss={sheet.putAway(sync.dismiss)}
          />
        </div>
      </InsertContext>
    </SaidFailure>
  );
}

type SheetName = 'companies' | 'twins' | 'find';

/** Which sheet lies over the profile, and what gets the focus back once it is put away. */
function useSheet(body: RefObject<HTMLDivElement | null>) {
  const opener = useRef<Element | null>(null);
  const [opened, setOpened] = useState<SheetName | null>(null);

  /** Does something that may open a sheet, and remembers what gets the focus back. */
  const opening = (act: () => void) => {
    opener.current = focusedBeside(body.current);
    act();
  };
  const putAway = (put: () => void) => () => {
    flushSync(put);
    const before = opener.current;
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
  return {
    opened,
    opening,
    open: (sheet: SheetName) => opening(() => setOpened(sheet)),
    putAway,
    close: putAway(() => setOpened(null)),
  };
}

/** What is found by the sender, where the CRM has no company for the ticket. */
function useSenderSearch(profile: ProfileData, open: boolean) {
  const t = useTexts();
  const { company, status } = profile.bitrix;
  const isSearching = !company && status !== 'error' && canFind(profile) && !profile.pending.includes('crm');
  const bySender = useFoundBySender(profile, isSearching && open).data;
  const isSearched = isSearching && bySender?.crm.status === 'searched' && status === 'missing_orgid';
  return {
    isSearching,
    nothingFound: isSearching ? nothingBySender(bySender, t) : null,
    searchedBy: isSearched ? kindsOf(bySender, t, 'conjunction') : '',
  };
}

interface CompanySheetProps extends Pick<ProfileBodyProps, 'answered' | 'profile' | 'onShowCompany'> {
  opened: SheetName | null;
  told: ReturnType<typeof tellOwner>;
  onClose: () => void;
  /** The search for another company. */
  children: ReactNode;
}

/** Other companies over the one that is shown: those that the ticket names, those with its org id, or any. */
function CompanySheet({ answered, profile, opened, told, onShowCompany, onClose, children }: CompanySheetProps) {
  const t = useTexts();
  if (opened === 'companies') {
    const choose = (orgId: string) => {
      onShowCompany(orgId);
      onClose();
    };
    const { lookup_value: shown } = profile.bitrix;
    return <CompanyChoice answered={answered} shown={shown} onChoose={choose} onClose={onClose} />;
  }
  if (opened === 'twins')
    return (
      <Compare profile={profile} onClose={onClose}>
        {told && <StepAction action={told} look="solid" />}
      </Compare>
    );
  return (
    opened === 'find' && (
      <Sheet title={t.find.another} onClose={onClose}>
        {children}
      </Sheet>
    )
  );
}

/** Puts a question into the reply, in the language in which the sender wrote last; copies it where that fails. */
function useInsertQuestion({ ticket }: ProfileData): (question: Question) => void {
  const { language, shell } = useTexts();
  const announce = useAnnounce();
  return async (question) => {
    const written = lastMessageFrom(ticket.raised_by ?? '') ?? '';
    const text = textsFor(languageOf(written) ?? languageOf(ticket.subject ?? '') ?? language).steps.question[question];
    const isIn = (await openReply()) && insertOnce(text);
    if (isIn) return announce(shell.inserted(text));
    announce((await writeText(text)) ? shell.copied(text) : shell.copyFailed);
  };
}

function notDone({ outcome, forget }: Sync, t: Texts): Step[] {
  if (outcome?.kind !== 'failed') return [];
  const { title, body } = syncFailureMessage(outcome.failure, t);
  const read = { label: t.shell.gotIt, onPress: forget };
  return [{ key: 'not done', tone: 'bad', lead: `${title}.`, sentence: body, actions: [read] }];
}

function changesOf(profile: ProfileData, sync: Sync, t: Texts): Change[] {
  const { outcome } = sync;
  if (outcome === null || outcome.kind === 'failed') return becameTheirs(profile, t, sync.undo);
  return [doneChange(outcome, sync, t)];
}

/** What the last write has come to, with the way back in the same place. */
function doneChange({ kind, sync: data }: Exclude<Outcome, { kind: 'failed' }>, sync: Sync, t: Texts): Change {
  const { ticket, sync_id } = data;
  const read = { label: t.shell.gotIt, onPress: sync.forget };
  if (kind === 'nothing') return { key: kind, sentence: t.sync.nothing, action: read };
  const names = [ticket.customer];
  if (kind === 'undone') return { key: kind, names, sentence: t.sync.done.undone(ticket.customer), action: read };
  const undo = undoAction(t, () => sync_id && sync.undo(sync_id), {
    busy: sync.busy === 'undo',
    unavailable: sync.busy !== null,
    about: t.sync.undoLeaves,
  });
  return { key: kind, names, sentence: doneSentence(data, t), action: undo };
}

interface HeadActionsProps extends Pick<ProfileBodyProps, 'profile' | 'sync'> {
  busy: boolean;
  onItsThem: () => void;
  onReject: () => void;
  onFind: () => void;
}

/** In the panel's head: the company's page in the CRM, and what is done rarely. */
function HeadActions({ profile, sync, busy, onItsThem, onReject, onFind }: HeadActionsProps) {
  const { find, reject, shell, steps, sync: words } = useTexts();
  const place = useContext(HeadContext);
  const { company, lookup_value } = profile.bitrix;
  const href = safeHttpUrl(company?.url ?? null);
  if (place === null) return null;
  const confirm = sync.trust === 'confirmed' ? words.update : steps.itsThem;
  const more = [
    company && { label: confirm, unavailable: busy || !sync.possible, onChoose: onItsThem },
    lookup_value && { label: reject.button, unavailable: busy, onChoose: onReject },
    company && canFind(profile) && { label: find.another, onChoose: onFind },
  ].filter((item) => !!item);
  return createPortal(
    <>
      {href && <IconLink href={href} icon="external" label={`${shell.openInCrm} (${shell.newTab})`} />}
      {more.length > 0 && <MenuButton label={shell.more} items={more} />}
    </>,
    place,
  );
}

/** Where it came from and how old it is. `searchedBy`: there is no company, and the CRM was searched by this of the sender. */
function Foot({ profile, searchedBy, refreshing, sync, now, onRefresh }: ProfileBodyProps & { searchedBy: string }) {
  const t = useTexts();
  const { shell } = t;
  const fresh = searchedBy ? shell.searched(searchedBy) : freshnessLine(profile, now, t);
  const said = refreshing ? shell.refreshing : fresh;
  return (
    <div className="flex h-8 shrink-0 items-center border-t border-line ps-4 pe-2 text-xs text-ink-3">
      <p className="min-w-0 flex-1 truncate" title={said}>
        {said}
      </p>
      <IconButton
        icon="refresh"
        label={shell.refresh}
        busy={refreshing}
        unavailable={refreshing || sync.busy !== null}
        onClick={onRefresh}
      />
    </div>
  );
}

/** What scrolls, with a thin bar that lies over it and takes no room of its own. It scrolls in the ways it would without. */
function Scroller({ children }: { children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  const thumb = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [area, bar] = [scroller.current, thumb.current];
    if (!area || !bar) return;
    const place = () => {
      const { clientHeight, scrollHeight, scrollTop, offsetTop } = area;
      const share = clientHeight / scrollHeight;
      bar.hidden = share >= 1;
      bar.style.height = `${share * clientHeight}px`;
      bar.style.top = `${offsetTop + share * scrollTop}px`;
    };
    const sizes = new ResizeObserver(place);
    for (const one of [area, ...area.children]) sizes.observe(one);
    const parts = new MutationObserver(place);
    parts.observe(area, { childList: true, subtree: true });
    area.addEventListener('scroll', place, { passive: true });
    place();
    return () => {
      sizes.disconnect();
      parts.disconnect();
      area.removeEventListener('scroll', place);
    };
  }, []);
  const drag = ({ buttons, movementY, currentTarget, pointerId, type }: PointerEvent) => {
    const area = scroller.current;
    if (type === 'pointerdown') currentTarget.setPointerCapture(pointerId);
    else if (area && buttons === 1) area.scrollTop += (movementY * area.scrollHeight) / area.clientHeight;
  };
  return (
    <>
      <div ref={scroller} className="scroller" tabIndex={-1}>
        {children}
      </div>
      <div ref={thumb} aria-hidden="true" className="thumb" onPointerDown={drag} onPointerMove={drag} />
    </>
  );
}
