import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTexts } from '#panel/texts/texts.ts';
import { IconButton } from '#ui/button.tsx';
import { focusedBeside } from '#ui/shadow-root.ts';

interface SheetProps {
  title: string;
  /** Escape, its ✕, or a press on another part of the panel. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A sheet below the name and how sure that is, as high as what is in it. It takes the focus when it appears, unless the agent
 * is working elsewhere on the page; what opened it gets it back from whoever closes it.
 */
export function Sheet({ title, onClose, children }: SheetProps) {
  const id = useId();
  const { shell } = useTexts();
  const sheet = useRef<HTMLElement>(null);
  useEffect(() => {
    const inPanel = sheet.current?.closest('.panel')?.contains(focusedBeside(sheet.current));
    const first = sheet.current?.querySelector<HTMLElement>('[data-first]') ?? sheet.current?.querySelector('h3');
    if (inPanel || document.activeElement === document.body) first?.focus({ preventScroll: true });
    sheet.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    const panel = sheet.current?.closest('.panel');
    // On its way down: the press that opens the sheet has passed by then.
    const pressed = ({ target }: Event) => sheet.current?.contains(target as Node) || onClose();
    panel?.addEventListener('click', pressed, true);
    return () => panel?.removeEventListener('click', pressed, true);
  }, [onClose]);
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
      <h3 id={id} tabIndex={-1} className="mb-2.5 pe-8 text-lg font-semibold">
        {title}
      </h3>
      <div className="flex flex-col gap-3">{children}</div>
      {/* Behind the rest, so that what comes first with Tab is what the sheet is for. */}
      <IconButton icon="close" label={shell.closeSheet(title)} onClick={onClose} className="absolute end-2 top-2.5" />
    </section>
  );
}
