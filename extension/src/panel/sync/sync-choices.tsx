import type { AdoptionCandidate } from '@deskside/shared/enrichment';
import clsx from 'clsx';
import { useId } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { WithNames } from '#ui/with-names.tsx';
import { ownByHand } from './sync-request.ts';

interface AdoptionChoiceProps {
  candidates: readonly AdoptionCandidate[];
  /** The chosen candidate, null for a new customer. */
  choice: string | null;
  unavailable: boolean;
  onChoose: (adopt: string | null) => void;
}

/**
 * Which customer the company is: one that somebody made by hand, or a new one, unless the ticket's own may be it. Nothing if
 * there is no choice.
 */
export function AdoptionChoice({ candidates, choice, unavailable, onChoose }: AdoptionChoiceProps) {
  const { sync } = useTexts();
  const group = useId();
  const reason = useId();
  if (candidates.length === 0) return null;
  const own = ownByHand(candidates);
  if (own !== null && candidates.length === 1) return <p className="text-xs text-ink-2">{sync.notTheirs}</p>;
  const mayNot = candidates.some(({ may_adopt }) => !may_adopt);
  const options = [
    ...(own === null ? [{ name: null, detail: null, disabled: unavailable }] : []),
    ...candidates.map(({ name, of_ticket, may_adopt }) => ({
      name,
      detail: of_ticket ? sync.onThisTicket : sync.byHand,
      disabled: unavailable || !may_adopt,
    })),
  ];
  return (
    <fieldset aria-describedby={mayNot ? reason : undefined}>
      <legend className="mb-1 text-xs font-semibold text-ink-2">{sync.which}</legend>
      {options.map(({ name, detail, disabled }) => (
        <label
          key={name}
          className={clsx('flex min-h-7 items-center gap-2 wrap-anywhere', disabled ? 'text-ink-3' : 'cursor-pointer')}
        >
          <input
            type="radio"
            name={group}
            className="size-4 shrink-0 accent-link"
            checked={choice === name}
            disabled={disabled}
            onChange={() => onChoose(name)}
          />
          <span>
            {name === null ? sync.newOne : <bdi className="font-medium">{name}</bdi>}
            {detail && <span className="text-ink-3"> · {detail}</span>}
          </span>
        </label>
      ))}
      {own !== null && <p className="mt-1 text-xs text-ink-2">{sync.notTheirs}</p>}
      {mayNot && (
        <p id={reason} className="mt-1 text-xs text-ink-3">
          {sync.mayNotAdopt}
        </p>
      )}
    </fieldset>
  );
}

interface RerouteChoiceProps {
  /** The other team that the rules would choose; null or undefined if they choose none. */
  team: string | null | undefined;
  checked: boolean;
  unavailable: boolean;
  onChange: (checked: boolean) => void;
}

/** Whether a sync also sends the ticket to the team that the rules choose. Nothing if they choose no other. */
export function RerouteChoice({ team, checked, unavailable, onChange }: RerouteChoiceProps) {
  const { sync } = useTexts();
  const meaning = useId();
  if (team == null) return null;
  return (
    <div className="wrap-anywhere">
      <label className="flex min-h-7 cursor-pointer items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-link"
          aria-describedby={meaning}
          checked={checked}
          disabled={unavailable}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>
          <WithNames text={sync.reroute(team)} names={[team]} />
        </span>
      </label>
      <p id={meaning} className="text-xs text-ink-2">
        {sync.rerouteMeans}
      </p>
    </div>
  );
}
