import clsx from 'clsx';
import { useContext } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { ChangesContext, isShown, Value } from '#panel/rows/value.tsx';
import { SectionTitle } from '#ui/section-title.tsx';
import type { PlanModel } from './plan.ts';

const tones = { active: 'text-ok', expiring_soon: 'text-warn', expired: 'text-bad' } as const;

/** The shop plan: name, status, and how much of its term has elapsed. */
export function PlanCard({ plan }: { plan: PlanModel }) {
  const { fields } = useTexts();
  const changes = useContext(ChangesContext);
  const dates = [plan.signed, plan.expiry].filter((part) => isShown(part, changes));
  const state = plan.state ?? 'active';
  const tone = state === 'active' ? undefined : tones[state];
  return (
    <section aria-label={fields.plan}>
      <SectionTitle title={fields.plan}>
        <span className={clsx(tone, 'font-medium')}>
          {isShown(plan.status, changes) && <Value part={plan.status} />}
          {isShown(plan.left, changes) && (
            <>
              {' · '}
              <Value part={plan.left} />
            </>
          )}
        </span>
      </SectionTitle>
      <p className="text-md font-semibold wrap-anywhere">
        <Value part={plan.name} />
      </p>
      {plan.elapsed !== null && (
        <div className={clsx('mt-1.5 h-1 overflow-hidden rounded-sm bg-line', tones[state])}>
          <div className="term-fill h-full" style={{ width: `${(plan.elapsed * 100).toFixed(1)}%` }} />
        </div>
      )}
      {dates.length > 0 && (
        <p className="mt-0.5 flex flex-wrap justify-between gap-x-3 text-xs text-ink-3">
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
