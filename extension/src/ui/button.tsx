import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  icon?: IconName;
  solid?: boolean;
  /** Stays focusable and says so, unlike `disabled`, so that its reason can be read. */
  unavailable?: boolean;
  /** What it stands for is being done: looks so, keeps its width, and takes no click. */
  busy?: boolean;
  /** Has only just appeared: takes no click yet. */
  arming?: boolean;
}

/** A text button. */
export function Button(props: ButtonProps) {
  const { icon, solid, unavailable, busy, arming, children, className, onClick, ...rest } = props;
  const inert = unavailable || busy || arming;
  return (
    <button
      type="button"
      aria-disabled={inert || undefined}
      aria-busy={busy}
      onClick={inert ? undefined : onClick}
      className={clsx(
        'inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-2.5 py-1 text-sm font-medium',
        unavailable && !busy
          ? 'cursor-not-allowed border-dashed border-line bg-paper text-ink-3'
          : solid
            ? 'border-solid bg-solid text-on-solid'
            : 'border-line bg-paper text-ink',
        busy && 'cursor-progress',
        !inert && !solid && 'hover:border-edge',
        className,
      )}
      {...rest}
    >
      {icon && (
        <span className={clsx('inline-flex', busy && 'spinning')}>
          <Icon name={busy ? 'busy' : icon} size={14} />
        </span>
      )}
      {children}
    </button>
  );
}

/** A button of an icon alone; `label` is its name and its tooltip. */
export function IconButton({ icon, label, ...rest }: { icon: IconName; label: string } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-grid size-7 shrink-0 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
