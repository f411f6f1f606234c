import type { SyncMove } from '@deskside/shared/enrichment';
import { useTexts } from '#i18n/panel/texts-context.ts';

interface MoveChoiceProps {
  /** Where the rules send the ticket; null or undefined if it stays where it is. */
  move: SyncMove | null | undefined;
  moves: boolean;
  unavailable: boolean;
  onChange: (moves: boolean) => void;
}

/** Whether a sync also moves the ticket to the team and the agent that the rules name. Nothing if they name no other. */
export function MoveChoice({ move, moves, unavailable, onChange }: MoveChoiceProps) {
  const { sync } = useTexts();
  if (!move) return null;
  return (
    <label className="flex min-h-7 cursor-pointer items-start gap-2 wrap-anywhere">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-link"
        checked={moves}
        disabled={unavailable}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {sync.move(move.team, move.agent)} <span className="text-ink-3">{sync.moveFrom(move.from)}</span>
      </span>
    </label>
  );
}
