import type { TeamShare, Today } from '@deskside/shared/today';
import { phrase, say } from '#i18n/say.ts';
import { useTexts } from '#panel/texts/texts.ts';
import { Part, Table, useSaid } from './parts.tsx';

export const shareTexts = {
  title: say('Who got what', 'Ai nhận phiếu nào'),
  lead: say(
    'Due is an equal part of every ticket that somebody could have got in turn.',
    'Đáng nhận là phần chia đều của mỗi phiếu mà người đó có thể nhận theo lượt.',
  ),
  none: say('No ticket has come in today yet.', 'Hôm nay chưa có phiếu nào.'),
  agent: say('Agent', 'Nhân viên'),
  bar: say('Got, and due (line)', 'Đã nhận và đáng nhận (vạch)'),
  tickets: say('Tickets', 'Phiếu'),
  due: say('Due', 'Đáng nhận'),
  ofTeam: say(
    (count: string, one: boolean) => (one ? '1 ticket' : `${count} tickets`),
    (count: string) => `${count} phiếu`,
  ),
  waiting: phrase('{count} waiting for an agent', '{count} phiếu chờ người nhận'),
  byPerson: phrase('{count} assigned by a person', '{count} phiếu do người khác giao'),
  forNobody: phrase('{count} closed, answered or kept as it was', '{count} phiếu đã đóng, đã trả lời hoặc giữ nguyên'),
};

export function Shares({ today: { teams, names } }: { today: Today }) {
  const { t } = useSaid(shareTexts);
  const most = Math.max(1, ...teams.flatMap(({ agents }) => agents.flatMap(({ tickets, due }) => [tickets, due])));
  return (
    <Part title={t.title} aside={t.lead}>
      {teams.length === 0 && <p className="text-ink-2">{t.none}</p>}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {teams.map((share) => (
          <Team key={share.team ?? ''} share={share} most={most} names={names} />
        ))}
      </div>
    </Part>
  );
}

function Team({ share, most, names }: { share: TeamShare; most: number; names: Today['names'] }) {
  const { t, n, language } = useSaid(shareTexts);
  const { routing } = useTexts();
  const { team, tickets, waiting, by_person, for_nobody, agents } = share;
  const name = team ?? routing.noTeam;
  const said = [
    t.ofTeam(n(tickets), tickets === 1),
    ...(waiting > 0 ? [t.waiting(n(waiting))] : []),
    ...(by_person > 0 ? [t.byPerson(n(by_person))] : []),
    ...(for_nobody > 0 ? [t.forNobody(n(for_nobody))] : []),
  ];
  const part = new Intl.NumberFormat(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  return (
    <div>
      <h3 className="font-semibold">
        <bdi>{name}</bdi> <span className="font-normal text-ink-3">{said.join(' · ')}</span>
      </h3>
      {agents.length > 0 && (
        <Table label={name} heads={[t.agent, t.bar, t.tickets, t.due]} numbers={[2, 3]}>
          {agents.map(({ agent, tickets: got, due }) => (
            <tr key={agent}>
              <th scope="row" className="w-52 text-start font-normal wrap-anywhere">
                <bdi>{names[agent] ?? agent}</bdi>
              </th>
              <td className="min-w-40">
                <Bar got={got} due={due} most={most} />
              </td>
              <td className="w-16 text-end">{n(got)}</td>
              <td className="w-20 text-end text-ink-2">{part.format(due)}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

/** What one agent got, and a line where their due is. The numbers stand beside it. */
function Bar({ got, due, most }: { got: number; due: number; most: number }) {
  const at = (tickets: number) => `${Math.round((tickets / most) * 1_000) / 10}%`;
  return (
    <svg aria-hidden="true" className="bar" width="100%" height="14">
      <rect className="room" width="100%" y="3" height="8" />
      <rect className="got" width={at(got)} y="3" height="8" />
      <line className="due" x1={at(due)} x2={at(due)} y1="0" y2="14" />
    </svg>
  );
}
