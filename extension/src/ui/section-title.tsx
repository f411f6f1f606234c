import type { ReactNode } from 'react';

/** The heading of a part of the panel, and what is to be said beside it. */
export function SectionTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-1 flex items-baseline justify-between gap-3 text-xs text-ink-3">
      <h4 className="font-semibold">{title}</h4>
      <span>{children}</span>
    </div>
  );
}
