import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';

interface FoldHeadingProps {
  title: string;
  /** Id of the element that it shows and hides. */
  region: string;
  expanded: boolean;
  setExpanded: (expanded: boolean) => void;
  /** Beside the title: what the section holds, in a word. */
  children?: ReactNode;
}

/** The heading of a section that it folds; `useFold` has its state. */
export function FoldHeading({ title, region, expanded, setExpanded, children }: FoldHeadingProps) {
  return (
    <h4>
      <button
        type="button"
        aria-expanded={expanded}
        aria-controls={region}
        onClick={() => setExpanded(!expanded)}
        className="flex min-h-6 w-full items-center gap-1 rounded-sm text-start text-xs font-semibold text-ink-3 hover:text-ink"
      >
        {title}
        <span className={clsx('inline-flex', expanded && 'rotate-180')}>
          <Icon name="chevron" size={12} />
        </span>
        <span className="flex-1" />
        {children}
      </button>
    </h4>
  );
}
