import clsx from 'clsx';
import { useEffect, useId, useRef, useState } from 'react';
import { DeliberateButton } from '#panel/parts/deliberate-button.tsx';
import { useTexts } from '#panel/texts/texts.ts';
import { Button, buttonLook, OutLink } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { toneClass, toneText } from '#ui/note.tsx';
import { WithNames } from '#ui/with-names.tsx';
import type { Change, NextAction, Step } from './steps.ts';

interface NextStepProps {
  changes: readonly Change[];
  steps: readonly Step[];
  /** What has just been done: a change of it gives the steps the focus, where it was lost with what was pressed. */
  told: unknown;
}

export function NextStep({ changes, steps, told }: NextStepProps) {
  const t = useTexts();
  const [all, setAll] = useState(false);
  const id = useId();
  const [first, ...others] = steps;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (told && document.activeElement === document.body) section.current?.focus();
  }, [told]);
  if (!first && changes.length === 0) return null;
  return (
    <section ref={section} tabIndex={-1} aria-label={t.steps.title} className="mx-4 mb-3 rounded-lg">
      {changes.length > 0 && (
        <ul className="mb-2 flex flex-col gap-1 text-xs text-ink-2">
          {changes.map(({ key, sentence, names = [], action }) => (
            <li key={key} className="wrap-anywhere">
              <WithNames text={sentence} names={names} /> {action && <StepAction action={action} look="plain" />}
            </li>
          ))}
        </ul>
      )}
      <ul id={id} className="flex flex-col gap-2">
        {(all ? steps : steps.slice(0, 1)).map((step) => (
          <li key={step.key} className={clsx('rounded-lg px-3 py-2.5', toneClass[step.tone])}>
            <OneStep step={step} />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <button
          type="button"
          aria-expanded={all}
          aria-controls={id}
          className="mt-1 min-h-6 rounded-sm text-xs text-ink-2 underline"
          onClick={() => setAll(!all)}
        >
          {all ? t.steps.fewer : t.steps.more(others.length)}
        </button>
      )}
    </section>
  );
}

function OneStep({ step: { lead, sentence, names = [], actions = [], tone } }: { step: Step }) {
  const shown = actions.filter((action) => action !== null);
  return (
    <>
      <p className="text-ink wrap-anywhere">
        {lead && <b className={clsx('font-semibold', toneText[tone])}>{lead}</b>}{' '}
        <WithNames text={sentence} names={names} />
      </p>
      {shown.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-1.5">
          {shown.map((action, nth) => (
            <StepAction key={action.label} action={action} look={nth === 0 ? 'solid' : undefined} />
          ))}
        </div>
      )}
    </>
  );
}

export function StepAction({ action, look: kind }: { action: NextAction; look: 'solid' | 'plain' | undefined }) {
  const about = useId();
  const { label, icon, href, unavailable = false, busy = false } = action;
  const solid = kind === 'solid';
  const isPlain = kind === 'plain';
  const press = () => action.onPress?.();
  if (href)
    return (
      <OutLink
        href={href}
        className={clsx(buttonLook, solid ? 'border-solid bg-solid text-on-solid' : 'border-line bg-paper text-ink')}
      >
        {icon && <Icon name={icon} size={14} />}
        {label}
      </OutLink>
    );
  const described = action.about ? { 'aria-describedby': about } : {};
  const look = { ...(icon && !isPlain && { icon }), solid, plain: isPlain, unavailable, busy, ...described };
  return (
    <>
      {action.isDeliberate ? (
        <DeliberateButton label={label} onPress={press} {...look} />
      ) : (
        <Button onClick={press} {...look}>
          {label}
        </Button>
      )}
      {action.about && (
        <p id={about} className={isPlain ? 'sr-only' : 'w-full text-xs text-ink-2'}>
          {action.about}
        </p>
      )}
    </>
  );
}
