import clsx from 'clsx';
import { useEffect, useId, useRef, useState } from 'react';
import { DeliberateButton } from '#panel/deliberate-button.tsx';
import { useTexts } from '#panel/texts.ts';
import { Button, buttonLook } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { toneClass, toneText } from '#ui/note.tsx';
import { WithNames } from '#ui/with-names.tsx';
import type { Action, Step } from './steps.ts';

interface NextStepProps {
  steps: readonly Step[];
  /** What has just been done: a change of it gives the steps the focus, where it was lost with what was pressed. */
  told: unknown;
}

/** The one next step, and how many more there are. */
export function NextStep({ steps, told }: NextStepProps) {
  const t = useTexts();
  const [all, setAll] = useState(false);
  const id = useId();
  const [first, ...others] = steps;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (told && document.activeElement === document.body) section.current?.focus();
  }, [told]);
  if (!first) return null;
  return (
    <section ref={section} tabIndex={-1} aria-label={t.steps.title} className="mx-4 mb-3 rounded-lg">
      <ul id={id} className="flex flex-col gap-2">
        {(all ? steps : [first]).map((step) => (
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
            <StepAction key={action.label} action={action} solid={nth === 0} />
          ))}
        </div>
      )}
    </>
  );
}

function StepAction({ action, solid }: { action: Action; solid: boolean }) {
  const about = useId();
  const { label, icon, href, unavailable = false, busy = false } = action;
  const press = () => action.onPress?.();
  if (href)
    return (
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className={clsx(buttonLook, solid ? 'border-solid bg-solid text-on-solid' : 'border-line bg-paper text-ink')}
      >
        {icon && <Icon name={icon} size={14} />}
        {label}
      </a>
    );
  const described = action.about ? { 'aria-describedby': about } : {};
  const look = { ...(icon && { icon }), solid, unavailable, busy, ...described };
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
        <p id={about} className="w-full text-xs text-ink-2">
          {action.about}
        </p>
      )}
    </>
  );
}
