import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

const AnnounceContext = createContext<(message: string) => void>(() => {});

interface AnnouncerProps {
  /** What the messages are about. A change clears the last message. */
  topic: string | null;
  children: ReactNode;
}

/** A hidden polite live region beside its children, which use it through `useAnnounce` (WCAG 4.1.3). */
export function Announcer({ topic, children }: AnnouncerProps) {
  const [last, setLast] = useState({ topic, message: '', count: 0 });
  const announce = useCallback(
    (message: string) => setLast(({ count }) => ({ topic, message, count: count + 1 })),
    [topic],
  );
  return (
    <AnnounceContext value={announce}>
      <output aria-live="polite" className="sr-only">
        {/* A new element each time, so that a repeated message is read again. */}
        <span key={last.count}>{last.topic === topic && last.message}</span>
      </output>
      {children}
    </AnnounceContext>
  );
}

export function useAnnounce(): (message: string) => void {
  return useContext(AnnounceContext);
}

/** Announces what is on screen, and whatever comes in its place; null: nothing. */
export function useAnnounced(message: string | null): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (message !== null) announce(message);
  }, [message, announce]);
}
