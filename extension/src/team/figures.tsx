import type { Today } from '@deskside/shared/today';
import type { ReactNode } from 'react';
import { ago } from '#i18n/format.ts';
import { phrase, say } from '#i18n/say.ts';
import { useTexts } from '#panel/texts/texts.ts';
import { useSaid } from './parts.tsx';

export const figureTexts = {
  label: say('Today in numbers', 'Hôm nay qua các con số'),
  tickets: say('Tickets today', 'Phiếu hôm nay'),
  trust: say('Who the customers are', 'Mức xác minh khách hàng'),
  none: say('No Org ID', 'Chưa có mã shop'),
  waiting: say('Waiting for an agent', 'Đang chờ người nhận'),
  undecided: phrase('{count} not decided yet, the first {since}', '{count} phiếu chưa xử lý, phiếu đầu từ {since}'),
  decided: say('Everything has been decided.', 'Mọi phiếu đều đã được xử lý.'),
  sweep: say('Found by the regular check only', 'Chỉ nhờ kiểm tra định kỳ'),
  webhook: phrase('The last webhook came {when}.', 'Webhook gần nhất: {when}.'),
  noWebhook: say('No webhook has ever come.', 'Chưa từng có webhook nào.'),
};

const levels = ['confirmed', 'likely', 'claimed', 'none'] as const;

export function Figures({ today }: { today: Today }) {
  const { t, n, language } = useSaid(figureTexts);
  const { trust } = useTexts();
  const when = (instant: string) => ago(language, Date.parse(today.at) - Date.parse(instant));
  const { undecided, last_webhook_at: webhook, found_by_sweep: swept } = today;
  const words = { ...trust.tag, none: t.none };
  return (
    <section aria-label={t.label} className="figures rounded-lg border border-line bg-paper">
      <Figure label={t.tickets} value={n(today.tickets)} />
      <Figure label={t.waiting} value={n(today.waiting.tickets)} tone={today.waiting.tickets > 0 ? 'text-warn' : ''}>
        {undecided.since === null || undecided.tickets === 0
          ? t.decided
          : t.undecided(n(undecided.tickets), when(undecided.since))}
      </Figure>
      <Figure label={t.sweep} value={n(swept)} tone={swept > 0 ? 'text-warn' : ''}>
        {webhook === null ? t.noWebhook : t.webhook(when(webhook))}
      </Figure>
      <div>
        <h2 className="text-xs font-semibold text-ink-3">{t.trust}</h2>
        <Split parts={levels.map((level) => ({ level, count: today.trust[level] }))} />
        <ul className="grid grid-cols-2 gap-x-4">
          {levels.map((level) => (
            <li key={level} className="flex items-center gap-2">
              <i aria-hidden="true" className={`key ${level}`} />
              <span className="text-ink-2">{words[level]}</span>
              <b className="ms-auto font-semibold">{n(today.trust[level])}</b>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

interface FigureProps {
  label: string;
  value: string;
  tone?: string;
  children?: ReactNode;
}

function Figure({ label, value, tone = '', children }: FigureProps) {
  return (
    <div>
      <h2 className="text-xs font-semibold text-ink-3">{label}</h2>
      <p className={`figure ${tone}`}>{value}</p>
      {children && <p className="text-ink-3">{children}</p>}
    </div>
  );
}

/** Parts of a whole in one line. Their numbers stand below it. */
function Split({ parts }: { parts: readonly { level: string; count: number }[] }) {
  return (
    <div aria-hidden="true" className="split">
      {parts.map(({ level, count }) => (
        <i key={level} className={level} style={{ flexGrow: count }} />
      ))}
    </div>
  );
}
