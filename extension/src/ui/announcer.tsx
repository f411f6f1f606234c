import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const AnnounceContext = createContext<(message: string) => void>(() => {});

interface AnnouncerProps {
  /** What the messages are about: those about anything else are gone at once. */
  topic: string | null;
  children: ReactNode;
}

/** A hidden polite live region beside its children, who speak through `useAnnounce` (WCAG 4.1.3). */
export function Announcer({ topic, children }: AnnouncerProps) {
  const [said, setSaid] = useState({ topic, message: '', turn: 0 });
  const announce = useCallback(
    (message: string) => setSaid(({ turn }) => ({ topic, message, turn: turn + 1 })),
    [topic],
  );
  return (
    <AnnounceContext value={announce}>
      <output aria-live="polite" className="sr-only">
        {/* A new element each time, so that the same words are read again. */}
        <span key={said.turn}>{said.topic === topic && said.message}</span>
      </output>
      {children}
    </AnnounceContext>
  );
}

/** Says something to users of a screen reader. */
export function useAnnounce(): (message: string) => void {
  return useContext(AnnounceContext);
}
