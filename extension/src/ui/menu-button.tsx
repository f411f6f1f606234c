import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from './button.tsx';

interface MenuButtonProps {
  label: string;
  items: readonly { label: string; unavailable?: boolean; onChoose: () => void }[];
}

/** A button with a menu: arrow keys, Home and End move, Escape closes it and gives the focus back, Tab goes on from there. */
export function MenuButton({ label, items }: MenuButtonProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const buttons = () => [...(frame.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const close = () => {
    setOpen(false);
    frame.current?.querySelector('button')?.focus();
  };
  useEffect(() => {
    if (open) frame.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, [open]);
  const move = (event: KeyboardEvent) => {
    if (!open) return;
    const all = buttons();
    const at = all.indexOf(event.target as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Tab') return close();
    if (next !== undefined) all[next % all.length]?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the menu in it.
    <div
      ref={frame}
      className="relative"
      onKeyDown={move}
      onBlur={({ relatedTarget }) => !frame.current?.contains(relatedTarget) && setOpen(false)}
    >
      <IconButton
        icon="more"
        label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div id={id} role="menu" aria-label={label} className="menu">
          {items.map(({ label: name, unavailable, onChoose }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-disabled={unavailable || undefined}
              className="block w-full rounded-sm px-2 py-1.5 text-start text-sm whitespace-nowrap hover:bg-sunken aria-disabled:text-ink-3"
              onClick={() => {
                if (unavailable) return;
                close();
                onChoose();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
