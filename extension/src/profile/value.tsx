import clsx from 'clsx';
import { createContext, useContext } from 'react';
import { ExternalLink } from '../ui/external-link.tsx';
import { type Changes, noChanges } from './changes.ts';
import { useTexts } from './texts-context.tsx';
import type { Part } from './view-model.ts';

/** What the last refresh changed. */
export const ChangesContext = createContext<Changes>(noChanges);

/** Whether a value has anything to show: what it is, or what it no longer is. */
export function isShown(part: Part, changes: Changes): boolean {
  return part.text !== null || (changes.get(part.key) ?? null) !== null;
}

/** One value as text, never as markup; isolated, so that no writing direction or override leaks out of it. */
export function Value({ part }: { part: Part }) {
  const { shell } = useTexts();
  const changes = useContext(ChangesContext);
  const was = changes.get(part.key) ?? null;
  if (!changes.has(part.key)) return <Plain part={part} />;
  return (
    <>
      {was !== null && (
        <del className="me-1.5">
          <span className="sr-only">{shell.was} </span>
          <bdi>{was}</bdi>
        </del>
      )}
      {part.text === null ? (
        <span className="text-ink-3">{shell.removed}</span>
      ) : (
        <mark>
          <span className="sr-only">{shell.now} </span>
          <Plain part={part} />
        </mark>
      )}
    </>
  );
}

function Plain({ part: { text, href, tone } }: { part: Part }) {
  const { shell } = useTexts();
  const shown = <bdi className={clsx(tone === 'muted' && 'text-ink-3', tone === 'warn' && 'text-warn')}>{text}</bdi>;
  if (!href) return shown;
  return (
    <ExternalLink href={href} {...(href.startsWith('http') && { newTab: shell.newTab })} className="inline">
      {shown}
    </ExternalLink>
  );
}
