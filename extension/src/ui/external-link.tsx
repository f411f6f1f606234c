import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface ExternalLinkProps {
  /** Checked by `safeHttpUrl` or `mailtoUrl`. */
  href: string;
  /** Text that says that it opens in a new tab; leave out for `mailto:`. */
  newTab?: string;
  className?: string;
  children: ReactNode;
}

/** A link to another site, without a referrer. */
export function ExternalLink({ href, newTab, className, children }: ExternalLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={clsx('rounded-sm text-link hover:underline', className)}
    >
      {children}
      {newTab && (
        <span className="ms-1">
          <Icon name="external" size={12} />
          <span className="sr-only">({newTab})</span>
        </span>
      )}
    </a>
  );
}
