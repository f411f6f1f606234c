import type { ProfileData } from '@deskside/shared/profile';
import { useId } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { agePhrase } from '#panel/status/freshness.ts';
import { Button } from '#ui/buttons/button.tsx';
import { DeliberateButton } from '#ui/buttons/deliberate-button.tsx';
import { Note } from '#ui/note.tsx';
import { WithNames } from '#ui/with-names.tsx';
import type { Sync } from './use-sync.ts';

interface AdoptionNoteProps {
  profile: ProfileData;
  sync: Sync;
  unavailable: boolean;
  now: number;
  /** What follows has its own place. */
  onDone: () => void;
}

/** That the ticket's customer, made by hand, may belong to the company on screen, or became its customer. */
export function AdoptionNote({ profile, sync, unavailable, now, onDone }: AdoptionNoteProps) {
  const t = useTexts();
  const about = useId();
  const { adoption: texts } = t;
  const { adoption, adopted } = profile.bitrix;
  if (adoption)
    return (
      <Note tone="info" title={texts.offered(adoption.customer)}>
        <Button
          unavailable={unavailable || !sync.possible}
          onClick={() => {
            onDone();
            sync.adopt(adoption.customer);
          }}
        >
          {texts.preview}
        </Button>
      </Note>
    );
  if (!adopted) return null;
  const { id, customer, by, at } = adopted;
  return (
    <div className="border-b border-line pb-3 wrap-anywhere">
      <p className="text-sm">
        <WithNames text={texts.became(customer, by, agePhrase(at, now, t))} names={[customer, by]} />
      </p>
      <p id={about} className="mt-1 mb-2 text-xs text-ink-2">
        {texts.undoes}
      </p>
      <DeliberateButton
        label={texts.undo}
        icon="undo"
        busy={sync.busy === 'undo'}
        unavailable={unavailable}
        onPress={() => {
          onDone();
          sync.undoAdoption(id);
        }}
        aria-describedby={about}
        covered={t.sync.covered}
      />
    </div>
  );
}
