import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { RowGroups } from '#profile/rows/row-groups.tsx';
import { ChangesContext } from '#profile/rows/value.tsx';
import { shownTrust } from '#summary/shown-trust.ts';
import { Button } from '#ui/buttons/button.tsx';
import { DeliberateButton } from '#ui/buttons/deliberate-button.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { WithNames } from '#ui/with-names.tsx';
import { AdoptionChoice } from './adoption-choice.tsx';
import { MoveChoice } from './move-choice.tsx';
import { SyncFailed } from './sync-failed.tsx';
import { syncModel } from './sync-model.ts';
import { appliedSentence, previewSentence, undoSentences } from './sync-sentence.ts';
import type { Sync } from './use-sync.ts';

interface SyncSectionProps {
  sync: Sync;
  profile: ProfileData;
  refreshing: boolean;
  onRefresh: () => void;
  /** Closes the section; the focus returns to the button that opened it. */
  onDismiss: () => void;
  /** The company that was found, where the preview is not about the one on screen. */
  children?: ReactNode;
}

/** Preview, result or failure of Sync customer, below the profile. */
export function SyncSection({ sync, profile, refreshing, onRefresh, onDismiss, children }: SyncSectionProps) {
  const t = useTexts();
  const { stage } = sync;
  if (stage.step === 'none') return null;
  if (stage.step === 'failed')
    return (
      <Frame key="failed" icon="alert" title={t.sync.failed}>
        <SyncFailed
          failure={stage.failure}
          bitrix={profile.bitrix}
          onRefresh={onRefresh}
          onAgain={refreshing ? null : sync.again}
          onDismiss={onDismiss}
        />
      </Frame>
    );
  const { step } = stage;
  const blocked = refreshing || sync.busy !== null;
  const trust = sync.isFound ? 'unknown' : shownTrust(profile);
  const { groups, changes } = syncModel(stage.sync, t, trust);
  const { ticket, customer } = stage.sync;
  const names = [customer?.name ?? null, ticket.customer, ticket.previous_customer];
  const details = (
    <Fold key="details" id="sync_details" title={t.sync.details}>
      <div className="flex flex-col gap-3">
        <ChangesContext value={changes}>
          <RowGroups groups={groups} />
        </ChangesContext>
      </div>
    </Fold>
  );
  if (step === 'applied')
    return (
      <Frame key={step} icon="check" tone="text-ok" title={t.sync.synced}>
        <p className="wrap-anywhere">
          <WithNames text={appliedSentence(stage.sync, t)} names={names} />
        </p>
        <Writes
          label={t.sync.undo}
          icon="undo"
          busy={sync.busy === 'undo'}
          unavailable={blocked}
          onPress={sync.undo}
          about={<WithNames text={undoSentences(stage.sync, t)} names={names} />}
        />
        {details}
      </Frame>
    );
  if (step === 'undone')
    return (
      <Frame key={step} icon="undo" title={t.sync.undone}>
        <p className="wrap-anywhere">
          <WithNames text={t.sync.ticketNow(ticket.customer)} names={names} />{' '}
          {customer?.adopted ? t.sync.released(customer.name) : t.sync.recordStays}
          {stage.sync.moved_back && ` ${t.sync.movedBack(stage.sync.moved_back)}`}
        </p>
        <div>
          <Button onClick={onDismiss}>{t.sync.gotIt}</Button>
        </div>
      </Frame>
    );
  if (changes.size === 0)
    return (
      <Frame key={step} icon="check" title={t.sync.nothing}>
        <p>{t.sync.nothingBody}</p>
        <div>
          <Button onClick={onDismiss}>{t.sync.gotIt}</Button>
        </div>
      </Frame>
    );
  const isSure = trust === 'confirmed' || trust === 'likely';
  const sentence = previewSentence(stage.sync, t, trust);
  return (
    <Frame key={step} icon="link" title={t.sync.willChange} shows={sentence}>
      {children}
      <AdoptionChoice
        candidates={stage.sync.adoptable ?? []}
        choice={sync.choice}
        unavailable={refreshing || sync.busy === 'apply'}
        onChoose={sync.choose}
      />
      <p className="wrap-anywhere">
        <WithNames text={sentence} names={names} />
      </p>
      <MoveChoice
        move={stage.sync.move}
        moves={sync.moves}
        unavailable={refreshing || sync.busy === 'apply'}
        onChange={sync.setMoves}
      />
      {!isSure && <Note tone="warn" title={t.sync.confirms} />}
      <Writes
        solid
        label={t.sync.now}
        icon="link"
        busy={sync.busy === 'apply'}
        unavailable={blocked}
        onPress={sync.apply}
      >
        <Button unavailable={blocked} onClick={onDismiss}>
          {t.sync.cancel}
        </Button>
      </Writes>
      {/* Below the buttons, so that opening it does not move them. */}
      {details}
    </Frame>
  );
}

interface FrameProps {
  icon: IconName;
  tone?: string;
  title: string;
  /** What it shows; where that changes, the frame is brought into view again. */
  shows?: string;
  children: ReactNode;
}

/** Scrolls into view when it appears, and takes the focus unless the agent is working elsewhere on the page. */
function Frame({ icon, tone = 'text-ink-2', title, shows, children }: FrameProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement } = (section.current?.getRootNode() ?? document) as Document | ShadowRoot;
    const inPanel = section.current?.closest('.panel')?.contains(activeElement);
    if (inPanel || document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (shows !== '') section.current?.scrollIntoView({ block: 'nearest' });
  }, [shows]);
  return (
    <section ref={section} aria-labelledby={id} className="border-t border-line px-4 pt-3 pb-4">
      <h3 id={id} ref={heading} tabIndex={-1} className="mb-2.5 flex items-center gap-1.5 text-md font-semibold">
        <span className={tone}>
          <Icon name={icon} />
        </span>
        {title}
      </h3>
      <div className="flex flex-col gap-3 text-sm">{children}</div>
    </section>
  );
}

interface WritesProps {
  label: string;
  icon: IconName;
  solid?: boolean;
  busy: boolean;
  unavailable: boolean;
  onPress: () => void;
  /** What is to be known before it is pressed. */
  about?: ReactNode;
  children?: ReactNode;
}

/** The button that makes a change, and other choices. */
function Writes({ about, children, ...button }: WritesProps) {
  const { sync } = useTexts();
  const id = useId();
  return (
    <>
      {about && (
        <p id={id} className="text-xs text-ink-2 wrap-anywhere">
          {about}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <DeliberateButton
          {...button}
          {...(about && { 'aria-describedby': id })}
          texts={{ ...sync.covered, cancel: sync.cancel }}
        />
        {children}
      </div>
    </>
  );
}
