import { type ReactNode, useContext, useEffect, useState } from 'react';
import { useTexts } from '#panel/texts/texts.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import { IconButton } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { InsertContext, OpenedContext } from './page.ts';

/** A label and what there is to say of it. `note`: besides, in few words. Rows without a value are left out. */
export interface PanelRow {
  label: string;
  /** What the label is called elsewhere. */
  about?: string;
  value: string | null;
  note?: string | null;
  tone?: 'warn' | 'muted';
  copies?: boolean;
  /** Whether it may go to the sender, whoever that is. */
  inserts?: boolean;
}

/** Labels and values, 28 px high each, the labels in one column. */
export function Rows({ rows }: { rows: readonly PanelRow[] }) {
  return (
    <dl className="grid grid-cols-[112px_minmax(0,1fr)]">
      {rows.map(
        (row) => row.value !== null && <RowLine key={`${row.label} ${row.value}`} {...row} value={row.value} />,
      )}
    </dl>
  );
}

function RowLine({ label, about, value, note, tone, copies, inserts }: PanelRow & { value: string }) {
  return (
    <>
      <dt className="py-1 pe-2 leading-5 text-ink-3" title={about}>
        {label}
      </dt>
      <dd className="hosts-copy flex min-h-7 min-w-0 items-center gap-1 py-0.5 wrap-anywhere">
        <span className={tone === 'warn' ? 'text-warn' : tone === 'muted' ? 'text-ink-3' : undefined}>
          <bdi>{value}</bdi>
          {note && <span className="text-ink-3"> {note}</span>}
        </span>
        {copies && <Copy text={value} inserts={inserts} />}
      </dd>
    </>
  );
}

/**
 * Copies a text, or inserts it into the reply that is open if it may go there, and briefly shows whether that worked. Where
 * `.hosts-copy` is, it is seen only with it.
 */
export function Copy({ text, inserts = false }: { text: string; inserts?: boolean | undefined }) {
  const { shell } = useTexts();
  const announce = useAnnounce();
  const open = useContext(InsertContext);
  const insert = inserts ? open : null;
  const [result, setResult] = useState<'done' | 'failed' | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), result === 'failed' ? 6000 : 1500);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const isDone = insert?.(text) || (await writeText(text));
    setResult(isDone ? 'done' : 'failed');
    announce(isDone ? (insert ? shell.inserted(text) : shell.copied(text)) : shell.copyFailed);
  };
  return (
    <IconButton
      icon={result === 'done' ? 'check' : result === 'failed' ? 'alert' : insert ? 'insert' : 'copy'}
      label={result === 'failed' ? shell.copyFailed : insert ? shell.insert(text) : shell.copy(text)}
      onClick={copy}
      // The focus stays where the agent is writing.
      onMouseDown={insert ? (event) => event.preventDefault() : undefined}
      className="copy"
      data-result={result ?? undefined}
    />
  );
}

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line px-4 pt-3 pb-2 first:border-0">
      <h4 className="mb-1 flex text-xs font-semibold text-ink-3">
        {title}
        <span className="ms-auto font-medium">{aside}</span>
      </h4>
      {children}
    </section>
  );
}

/** A part that the agent opens, and that stays so from ticket to ticket. `lazy`: what is in it is made only then. */
export function Folded({ title, lazy, children }: { title: string; lazy?: boolean; children: ReactNode }) {
  const opened = useContext(OpenedContext);
  const [isOpen, setOpen] = useState(opened.has(title));
  const toggle = (next: boolean) => {
    if (next) opened.add(title);
    else opened.delete(title);
    setOpen(next);
  };
  return (
    <details
      open={isOpen}
      className="group border-t border-line px-4 py-2 first:border-0"
      // The browser opens it by itself for what somebody searches the page for.
      onToggle={({ currentTarget }) => toggle(currentTarget.open)}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is pressed like a button, by keyboard too. */}
      <summary
        className="flex min-h-7 items-center gap-1 rounded-sm text-xs font-semibold text-ink-3 hover:text-ink"
        onClick={(event) => {
          // Here and at once: the event `toggle` comes later, when another ticket may be on screen.
          event.preventDefault();
          toggle(!isOpen);
        }}
      >
        {title}
        <span className="ms-auto inline-flex group-open:rotate-180">
          <Icon name="chevron" size={12} />
        </span>
      </summary>
      {(isOpen || !lazy) && children}
    </details>
  );
}

/** Whether a text is in the clipboard now: a page without https has none. */
export async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
