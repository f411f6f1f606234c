import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, useId } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { RowGroups } from '#panel/rows/row-groups.tsx';
import { ChangesContext } from '#panel/rows/value.tsx';
import { shownTrust } from '#summary/shown-trust.ts';
import { Button } from '#ui/buttons/button.tsx';
import { DeliberateButton } from '#ui/buttons/deliberate-button.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import type { IconName } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { WithNames } from '#ui/with-names.tsx';
import { AdoptionChoice, RerouteChoice } from './sync-choices.tsx';
import { SyncFailed } from './sync-failed.tsx';
import { syncModel } from './sync-model.ts';
import { appliedSentence, previewSentence, undoneSentences, undoSentences } from './sync-sentence.ts';
import type { Sync } from './use-sync.ts';

interface SyncSheetProps {
  sync: Sync;
  profile: ProfileData;
  refreshing: boolean;
  onRefresh: () => void;
  /** Closes the sheet; the focus returns to the button that opened it. */
  onDismiss: () => void;
  /** The company that was found, where the preview is not about the one on screen. */
  children?: ReactNode;
}

/** Preview, result or failure of Sync customer, over the profile. */
export function SyncSheet({ sync, profile, refreshing, onRefresh, onDismiss, children }: SyncSheetProps) {
  const t = useTexts();
  const { stage } = sync;
  if (stage.step === 'none' || sync.isTucked) return null;
  if (stage.step === 'failed')
    return (
      <Sheet key="failed" icon="alert" title={t.sync.failed} onClose={onDismiss}>
        <SyncFailed
          failure={stage.failure}
          bitrix={profile.bitrix}
          onRefresh={onRefresh}
          onAgain={refreshing ? null : sync.again}
          onDismiss={onDismiss}
        />
      </Sheet>
    );
  const { step } = stage;
  const blocked = refreshing || sync.busy !== null;
  const trust = sync.isFound ? 'unknown' : shownTrust(profile);
  const { groups, changes } = syncModel(stage.sync, t, trust);
  const { ticket, customer, team = null } = stage.sync;
  const names = [customer?.name ?? null, ticket.customer, ticket.previous_customer, team];
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
      <Sheet key={step} icon="check" tone="text-ok" title={t.sync.synced} onClose={sync.tuck}>
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
        >
          <Button onClick={sync.tuck}>{t.shell.done}</Button>
        </Writes>
        {details}
      </Sheet>
    );
  const isUndone = step === 'undone';
  if (isUndone || changes.size === 0)
    return (
      <Sheet
        key={step}
        icon={isUndone ? 'undo' : 'check'}
        title={isUndone ? t.sync.undone : t.sync.nothing}
        onClose={onDismiss}
      >
        <p className="wrap-anywhere">
          <WithNames text={isUndone ? undoneSentences(stage.sync, t) : t.sync.nothingBody} names={names} />
        </p>
        <div>
          <Button onClick={onDismiss}>{t.sync.gotIt}</Button>
        </div>
      </Sheet>
    );
  const isSure = trust === 'confirmed' || trust === 'likely';
  const sentence = previewSentence(stage.sync, t, trust);
  return (
    <Sheet key={step} icon="link" title={t.sync.willChange} onClose={onDismiss}>
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
      <RerouteChoice
        team={stage.sync.team}
        checked={sync.reroutes}
        unavailable={refreshing || sync.busy === 'apply'}
        onChange={sync.setReroutes}
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
    </Sheet>
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
        <DeliberateButton {...button} {...(about && { 'aria-describedby': id })} covered={sync.covered} />
        {children}
      </div>
    </>
  );
}
