import { createContext, type ReactNode, useContext, useState } from 'react';
import { Icon } from '#ui/icon.tsx';

/** Which sections the agent has opened (true) or folded before, and where to keep that, by the section's id. */
export interface Folds {
  remembered: Readonly<Record<string, boolean>>;
  remember(id: string, open: boolean): void;
}

export const FoldsContext = createContext<Folds>({ remembered: {}, remember: () => {} });

/**
 * Whether a section is open, as the agent left it the last time, on whatever ticket.
 * @param id the same for this section on every ticket; undefined: not remembered
 * @param initially for an agent who has never touched it
 * @returns the state, and what the agent's own click calls with the new one
 */
export function useFold(id: string | undefined, initially = false): [open: boolean, set: (open: boolean) => void] {
  const { remembered, remember } = useContext(FoldsContext);
  const [own, setOwn] = useState<boolean>();
  const set = (open: boolean) => {
    setOwn(open);
    if (id !== undefined) remember(id, open);
  };
  return [own ?? (id === undefined ? undefined : remembered[id]) ?? initially, set];
}

interface FoldProps {
  /** See `useFold`. */
  id?: string;
  title: ReactNode;
  /** For an agent who has never touched it. */
  initially?: boolean;
  /** Open it, whatever the agent left it as: it has something new. It can be folded again. */
  open?: boolean | undefined;
  children: ReactNode;
}

/** A collapsible section. */
export function Fold({ id, title, initially, open, children }: FoldProps) {
  const [chosen, choose] = useFold(id, initially);
  const [forced, setForced] = useState(open);
  const [folded, setFolded] = useState(false);
  // New content opens it once more.
  if (forced !== open) {
    setForced(open);
    setFolded(false);
  }
  const isOpen = (open && !folded) || chosen;
  return (
    <details open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is interactive. */}
      <summary
        onClick={(event) => {
          event.preventDefault();
          setFolded(isOpen);
          choose(!isOpen);
        }}
        className="flex min-h-6 list-none items-center gap-1 rounded-sm text-xs font-semibold text-ink-3 wrap-anywhere hover:text-ink"
      >
        {title}
        <span className="inline-flex [details[open]>summary>&]:rotate-180">
          <Icon name="chevron" size={12} />
        </span>
      </summary>
      <div className="pt-0.5">{children}</div>
    </details>
  );
}
