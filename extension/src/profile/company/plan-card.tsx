import clsx from 'clsx';
import { useContext } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { ChangesContext, isShown, Value } from '#profile/rows/value.tsx';
import { Tag } from '#ui/tag.tsx';
import type { Tone } from '#ui/tone.ts';
import type { PlanModel } from './plan.ts';

const tones = { active: 'ok', expiring_soon: 'warn', expired: 'bad' } as const satisfies Record<string, Tone>;
const bars = { active: 'text-ok', expiring_soon: 'text-warn', expired: 'text-bad' } as const;

/** The shop plan: name, status, and how much of its term has elapsed. */
export function PlanCard({ plan }: { plan: PlanModel }) {
  const { fields } = useTexts();
  const changes = useContext(ChangesContext);
  const dates = [plan.signed, plan.expiry].filter((part) => isShown(part, changes));
  return (
    <section aria-label={fields.plan} className="rounded-lg border border-line px-3 py-2.5">
      <div className="flex items-center justify-between gap-3">
        <h4 className="text-xs text-ink-3">{fields.plan}</h4>
        {plan.state && (
          <Tag tone={tones[plan.state]}>
            <Value part={plan.status} />
          </Tag>
        )}
      </div>
      <div className="mt-0.5 flex flex-wrap items-baseline justify-between gap-x-3 text-md font-semibold">
        <p className="min-w-0 wrap-anywhere">
          <Value part={plan.name} />
        </p>
        {isShown(plan.left, changes) && (
          <p className={clsx('whitespace-nowrap', plan.state && plan.state !== 'active' && bars[plan.state])}>
            <Value part={plan.left} />
          </p>
        )}
      </div>
      {plan.elapsed !== null && (
        <div className={clsx('mt-2 h-1 overflow-hidden rounded-sm bg-line', bars[plan.state ?? 'active'])}>
          <div className="term-fill h-full" style={{ width: `${(plan.elapsed * 100).toFixed(1)}%` }} />
        </div>
      )}
      {dates.length > 0 && (
        <p
          className={clsx(
            'flex flex-wrap justify-between gap-x-3 text-xs text-ink-2',
            plan.elapsed === null ? 'mt-1' : 'mt-1.5',
          )}
        >
          {dates.map((part) => (
            <span key={part.key}>
              <Value part={part} />
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
