import { useContext } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { ChangesContext, isShown, Value } from '#panel/rows/value.tsx';
import { SectionTitle } from '#ui/section-title.tsx';
import { type HealthModel, highestLevel } from './health.ts';

const segments = Array.from({ length: highestLevel + 1 }, (_, nth) => nth);

/** The health score: a word and a gauge for its band, the score, and how it has changed. */
export function HealthCard({ health }: { health: HealthModel }) {
  const { fields } = useTexts();
  const changes = useContext(ChangesContext);
  const { segment, detail, last, level, code } = health;
  if (![segment, detail, last].some((part) => isShown(part, changes))) return null;
  return (
    <section aria-label={fields.hsi}>
      <SectionTitle title={fields.health}>{isShown(last, changes) && <Value part={last} />}</SectionTitle>
      <div className="flex items-center gap-2.5 text-md font-semibold wrap-anywhere" title={code}>
        {isShown(segment, changes) && <Value part={segment} />}
        {level !== null && (
          <span aria-hidden="true" className="flex flex-1 gap-0.5">
            {segments.map((nth) => (
              <span key={nth} className={nth <= level ? `gauge gauge-${nth}` : 'gauge'} />
            ))}
          </span>
        )}
        {isShown(detail, changes) && <Value part={detail} />}
      </div>
    </section>
  );
}
