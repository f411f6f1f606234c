import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface FoldProps {
  title: ReactNode;
  open?: boolean | undefined;
  children: ReactNode;
}

/** A collapsible section. */
export function Fold({ title, open, children }: FoldProps) {
  return (
    <details open={open}>
      <summary className="flex min-h-6 list-none items-center gap-1 rounded-sm text-xs font-semibold text-ink-2 wrap-anywhere hover:text-ink">
        {title}
        <span className="inline-flex [details[open]>summary>&]:rotate-180">
          <Icon name="chevron" size={12} />
        </span>
      </summary>
      <div className="pt-1.5">{children}</div>
    </details>
  );
}
