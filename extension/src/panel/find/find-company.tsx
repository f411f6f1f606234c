import { maxQueryLength } from '@deskside/shared/limits';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { usePart } from '#panel/query/use-part.ts';
import { FailureNote } from '#panel/status/failure-note.tsx';
import { useAnnounce } from '#ui/announcer.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { findFailureMessage, findHeadline } from './find-model.ts';
import { FoundList, type OnChoose } from './found-list.tsx';

interface FindCompanyProps {
  ticket: string;
  /** To replace the company on screen: it has the focus at once, and the only company found is previewed at once. */
  isDirect: boolean;
  /** Another action is running. */
  unavailable: boolean;
  onChoose: OnChoose;
}

/**
 * One field for anything by which an agent knows a company, and the companies found. Searched when they say so, not with
 * every letter: each search costs the CRM's quota.
 */
export function FindCompany({ ticket, isDirect, unavailable, onChoose }: FindCompanyProps) {
  const t = useTexts();
  const announce = useAnnounce();
  const field = useId();
  const hint = useId();
  const input = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState('');
  const part = usePart('find.search', ['find', ticket, asked], { ticket, query: asked }, { enabled: asked !== '' });
  const { data, failure, busy, retry } = part;
  const said = findHeadline(data, failure, t);
  useEffect(() => {
    if (said === null) return;
    announce(said);
    (results.current?.querySelector('li') ?? results.current)?.scrollIntoView({ block: 'nearest' });
  }, [said, announce]);
  const previewed = useRef<typeof data>(undefined);
  useEffect(() => {
    const [only, ...others] = data?.companies ?? [];
    if (!isDirect || !data || previewed.current === data) return;
    previewed.current = data;
    if (only && others.length === 0 && input.current) onChoose(only, input.current);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = input.current?.value.trim() ?? '';
    if (wanted === '') input.current?.focus();
    else if (wanted === asked && !busy && failure) retry();
    else setAsked(wanted);
  };
  return (
    <div className="flex flex-col gap-3 text-sm">
      <search>
        <form onSubmit={submit} className="flex flex-col gap-1">
          <label htmlFor={field} className="font-semibold">
            {t.find.label}
          </label>
          <div className="flex gap-2">
            <input
              ref={input}
              data-first={isDirect ? '' : undefined}
              id={field}
              type="text"
              enterKeyHint="search"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={maxQueryLength}
              aria-describedby={hint}
              className="min-h-8 min-w-0 flex-1 rounded-md border border-edge bg-paper px-2 text-ink"
            />
            <Button type="submit" icon="search" busy={busy}>
              {t.find.submit}
            </Button>
          </div>
          <p id={hint} className="text-xs text-ink-3">
            {t.find.hint}
          </p>
        </form>
      </search>
      {busy && !data && <p className="text-ink-2">{t.find.searching}</p>}
      <div ref={results} className="flex flex-col gap-2 empty:hidden">
        {failure && <FailureNote error={failure} message={findFailureMessage(failure, t)} busy={busy} retry={retry} />}
        {data && !failure && (
          <FoundList data={data} busy={busy} unavailable={unavailable} onChoose={onChoose} retry={retry} />
        )}
      </div>
    </div>
  );
}
