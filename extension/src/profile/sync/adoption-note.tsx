import type { AdoptionEvidence } from '@deskside/shared/adoption';
import type { ProfileData } from '@deskside/shared/profile';
import { useId } from 'react';
import { list } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { agePhrase } from '#profile/status/freshness.ts';
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
        <Reasons evidence={adoption.evidence} />
        <div className="mt-2">
          <Button
            unavailable={unavailable || !sync.possible}
            onClick={() => {
              onDone();
              sync.adopt(adoption.customer);
            }}
          >
            {texts.preview}
          </Button>
        </div>
      </Note>
    );
  if (!adopted) return null;
  const { id, customer, by, evidence, at } = adopted;
  return (
    <div className="border-b border-line pb-3 wrap-anywhere">
      <p className="text-sm">
        <WithNames text={texts.became(customer, by, agePhrase(at, now, t))} names={[customer, by]} />
      </p>
      {evidence.for.length > 0 && <Reasons evidence={evidence} />}
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

function Reasons({ evidence }: { evidence: AdoptionEvidence }) {
  const t = useTexts();
  const { speaksFor, against, nothing } = t.adoption;
  return (
    <>
      <p className="text-xs">
        {speaksFor} <bdi>{factList(evidence.for, t) || nothing}</bdi>
      </p>
      {evidence.against.length > 0 && (
        <p className="text-xs">
          {against} <bdi>{factList(evidence.against, t)}</bdi>
        </p>
      )}
    </>
  );
}

/** As many as are read at a glance. */
const maxFacts = 4;

function factList(facts: AdoptionEvidence['for' | 'against'], t: Texts): string {
  return list(
    t.language,
    facts.slice(0, maxFacts).map(({ code, value }) => t.adoption.fact[code](value)),
  );
}
