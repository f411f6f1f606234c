import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { RowGroups } from '#profile/rows/row-groups.tsx';
import { ChangesContext } from '#profile/rows/value.tsx';
import { shownTrust } from '#summary/shown-trust.ts';
import { Button } from '#ui/button.tsx';
import { DeliberateButton } from '#ui/deliberate-button.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { AdoptionChoice } from './adoption-choice.tsx';
import { SyncFailed } from './sync-failed.tsx';
import { syncModel } from './sync-model.ts';
import type { Sync } from './use-sync.ts';

interface SyncSectionProps {
  sync: Sync;
  profile: ProfileData;
  refreshing: boolean;
  onRefresh: () => void;
  /** Closes the section; the focus returns to the sync button. */
  onDismiss: () => void;
}

/** Preview, result or failure of Sync customer, below the profile. */
export function SyncSection({ sync, profile, refreshing, onRefresh, onDismiss }: SyncSectionProps) {
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
          onAgain={sync.possible && !refreshing ? sync.preview : null}
          onDismiss={onDismiss}
        />
      </Frame>
    );
  const { step } = stage;
  const blocked = refreshing || sync.busy !== null;
  const trust = shownTrust(profile);
  const { groups, changes } = syncModel(stage.sync, t, trust);
  const rows = (
    <ChangesContext value={changes}>
      <RowGroups groups={groups} />
    </ChangesContext>
  );
  if (step === 'applied')
    return (
      <Frame key={step} icon="check" tone="text-ok" title={t.sync.synced}>
        {rows}
        <Writes label={t.sync.undo} icon="undo" busy={sync.busy === 'undo'} unavailable={blocked} onPress={sync.undo} />
      </Frame>
    );
  if (step === 'undone')
    return (
      <Frame key={step} icon="undo" title={t.sync.undone}>
        {rows}
        <p className="text-xs text-ink-3">
          {stage.sync.customer?.adopted ? t.sync.released(stage.sync.customer.name) : t.sync.recordStays}
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
        {rows}
        <div>
          <Button onClick={onDismiss}>{t.sync.gotIt}</Button>
        </div>
      </Frame>
    );
  const isSure = trust === 'confirmed' || trust === 'likely';
  return (
    <Frame key={step} icon="link" title={t.sync.willChange}>
      <AdoptionChoice
        candidates={stage.sync.adoptable ?? []}
        choice={sync.choice}
        unavailable={refreshing || sync.busy === 'apply'}
        onChoose={sync.choose}
      />
      {rows}
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
    </Frame>
  );
}

/** Scrolls into view when it appears, and takes the focus unless the agent is working elsewhere on the page. */
function Frame(props: { icon: IconName; tone?: string; title: string; children: ReactNode }) {
  const { icon, tone = 'text-ink-2', title, children } = props;
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement } = (section.current?.getRootNode() ?? document) as Document | ShadowRoot;
    const inPanel = section.current?.closest('dialog')?.contains(activeElement);
    if (inPanel || document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
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
  children?: ReactNode;
}

/** The button that makes a change, and other choices. */
function Writes({ children, ...button }: WritesProps) {
  const { sync } = useTexts();
  return (
    <div className="flex flex-wrap gap-2">
      <DeliberateButton {...button} texts={{ ...sync.covered, cancel: sync.cancel }} />
      {children}
    </div>
  );
}
