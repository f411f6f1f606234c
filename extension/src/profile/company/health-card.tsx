import clsx from 'clsx';
import { Fragment, useContext } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { ChangesContext, isShown, Value } from '#profile/rows/value.tsx';
import { Icon } from '#ui/icon.tsx';
import { type HealthModel, highestLevel, type Trend } from './health.ts';

const trendLooks = {
  up: { icon: 'up', tone: 'text-ok' },
  down: { icon: 'down', tone: 'text-warn' },
  same: { icon: 'same', tone: 'text-ink-3' },
} as const satisfies Record<Trend, object>;

/** The health score: a word and a bar for its band, the score, and its trend against the one before. */
export function HealthCard({ health }: { health: HealthModel }) {
  const { fields } = useTexts();
  const changes = useContext(ChangesContext);
  const { level, word, trend } = health;
  const now = [health.segment, health.detail].filter((part) => isShown(part, changes));
  const before = [health.lastSegment, health.lastDetail].filter((part) => isShown(part, changes));
  return (
    <section aria-label={fields.hsi} className="rounded-lg border border-line px-3 py-2.5">
      <h4 className="text-xs text-ink-3">{fields.hsi}</h4>
      {now.length === 0 ? (
        <p className="mt-0.5 text-ink-3">{fields.noHsi}</p>
      ) : (
        <p className="mt-0.5 flex flex-wrap items-baseline justify-between gap-x-3 text-md font-semibold">
          {word && <span>{word}</span>}
          <span className="flex flex-wrap gap-x-2 wrap-anywhere">
            {now.map((part) => (
              <span key={part.key} className={clsx(part === health.segment && 'text-sm font-normal')}>
                <Value part={part} />
              </span>
            ))}
          </span>
        </p>
      )}
      {level !== null && (
        <div className="mt-2 h-1 overflow-hidden rounded-sm bg-line text-link">
          <div className="term-fill h-full" style={{ width: `${(level / highestLevel) * 100}%` }} />
        </div>
      )}
      {before.length > 0 && (
        <p className="mt-1.5 flex flex-wrap items-center gap-x-1.5 text-xs text-ink-2 wrap-anywhere">
          {trend && (
            <span className={clsx('inline-flex items-center gap-1', trendLooks[trend].tone)}>
              <Icon name={trendLooks[trend].icon} size={12} />
              {fields.hsiTrend[trend]}
            </span>
          )}
          <span className={clsx(!trend && 'text-ink-3')}>
            {fields.lastHsi}:{' '}
            {before.map((part) => (
              <Fragment key={part.key}>
                <Value part={part} />{' '}
              </Fragment>
            ))}
          </span>
        </p>
      )}
    </section>
  );
}
