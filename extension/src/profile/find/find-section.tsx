import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, useId } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { useFold } from '#ui/fold/fold.tsx';
import { FoldHeading } from '#ui/fold/fold-heading.tsx';
import { FindCompany } from './find-company.tsx';
import { findMode } from './find-mode.ts';
import type { OnChoose } from './found-list.tsx';

interface FindSectionProps {
  profile: ProfileData;
  /** Whether the panel is open. */
  open: boolean;
  /** Another action is running. */
  unavailable: boolean;
  onChoose: OnChoose;
}

/** Find company, where there is none or a doubtful one: there folded, in a box among what makes it doubtful. */
export function FindSection({ profile, open, unavailable, onChoose }: FindSectionProps) {
  const mode = findMode(profile);
  if (mode === null) return null;
  const find = <FindCompany ticket={profile.ticket.name} unavailable={unavailable} onChoose={onChoose} />;
  if (mode === 'open') return <div className="border-t border-line px-4 pt-3 pb-4">{open && find}</div>;
  return <Folded>{open && find}</Folded>;
}

function Folded({ children }: { children: ReactNode }) {
  const { find } = useTexts();
  // Not remembered: where it is folded, a company is on screen, and what is doubtful about it comes first.
  const [expanded, setExpanded] = useFold(undefined);
  const region = useId();
  return (
    <div className="rounded-lg border border-line px-3 py-1">
      <FoldHeading title={find.another} region={region} expanded={expanded} setExpanded={setExpanded} />
      <div id={region} hidden={!expanded} className="pt-2 pb-2">
        {expanded && children}
      </div>
    </div>
  );
}
