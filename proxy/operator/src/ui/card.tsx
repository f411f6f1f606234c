import type { ReactNode } from 'react';

/** A part of a page, under a heading of its own. */
export function Card({
  title,
  hint,
  aside,
  children,
}: {
  title: string;
  hint?: string | undefined;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-paper p-4">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <h2 className="text-md font-semibold">{title}</h2>
          {hint && <p className="text-sm text-ink-3">{hint}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}
