import type { RoutingDecisions } from '@deskside/shared/routing';
import type { DecisionRow, Today } from '@deskside/shared/today';
import { useEffect, useId, useState } from 'react';
import { dateTime } from '#i18n/format.ts';
import { phrase, say } from '#i18n/say.ts';
import { ask } from '#messaging/page-protocol.ts';
import type { Result } from '#messaging/protocol.ts';
import { Decision, decisionModel } from '#panel/routing/decision.tsx';
import { useTexts } from '#panel/texts/texts.ts';
import { Note } from '#ui/note.tsx';
import { noAnswer, Part, Rest, Table, TicketLink, useCount, useSaid } from './parts.tsx';

export const decisionTexts = {
  title: say('Last decisions', 'Các lần điều phối gần đây'),
  more: phrase('The newest {count} are shown.', 'Chỉ hiện {count} lần gần nhất.'),
  none: say('Deskside has not routed a ticket yet.', 'Deskside chưa điều phối phiếu nào.'),
  heads: {
    at: say('When', 'Lúc'),
    ticket: say('Ticket', 'Phiếu'),
    company: say('Company', 'Công ty'),
    team: say('Team', 'Nhóm'),
    agent: say('Agent', 'Nhân viên'),
    reason: say('Reason', 'Lý do'),
    cause: say('Caused by', 'Do'),
    why: say('Explanation', 'Giải thích'),
  },
  why: say('Why?', 'Vì sao?'),
  loading: say('Loading…', 'Đang tải…'),
  gone: say('This decision is no longer kept.', 'Lần điều phối này không còn được lưu.'),
  noCompany: say('Not known', 'Chưa rõ'),
  noRule: say('Not recorded', 'Không rõ'),
  rule: {
    group_kept: say('Team already set', 'Nhóm đã có sẵn'),
    missing_orgid: say('No Org ID', 'Chưa có mã shop'),
    medium_scale: say('Medium, Scale plan', 'Medium, gói Scale'),
    medium_grow: say('Medium, Grow plan', 'Medium, gói Grow'),
    medium_other: say('Medium, another plan', 'Medium, gói khác'),
    sme: say('Not Medium', 'Không phải Medium'),
  },
  nobody: say('Nobody', 'Không ai'),
  state: {
    already_assigned: say('Assigned already', 'Đã có người nhận'),
    nobody_available: say('Waiting', 'Đang chờ'),
    withdrawn: say('Taken by somebody else', 'Người khác đã nhận'),
  },
};

/** The last decisions; each opens the explanation that the panel has. */
export function Decisions({ today: { decisions, names, at } }: { today: Today }) {
  const { t, n } = useSaid(decisionTexts);
  const { rows, hidden, is_more: isMore } = decisions;
  const { heads } = t;
  const shown = rows.length + hidden;
  return (
    <Part title={t.title} aside={useCount(shown, isMore ? t.more(n(shown)) : null)}>
      {shown === 0 && <p className="text-ink-2">{t.none}</p>}
      {rows.length > 0 && (
        <Table label={t.title} heads={Object.values(heads)}>
          {rows.map((row) => (
            <Row key={row.id} row={row} names={names} now={Date.parse(at)} />
          ))}
        </Table>
      )}
      <Rest hidden={hidden} isMore={isMore} />
    </Part>
  );
}

function Row({ row, names, now }: { row: DecisionRow; names: Today['names']; now: number }) {
  const { t } = useSaid(decisionTexts);
  const { trust, routing, routingReasons } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { state, agent } = row;
  const has = (state === 'assigned' || state === 'planned') && agent !== null;
  const level = row.trust && trust.tag[row.trust];
  const without = row.fallback && routingReasons.fallback[row.fallback].title;
  return (
    <>
      <tr>
        <td className="whitespace-nowrap">{dateTime(row.at)}</td>
        <td className="whitespace-nowrap">
          <TicketLink name={row.ticket} />
        </td>
        <td className="min-w-32 wrap-anywhere">
          <bdi>{row.company ?? row.org_id ?? t.noCompany}</bdi>
          {level && <span className="block text-xs text-ink-3">{level}</span>}
        </td>
        <td>
          <bdi>{row.team ?? routing.noTeam}</bdi>
        </td>
        <td>
          {has ? (
            <bdi>{names[agent] ?? agent}</bdi>
          ) : (
            <span className="text-ink-3">{(t.state as Partial<Record<typeof state, string>>)[state] ?? t.nobody}</span>
          )}
        </td>
        <td>
          {row.rule === null ? t.noRule : t.rule[row.rule]}
          {without && <span className="block text-xs text-warn">{without}</span>}
        </td>
        <td>{routing.cause[row.cause]}</td>
        <td>
          <button
            type="button"
            className="target text-link hover:underline"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`${t.why} #${row.ticket}`}
            onClick={() => setOpen(!isOpen)}
          >
            {t.why}
          </button>
        </td>
      </tr>
      <tr id={id} hidden={!isOpen}>
        <td colSpan={8} className="bg-sunken">
          {isOpen && <Explanation row={row} now={now} />}
        </td>
      </tr>
    </>
  );
}

/** One decision as the panel explains it, read when it is opened. */
function Explanation({ row: { id, ticket }, now }: { row: DecisionRow; now: number }) {
  const { t } = useSaid(decisionTexts);
  const words = useTexts();
  const [answer, setAnswer] = useState<Result<RoutingDecisions> | null>(null);
  useEffect(() => {
    void ask('team.decisions', { ticket }).then((answer) => setAnswer(answer ?? noAnswer));
  }, [ticket]);
  if (answer === null) return <p aria-busy="true">{t.loading}</p>;
  if (!answer.ok) {
    const { title, body } = words.failures.code[answer.error.code];
    return (
      <Note tone="warn" title={title}>
        <p>{body}</p>
      </Note>
    );
  }
  const { decisions, names, refused = null } = answer.data;
  const nth = decisions.findIndex((one) => one.id === id);
  const decision = decisions[nth];
  if (decision === undefined) return <p>{t.gone}</p>;
  const model = decisionModel(decision, words, { now, group: null, superseded: nth > 0, names, refused });
  return (
    <div role="status" className="max-w-160 py-2">
      <Decision model={model} />
    </div>
  );
}
