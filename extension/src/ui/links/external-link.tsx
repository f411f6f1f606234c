import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';

interface ExternalLinkProps {
  /** Checked by `safeHttpUrl`, `mailtoUrl` or `telUrl`. */
  href: string;
  /** Text that says that it opens in a new tab; leave out for `mailto:` and `tel:`. */
  newTab?: string;
  /** It stands on a line of its own, which it then makes high enough: padding would reach into the lines around it. */
  ownLine?: boolean;
  className?: string;
  children: ReactNode;
}

/** A link to another site, without a referrer. It flows with the text around it, and is as high as what a finger needs (WCAG 2.5.8). */
export function ExternalLink({ href, newTab, ownLine = false, className, children }: ExternalLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={clsx(
        'rounded-sm pt-1 pb-[5px] text-link wrap-anywhere hover:underline',
        ownLine && 'leading-6',
        className,
      )}
    >
      {newTab ? (
        <>
          {/* The icon stands in room that belongs to the last word, so no line can break between the two. */}
          <span className="pe-4">{children}</span>
          <span className="-ms-3 inline-block align-middle">
            <Icon name="external" size={12} />
            <span className="sr-only">({newTab})</span>
          </span>
        </>
      ) : (
        children
      )}
    </a>
  );
}
