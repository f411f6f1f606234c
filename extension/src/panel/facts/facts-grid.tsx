import clsx from 'clsx';
import { useTexts } from '#panel/texts-context.ts';
import type { Fact } from './facts.ts';
import { highestLevel } from './facts.ts';

const levels = Array.from({ length: highestLevel + 1 }, (_, nth) => nth);
/** One colour for the whole band. */
const levelTones = ['text-bad', 'text-bad', 'text-warn', 'text-warn', 'text-ok', 'text-ok'];

/** The facts, two in a row. */
export function FactsGrid({ facts }: { facts: readonly Fact[] }) {
  const { fields } = useTexts();
  if (facts.length === 0) return null;
  return (
    <dl aria-label={fields.facts} className="facts">
      {facts.map((fact) => (
        <div key={fact.label} className="min-w-0 px-4 py-2.5">
          <dt className="truncate text-xs text-ink-3" title={fact.about}>
            {fact.label}
          </dt>
          <dd className="flex items-center font-semibold" title={fact.whole || undefined}>
            <bdi className="truncate">{fact.value}</bdi>
            {fact.level != null && <Dots level={fact.level} />}
          </dd>
          <dd className={clsx('truncate text-xs', tones[fact.tone ?? 'plain'])}>
            <Detail {...fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const tones = { plain: 'text-ink-2', warn: 'font-medium text-warn', bad: 'font-medium text-bad' } as const;

function Detail({ detail, href, value, label }: Fact) {
  if (!detail) return null;
  if (!href) return <bdi title={detail}>{detail}</bdi>;
  return (
    <a href={href} aria-label={`${detail}: ${value} (${label})`} className="target text-link hover:underline">
      {detail}
    </a>
  );
}

/** A band among all: what the word beside it says, to be seen. */
function Dots({ level }: { level: number }) {
  return (
    <span aria-hidden="true" className={clsx('ms-1.5 inline-flex shrink-0 gap-0.5', levelTones[level])}>
      {levels.map((nth) => (
        <i key={nth} className={nth <= level ? 'dot dot-on' : 'dot'} />
      ))}
    </span>
  );
}
