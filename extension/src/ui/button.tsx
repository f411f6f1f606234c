import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  icon?: IconName;
  solid?: boolean;
  /** As words in a line. */
  plain?: boolean;
  /** Unlike `disabled`, it stays focusable, so that screen readers can read the reason. */
  unavailable?: boolean;
  /** Its action is running: shows a spinner and ignores clicks. */
  busy?: boolean;
  /** It has the focus in the sheet that opens with it. */
  first?: boolean;
}

/** How every text button looks, apart from its colours. */
export const buttonLook =
  'inline-flex min-h-7 items-center justify-center gap-1.5 rounded-md border px-2.5 py-0.5 text-sm font-medium';

export function Button(props: ButtonProps) {
  const { icon, solid, plain, unavailable, busy, first, children, className, onClick, ...rest } = props;
  const inert = unavailable || busy;
  return (
    <button
      type="button"
      aria-disabled={inert || undefined}
      aria-busy={busy}
      data-first={first ? '' : undefined}
      onClick={inert ? undefined : onClick}
      className={clsx(
        plain ? 'target font-medium underline' : buttonLook,
        plain
          ? unavailable && 'cursor-not-allowed text-ink-3'
          : unavailable && !busy
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

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName;
  /** Its accessible name and tooltip. */
  label: string;
  busy?: boolean;
  unavailable?: boolean;
}

export function IconButton({ icon, label, busy, unavailable, className, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-busy={busy}
      aria-disabled={unavailable || undefined}
      className={clsx('icon-button', busy && 'spinning', className)}
      onClick={unavailable ? undefined : onClick}
      {...rest}
    >
      <Icon name={busy ? 'busy' : icon} />
    </button>
  );
}

/** What leads elsewhere, without a referrer. `href`: checked by one of `safe-url.ts`. */
export function OutLink({ className = 'target text-link hover:underline', ...rest }: ComponentProps<'a'>) {
  return <a target="_blank" rel="noopener noreferrer" className={className} {...rest} />;
}

/** As an icon; `label` is its accessible name and tooltip. */
export function IconLink({ href, icon, label }: { href: string; icon: IconName; label: string }) {
  return (
    <OutLink href={href} aria-label={label} title={label} className="icon-button">
      <Icon name={icon} />
    </OutLink>
  );
}
