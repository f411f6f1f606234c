import { createContext, type ReactNode, useContext, useId } from 'react';
import { number } from '#i18n/format.ts';
import { phrase, say, spoken } from '#i18n/say.ts';
import { useTexts } from '#panel/texts/texts.ts';
import { OutLink } from '#ui/button.tsx';

/** The helpdesk's address, for links to tickets; null: not known. */
export const HelpdeskContext = createContext<string | null>(null);

/** Asks for all rows of the lists; null: that has been done. */
export const AllRowsContext = createContext<(() => void) | null>(null);

/** The background did not answer. */
export const noAnswer = { ok: false, error: { code: 'internal' } } as const;

/** The texts of a part of the page in its language, and how it writes numbers. */
export function useSaid<T extends object>(texts: T) {
  const { language } = useTexts();
  return { language, t: spoken(texts, language), n: (value: number) => number(language, value) };
}

/** A titled part of the page. `aside`: a figure beside the title. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-paper px-4 pt-3 pb-4">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {aside && <p className="text-ink-3">{aside}</p>}
      </div>
      {children}
    </section>
  );
}

/** A table that may be wider than the window, with its heads. `numbers`: which columns hold numbers. */
export function Table({
  label,
  heads,
  numbers = [],
  children,
}: {
  label: string;
  heads: readonly string[];
  numbers?: readonly number[];
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard (WCAG 2.1.1).
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what can be filled in.
    <div role="group" className="overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full">
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={head} scope="col" className={numbers.includes(column) ? 'text-end' : 'text-start'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function TicketLink({ name }: { name: string }) {
  const helpdesk = useContext(HelpdeskContext);
  const text = <bdi>#{name}</bdi>;
  if (helpdesk === null) return text;
  return <OutLink href={`${helpdesk}/helpdesk/tickets/${encodeURIComponent(name)}`}>{text}</OutLink>;
}

const texts = {
  hidden: say(
    (count: string, one: boolean) =>
      one ? 'One more is on a ticket that you may not see.' : `${count} more are on tickets that you may not see.`,
    (count: string) => `Còn ${count} dòng thuộc phiếu mà bạn không có quyền xem.`,
  ),
  all: say('Show all', 'Hiện tất cả'),
  inAll: phrase('{count} in all.', 'Tổng cộng {count}.'),
};

/** How many rows of a list there are: `more` where not all are shown, and the count once all were asked for. */
export function useCount(count: number, more: string | null): string | null {
  const { t, n } = useSaid(texts);
  const isAll = useContext(AllRowsContext) === null;
  return more ?? (isAll && count > 0 ? t.inAll(n(count)) : null);
}

/** `hidden`: how many rows are left out because the caller may not see their tickets. */
export function Rest({ hidden, isMore }: { hidden: number; isMore: boolean }) {
  const { t, n } = useSaid(texts);
  const showAll = useContext(AllRowsContext);
  return (
    <>
      {hidden > 0 && <p className="mt-2 text-ink-3">{t.hidden(n(hidden), hidden === 1)}</p>}
      {isMore && showAll && (
        <button
          type="button"
          className="act mt-2"
          onClick={({ currentTarget }) => {
            // The button goes once all rows are there; the focus waits for them at the list.
            currentTarget.parentElement?.querySelector<HTMLElement>('[role=group]')?.focus();
            showAll();
          }}
        >
          {t.all}
        </button>
      )}
    </>
  );
}
