import clsx from 'clsx';
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { Icon } from '#ui/icon.tsx';

/** Which sections the agent has opened (true) or folded before, and where to keep that, by the section's id. */
export interface Folds {
  remembered: Readonly<Record<string, boolean>>;
  remember(id: string, open: boolean): void;
}

export const FoldsContext = createContext<Folds>({ remembered: {}, remember: () => {} });

interface FoldProps {
  /** The same for this section on every ticket: it is as the agent left it the last time, on whatever ticket. */
  id?: string;
  title: ReactNode;
  /** Beside the title: what the section holds, in a word. */
  aside?: ReactNode;
  /** For an agent who has never touched it. */
  initially?: boolean;
  /** Open it, whatever the agent left it as: it has something new. It can be folded again. */
  open?: boolean | undefined;
  /** What a function makes is there only while the section is open. `asked`: the agent has opened it on this ticket. */
  children: ReactNode | ((asked: boolean) => ReactNode);
}

/** A collapsible section. */
export function Fold({ id, title, aside, initially = false, open, children }: FoldProps) {
  const { remembered, remember } = useContext(FoldsContext);
  const [own, setOwn] = useState<boolean>();
  const [forced, setForced] = useState(open);
  const [folded, setFolded] = useState(false);
  const region = useId();
  // New content opens it once more.
  if (forced !== open) {
    setForced(open);
    setFolded(false);
  }
  const chosen = own ?? (id === undefined ? undefined : remembered[id]) ?? initially;
  const isOpen = (open && !folded) || chosen;
  const choose = () => {
    setFolded(isOpen);
    setOwn(!isOpen);
    if (id !== undefined) remember(id, !isOpen);
  };
  return (
    <div>
      <h4>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={region}
          onClick={choose}
          className="flex min-h-6 w-full items-center gap-1 rounded-sm text-start text-xs font-semibold text-ink-3 wrap-anywhere hover:text-ink"
        >
          {title}
          <span className={clsx('inline-flex', isOpen && 'rotate-180')}>
            <Icon name="chevron" size={12} />
          </span>
          <span className="flex-1" />
          {aside}
        </button>
      </h4>
      <div id={region} hidden={!isOpen} className="pt-0.5">
        {typeof children === 'function' ? isOpen && children(own === true) : children}
      </div>
    </div>
  );
}
