import clsx from 'clsx';
import { createContext, Fragment, useContext } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { ExternalLink } from '#ui/links/external-link.tsx';
import { type Changes, noChanges, type Part } from './row.ts';

/** What the last refresh changed. */
export const ChangesContext = createContext<Changes>(noChanges);

/** Whether there is anything to show: a current or a previous text. */
export function isShown(part: Part, changes: Changes): boolean {
  return part.text !== null || (changes.get(part.key) ?? null) !== null;
}

/** Values side by side, as many in a line as fit. */
export function Values({ parts }: { parts: readonly Part[] }) {
  const changes = useContext(ChangesContext);
  const shown = parts.filter((part) => isShown(part, changes));
  if (shown.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-x-1.5">
      {shown.map((part) => (
        <span key={part.key} className="max-w-full">
          <Value part={part} />
        </span>
      ))}
    </div>
  );
}

/** One value, always as text; isolated, so that bidirectional control characters have no effect outside of it. */
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

/** Inserts text into the reply that is open; null while there is none, or nothing may be inserted. */
export const InsertContext = createContext<((part: Part) => ((text: string) => boolean) | null) | null>(null);

function Plain({ part }: { part: Part }) {
  const { text, href, tone, copies } = part;
  const { shell } = useTexts();
  const insert = useContext(InsertContext)?.(part) ?? null;
  const words = (
    <bdi className={clsx(tone === 'muted' && 'text-ink-3', tone === 'warn' && 'text-warn')}>
      {text && breakable(text)}
    </bdi>
  );
  const shown = href ? (
    <ExternalLink href={href} ownLine {...(href.startsWith('http') && { newTab: shell.newTab })}>
      {words}
    </ExternalLink>
  ) : (
    words
  );
  if (!(copies || insert) || text === null) return shown;
  return (
    <span className="copyable">
      <span className="copy-room">{shown}</span>
      <CopyButton
        text={text}
        insert={insert}
        label={insert ? shell.insert(text) : shell.copy(text)}
        done={insert ? shell.inserted(text) : shell.copied(text)}
        failed={shell.copyFailed}
      />
    </span>
  );
}

/** An address too long for its line breaks before a dot or an @ rather than within a word. */
function breakable(text: string) {
  if (/\s/.test(text)) return text;
  return text.split(/(?=[.@])/).map((part, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which have no other order.
    <Fragment key={nth}>
      {nth > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
