import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { type ReactNode, useId, useState } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { Icon } from '#ui/icon.tsx';
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
  const [expanded, setExpanded] = useState(false);
  const region = useId();
  return (
    <div className="rounded-lg border border-line px-3 py-1">
      <h4>
        <button
          type="button"
          aria-expanded={expanded}
          aria-controls={region}
          onClick={() => setExpanded(!expanded)}
          className="flex min-h-8 w-full items-center justify-between gap-2 rounded-sm text-start text-sm font-semibold text-ink-2 hover:text-ink"
        >
          {find.another}
          <span className={clsx('inline-flex', expanded && 'rotate-180')}>
            <Icon name="chevron" size={14} />
          </span>
        </button>
      </h4>
      <div id={region} hidden={!expanded} className="pt-1 pb-2">
        {expanded && children}
      </div>
    </div>
  );
}
