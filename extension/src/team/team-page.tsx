import { useEffect, useState } from 'react';
import { browser } from 'wxt/browser';
import { resolveLanguage } from '#i18n/language.ts';
import { phrase, say, spoken } from '#i18n/say.ts';
import { ask, type OptionsState } from '#messaging/page-protocol.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';
import { type Texts, textsFor } from '#panel/texts.ts';
import { TextsContext } from '#panel/texts-context.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { Decisions } from './decisions.tsx';
import { Figures } from './figures.tsx';
import { Plans, Waiting } from './lists.tsx';
import { HelpdeskContext } from './parts.tsx';
import { Shares } from './shares.tsx';
import { Systems } from './systems.tsx';
import { useToday } from './use-today.ts';

export const pageTexts = {
  title: say('Team', 'Nhóm'),
  today: phrase('Today, {day}', 'Hôm nay, {day}'),
  at: phrase('As of {time}; read again each minute.', 'Lúc {time}; tự đọc lại mỗi phút.'),
  refresh: say('Refresh', 'Làm mới'),
  again: say('Try again', 'Thử lại'),
  signIn: say('Sign in', 'Đăng nhập'),
  loading: say('Loading…', 'Đang tải…'),
  old: phrase('These numbers are from {time}.', 'Số liệu này của lúc {time}.'),
};

/** What all teams got today, for a lead. Everything goes through the background, and nothing can be changed here. */
export function TeamPage() {
  const [options, setOptions] = useState<OptionsState | null>(null);
  useEffect(() => void ask('options.state', {}).then((state) => setOptions(state ?? null)), []);
  const language = options?.spoken ?? resolveLanguage('auto', null, browser.i18n.getUILanguage());
  const t = spoken(pageTexts, language);
  const { today, failure, busy, load } = useToday();
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = `${t.title} · Deskside`;
  }, [language, t.title]);
  const words = textsFor(language);
  const time = today && new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(today.at));
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' }).format(new Date());
  return (
    <TextsContext value={words}>
      <HelpdeskContext value={options?.helpdesk.value ?? null}>
        <main className="mx-auto grid max-w-[1120px] grid-cols-[minmax(0,1fr)] gap-4 px-5 py-8">
          <header className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <img src="/icon/128.png" alt="" width="32" height="32" />
            <h1 className="text-lg font-semibold">{t.title}</h1>
            <p className="text-ink-2">{t.today(day)}</p>
            <p className="ms-auto text-ink-3">{time && t.at(time)}</p>
            <button type="button" className="act" aria-disabled={busy} onClick={() => !busy && load()}>
              <span className={busy ? 'spinning inline-flex' : 'inline-flex'}>
                <Icon name="refresh" />
              </span>
              {t.refresh}
            </button>
          </header>
          <div role="status">
            {failure && <Failure code={failure} words={words} old={time && t.old(time)} t={t} load={load} />}
            {!failure && today === null && <p>{t.loading}</p>}
          </div>
          {today && (
            <>
              <Figures today={today} />
              <Shares today={today} />
              <Waiting today={today} />
              <div className="pair">
                <Plans today={today} />
                <Systems today={today} />
              </div>
              <Decisions today={today} />
            </>
          )}
        </main>
      </HelpdeskContext>
    </TextsContext>
  );
}

interface FailureProps {
  code: PanelErrorCode;
  words: Texts;
  /** From when what is still shown is. */
  old: string | null;
  t: { again: string; signIn: string };
  load: () => void;
}

/** Why there is nothing new, and what to do. */
function Failure({ code, words, old, t, load }: FailureProps) {
  const { title, body } = words.failures.code[code];
  const signsIn = code === 'signed_out' || code === 'unauthenticated';
  const signIn = () => void ask('options.signIn', {}).then(load);
  return (
    <Note tone={code === 'not_a_manager' || signsIn ? 'info' : 'warn'} title={title}>
      <p>
        {body} {old}
      </p>
      <button type="button" className="act mt-2" onClick={signsIn ? signIn : load}>
        {signsIn ? t.signIn : t.again}
      </button>
    </Note>
  );
}
