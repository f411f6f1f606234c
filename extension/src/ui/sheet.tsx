import { type ReactNode, useEffect, useId, useRef } from 'react';
import { focusedBeside } from './shadow-root.ts';

interface SheetProps {
  title: string;
  /** Escape. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A sheet over the lower part of the panel. It takes the focus when it appears, unless the agent is working elsewhere on the
 * page; what opened it gets it back from whoever closes it.
 */
export function Sheet({ title, onClose, children }: SheetProps) {
  const id = useId();
  const sheet = useRef<HTMLElement>(null);
  useEffect(() => {
    const inPanel = sheet.current?.closest('.panel')?.contains(focusedBeside(sheet.current));
    const first = sheet.current?.querySelector<HTMLElement>('[data-first]') ?? sheet.current?.querySelector('h3');
    if (inPanel || document.activeElement === document.body) first?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      ref={sheet}
      aria-labelledby={id}
      className="sheet"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        // For the sheet, not for the panel.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <h3 id={id} tabIndex={-1} className="mb-2.5 text-lg font-semibold">
        {title}
      </h3>
      <div className="flex flex-col gap-3">{children}</div>
    </section>
  );
}
