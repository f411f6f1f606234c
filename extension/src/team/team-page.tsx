import { mostRows, type Today } from '@deskside/shared/today';
import clsx from 'clsx';
import { useCallback, useEffect, useRef, useState } from 'react';
import { browser } from 'wxt/browser';
import { resolveLanguage } from '#i18n/language.ts';
import { phrase, say, spoken } from '#i18n/say.ts';
import { ask, type OptionsState } from '#messaging/page-protocol.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';
import { failureKinds } from '#panel/status/failure.ts';
import { TextsContext, textsFor, useTexts } from '#panel/texts/texts.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { Decisions } from './decisions.tsx';
import { Figures } from './figures.tsx';
import { Plans, Waiting } from './lists.tsx';
import { AllRowsContext, HelpdeskContext, noAnswer, Part, Table, useSaid } from './parts.tsx';
import { Shares } from './shares.tsx';

export const pageTexts = {
  title: say('Team', 'Nhóm'),
  today: phrase('Today, {day}', 'Hôm nay, {day}'),
  at: phrase('As of {time}; read again each minute.', 'Lúc {time}; tự đọc lại mỗi phút.'),
  refresh: say('Refresh', 'Làm mới'),
  loading: say('Loading…', 'Đang tải…'),
  signIn: say('Sign in to see what your teams got today', 'Đăng nhập để xem hôm nay các nhóm nhận phiếu nào'),
  old: phrase('These numbers are from {time}.', 'Số liệu này của lúc {time}.'),
};

/** What all teams got today, for a lead. Everything goes through the background, and nothing can be changed here. */
export function TeamPage() {
  const [options, setOptions] = useState<OptionsState | null>(null);
  useEffect(() => void ask('options.state', {}).then((state) => setOptions(state ?? null)), []);
  const language = options?.spoken ?? resolveLanguage('auto', null, browser.i18n.getUILanguage());
  const t = spoken(pageTexts, language);
  const { today, failure, busy, load, showAll } = useToday();
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = `${t.title} · Deskside`;
  }, [language, t.title]);
  const time = today && new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(today.at));
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' }).format(new Date());
  return (
    <TextsContext value={textsFor(language)}>
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
            {failure && <Failure code={failure} old={time && t.old(time)} load={load} />}
            {!failure && today === null && <p>{t.loading}</p>}
          </div>
          {today && (
            <AllRowsContext value={showAll}>
              <Figures today={today} />
              <Shares today={today} />
              <Waiting today={today} />
              <Plans today={today} />
              <Systems today={today} />
              <Decisions today={today} />
            </AllRowsContext>
          )}
        </main>
      </HelpdeskContext>
    </TextsContext>
  );
}

/** Why there is nothing new, and what to do. `old`: from when what is still shown is. */
function Failure({ code, old, load }: { code: PanelErrorCode; old: string | null; load: () => void }) {
  const { shell, failures } = useTexts();
  const { t } = useSaid(pageTexts);
  const { title, body } = failures.code[code];
  const signsIn = code === 'signed_out' || code === 'unauthenticated';
  const signIn = () => void ask('options.signIn', {}).then(load);
  return (
    <Note tone={code === 'not_a_manager' || signsIn ? 'info' : 'warn'} title={signsIn ? t.signIn : title}>
      <p>
        {body} {old}
      </p>
      <button type="button" className="act mt-2" onClick={signsIn ? signIn : load}>
        {signsIn ? shell.signIn : shell.tryAgain}
      </button>
    </Note>
  );
}

/** Calls back when somebody else is signed in, or nobody any more; what it returns ends that. */
function watchPerson(changed: () => void): () => void {
  const { session } = browser.storage;
  const userOf = (token: unknown) => (token as { user?: string } | undefined)?.user;
  const look: Parameters<typeof session.onChanged.addListener>[0] = ({ token }) => {
    if (token && userOf(token.newValue) !== userOf(token.oldValue)) changed();
  };
  session.onChanged.addListener(look);
  return () => session.onChanged.removeListener(look);
}

const everyMs = 60_000;
/** Asking again by itself would not change these. */
const lasting: ReadonlySet<PanelErrorCode> = new Set(['not_a_manager', 'not_an_agent', 'signed_out', 'not_configured']);

interface State {
  today: Today | null;
  failure: PanelErrorCode | null;
  busy: boolean;
}

/** The day as whoever looks has it, in epoch milliseconds: its first moment and that of the next. */
export function dayOf(now: Date): { from: number; to: number } {
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
  return { from: midnight(0), to: midnight(1) };
}

/**
 * Today, asked for again each minute while the page is visible, and at once for whom the helpdesk shows now. What may not stay
 * after a failure goes, and so does what another person was told.
 */
function useToday(): State & { load: () => void; showAll: (() => void) | null } {
  const [state, setState] = useState<State>({ today: null, failure: null, busy: true });
  const [rows, setRows] = useState<number>();
  const asked = useRef({ at: 0, number: 0, failure: null as PanelErrorCode | null });
  const load = useCallback(async () => {
    const number = asked.current.number + 1;
    asked.current = { ...asked.current, at: Date.now(), number };
    setState((before) => ({ ...before, busy: true }));
    const answer = (await ask('team.today', { ...dayOf(new Date()), rows })) ?? noAnswer;
    // A later question has been asked since.
    if (asked.current.number !== number) return;
    const failure = answer.ok ? null : answer.error.code;
    asked.current.failure = failure;
    setState(({ today }) => ({
      today: answer.ok ? answer.data : failure && (failureKinds[failure].hides ?? false) ? null : today,
      failure,
      busy: false,
    }));
  }, [rows]);
  useEffect(() => {
    const again = () => {
      const { at, failure } = asked.current;
      if (document.visibilityState !== 'visible' || (failure !== null && lasting.has(failure))) return;
      if (Date.now() - at >= everyMs) void load();
    };
    void load();
    const unwatch = watchPerson(() => {
      setState((before) => ({ ...before, today: null }));
      void load();
    });
    const timer = setInterval(again, everyMs);
    document.addEventListener('visibilitychange', again);
    return () => {
      unwatch();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [load]);
  return { ...state, load: () => void load(), showAll: rows === undefined ? () => setRows(mostRows) : null };
}

export const systemTexts = {
  title: say('Systems', 'Hệ thống'),
  helpdesk: say('Helpdesk', 'Helpdesk'),
  answers: say('It is answering.', 'Đang trả lời.'),
  silent: say('It does not answer Deskside’s own key.', 'Không trả lời khóa riêng của Deskside.'),
  crm: {
    answers: say('It is answering.', 'Đang trả lời.'),
    failing: say('It is left alone for a moment.', 'Tạm thời không được hỏi.'),
    disabled: say('It is turned off.', 'Đang tắt.'),
    not_configured: say('It is not set up.', 'Chưa được thiết lập.'),
  },
  budget: say('The CRM’s budget', 'Hạn mức gọi CRM'),
  lane: say('For', 'Dùng cho'),
  left: say('Requests left now', 'Còn gọi được'),
  waiting: say('Questions waiting', 'Câu hỏi đang chờ'),
  lanes: {
    click: say('Somebody is waiting', 'Có người đang đợi'),
    open: say('Tickets coming in', 'Phiếu mới đến'),
    bulk: say('Bulk work', 'Việc hàng loạt'),
  },
};

function Systems({ today: { helpdesk, crm } }: { today: Today }) {
  const { t, n } = useSaid(systemTexts);
  const words = useTexts();
  const why = crm.error === null ? '' : ` ${words.crm.error[crm.error]}.`;
  return (
    <Part title={t.title}>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-y-1">
        <dt className="text-ink-3">{t.helpdesk}</dt>
        <dd className={clsx(!helpdesk.answers && 'font-medium text-bad')}>{helpdesk.answers ? t.answers : t.silent}</dd>
        <dt className="text-ink-3">CRM</dt>
        <dd className={clsx(crm.state === 'failing' && 'font-medium text-bad')}>
          {t.crm[crm.state]}
          {why}
        </dd>
      </dl>
      {crm.lanes.length > 0 && (
        <>
          <h3 className="mt-3 font-semibold">{t.budget}</h3>
          <Table label={t.budget} heads={[t.lane, t.left, t.waiting]} numbers={[1, 2]}>
            {crm.lanes.map(({ lane, left, waiting }) => (
              <tr key={lane}>
                <th scope="row" className="text-start font-normal">
                  {t.lanes[lane]}
                </th>
                <td className="text-end">{n(left)}</td>
                <td className="text-end">{n(waiting)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </Part>
  );
}
