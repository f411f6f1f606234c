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
        className="flex min-h-8 w-full items-center gap-2 rounded-sm text-start text-sm font-semibold text-ink-2 hover:text-ink"
      >
        <span className="flex-1">{title}</span>
        {children}
        <span className={clsx('inline-flex', expanded && 'rotate-180')}>
          <Icon name="chevron" size={14} />
        </span>
      </button>
    </h4>
  );
}
