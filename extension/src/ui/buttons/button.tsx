import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from '#ui/icon.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  icon?: IconName;
  solid?: boolean;
  /** Unlike `disabled`, it stays focusable, so that screen readers can read the reason. */
  unavailable?: boolean;
  /** Its action is running: shows a spinner and ignores clicks. */
  busy?: boolean;
  /** It has only just appeared and ignores clicks for the moment. */
  arming?: boolean;
}

/** How every text button looks, apart from its colours. */
export const buttonLook =
  'inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-2 py-1 text-sm font-medium';

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
        buttonLook,
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

/** How an icon-only button looks, apart from its size. */
export const iconButton =
  'inline-grid shrink-0 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink';

/** An icon-only button; `label` is its accessible name and tooltip. */
export function IconButton({ icon, label, ...rest }: { icon: IconName; label: string } & ComponentProps<'button'>) {
  return (
    <button type="button" aria-label={label} title={label} className={clsx(iconButton, 'size-7')} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
