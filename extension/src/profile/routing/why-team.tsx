import { useCallback, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '#i18n/panel/texts-context.ts';
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
  // Only for an agent who opens the section: where it was left open, the ticket opens at its top all the same.
  const asked = useRef(false);
  const show = useCallback(() => {
    if (asked.current) frame.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const choose = (open: boolean) => {
    asked.current = open;
    flushSync(() => setExpanded(open));
    show();
  };
  return (
    <div ref={frame}>
      <FoldHeading title={routing.title} region={region} expanded={expanded} setExpanded={choose} />
      <div id={region} hidden={!expanded}>
        {expanded && open && <WhyTeamContent ticket={ticket} group={group} now={now} onAnswered={show} />}
      </div>
    </div>
  );
}
