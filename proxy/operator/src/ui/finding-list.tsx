import { Tag } from '@deskside/extension/ui/tag';
import type { OperatorHealth } from '@deskside/shared/operator/today';
import { useTexts } from '#i18n/texts.ts';

type Findings = OperatorHealth['findings'];

/** What is wrong and how to mend it, faults before warnings; nothing if nothing is. */
export function FindingList({ findings }: { findings: Findings }) {
  const { title } = useTexts().today.health;
  if (findings.length === 0) return null;
  const ordered = findings.toSorted((a, b) => a.severity.localeCompare(b.severity));
  return (
    <ul className="flex flex-col gap-3" aria-label={title}>
      {ordered.map((finding) => (
        <Finding key={`${finding.code} ${finding.problem}`} finding={finding} />
      ))}
    </ul>
  );
}

function Finding({ finding: { area, code, severity, problem, remedy, about } }: { finding: Findings[number] }) {
  const { health } = useTexts().today;
  const said = health.said[code];
  return (
    <li className="flex flex-col gap-0.5 text-sm wrap-anywhere">
      <span className="flex flex-wrap items-center gap-2">
        <Tag tone={severity === 'error' ? 'bad' : 'warn'} icon="alert">
          {health[severity]}
        </Tag>
        {!said && (
          <span className="text-xs text-ink-3" lang="en">
            {area}
          </span>
        )}
      </span>
      <span className="font-medium" {...(!said && { lang: 'en' })}>
        {said?.[0] ?? problem}
      </span>
      <span className="text-ink-2">
        {health.remedy}: {said ? said[1] : <span lang="en">{remedy}</span>}
      </span>
      {said && about && (
        <span className="text-ink-2">
          {health.about}: <bdi>{about}</bdi>
        </span>
      )}
      {said && (
        <details className="text-ink-3">
          <summary className="w-fit rounded-sm py-1 text-xs hover:text-ink">{health.details}</summary>
          <p lang="en">
            {problem} {remedy}
          </p>
        </details>
      )}
    </li>
  );
}
