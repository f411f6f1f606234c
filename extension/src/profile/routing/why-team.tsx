import { useId, useRef } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { useFold } from '#ui/fold/fold.tsx';
import { FoldHeading } from '#ui/fold/fold-heading.tsx';
import { WhyTeamContent } from './why-team-content.tsx';

interface WhyTeamProps {
  ticket: string;
  /** The ticket's group according to the profile. */
  group: string | null;
  open: boolean;
  now: number;
}

/** Why the ticket is in its team. Nothing is requested while the section or the panel is closed. */
export function WhyTeam({ ticket, group, open, now }: WhyTeamProps) {
  const { routing } = useTexts();
  const [expanded, setExpanded] = useFold('why_team');
  const region = useId();
  const frame = useRef<HTMLDivElement>(null);
  return (
    <div ref={frame} className="scroll-mt-20 border-t border-line px-4 py-1.5">
      <FoldHeading title={routing.title} region={region} expanded={expanded} setExpanded={setExpanded} />
      <div id={region} hidden={!expanded}>
        {expanded && open && <WhyTeamContent ticket={ticket} group={group} now={now} frame={frame} />}
      </div>
    </div>
  );
}
