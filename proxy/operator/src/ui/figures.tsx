import clsx from 'clsx';
import type { ReactNode } from 'react';

/** A few numbers side by side, each with what it counts. */
export function Figures({ figures }: { figures: readonly { label: string; value: ReactNode; hint?: string }[] }) {
  return (
    <dl className={clsx('grid gap-3', figures.length === 3 ? 'grid-cols-3' : 'grid-cols-2 sm:grid-cols-4')}>
      {figures.map(({ label, value, hint }) => (
        <div key={label} className="flex min-w-0 flex-col">
          <dt className="text-xs text-ink-3">{label}</dt>
          <dd className="text-2xl font-semibold wrap-anywhere">{value}</dd>
          {hint && <dd className="text-xs text-ink-3">{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
