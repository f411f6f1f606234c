import type { OrgId } from '@deskside/shared/orgid';
import type { DecisionRow, TeamShare, Today } from '@deskside/shared/today';

const at = Date.parse('2026-11-20T08:00:00.000Z');
const before = (minutes: number) => new Date(at - minutes * 60_000).toISOString();

const people = ['Nguyễn Hoài An', 'Trần Quốc Bình', 'Phạm Tiến Dũng', 'Lê Minh Châu', 'Đỗ Thị Hoa', 'Vũ Gia Khoa'];
const userOf = (nth: number) => `agent${nth}@support.example`;
const teamNames = ['CS 60p', 'Medium - Scale', 'Medium - Grow', 'Service Ecom'];

/** Nearly what round robin does: everybody gets their due, one has been away. */
function shareOf(team: string, tickets: number, agents: number[]): TeamShare {
  const got = agents.map((_, nth) => Math.floor(tickets / agents.length) + (nth < tickets % agents.length ? 1 : 0));
  return {
    team,
    tickets,
    waiting: 0,
    by_person: 0,
    for_nobody: 0,
    agents: agents.map((nth, place) => ({
      agent: userOf(nth),
      tickets: got[place] ?? 0,
      due: Math.round((tickets / agents.length) * 100) / 100,
    })),
  };
}

function rowOf(nth: number): DecisionRow {
  const rules = ['sme', 'medium_scale', 'medium_grow', 'missing_orgid', 'group_kept'] as const;
  const levels = ['claimed', 'likely', 'confirmed', null] as const;
  const trust = levels[nth % levels.length] ?? null;
  return {
    id: String(9_000 - nth),
    ticket: String(61_400 - nth),
    at: before(nth * 7),
    company: trust === null ? null : `Cửa hàng Gốm Sứ Làng Mơ số ${nth + 1}`,
    org_id: trust === null ? null : (`20000037${6_000 + nth}` as OrgId),
    team: teamNames[nth % 3] ?? null,
    agent: nth === 3 ? null : userOf(nth % people.length),
    state: nth === 3 ? 'nobody_available' : 'assigned',
    rule: rules[nth % rules.length] ?? null,
    fallback: nth === 4 ? 'crm' : null,
    cause: nth === 5 ? 'sweep' : 'webhook',
    trust,
  };
}

/** For tests: a day with so many tickets, with changes to its parts. */
export function sampleToday(tickets: number, change: Partial<Today> = {}): Today {
  const parts = [0.5, 0.25, 0.15].map((part) => Math.round(tickets * part));
  const last = tickets - parts.reduce((sum, part) => sum + part, 0);
  const counts = [...parts, last];
  const waits = Math.min(3, Math.floor(tickets / 10));
  const kept = waits > 0 ? 2 : 0;
  const shares = teamNames.map((team, nth) =>
    shareOf(
      team,
      (counts[nth] ?? 0) - (nth === 0 ? waits + kept : 0),
      nth === 0 ? [0, 1, 2, 3] : nth === 1 ? [4, 5, 0] : [1, 2],
    ),
  );
  const [first] = shares;
  if (first) Object.assign(first, { waiting: waits, by_person: kept, tickets: first.tickets + waits + kept });
  const rows = Array.from({ length: Math.min(50, tickets) }, (_, nth) => rowOf(nth));
  return {
    at: new Date(at).toISOString(),
    tickets,
    teams: tickets === 0 ? [] : shares,
    trust: {
      confirmed: Math.round(tickets * 0.35),
      likely: Math.round(tickets * 0.25),
      claimed: Math.round(tickets * 0.3),
      none: tickets - Math.round(tickets * 0.35) - Math.round(tickets * 0.25) - Math.round(tickets * 0.3),
    },
    found_by_sweep: Math.floor(tickets / 40),
    last_webhook_at: tickets === 0 ? null : before(2),
    waiting: {
      tickets: waits,
      hidden: waits > 1 ? 1 : 0,
      rows: Array.from({ length: Math.max(0, waits - (waits > 1 ? 1 : 0)) }, (_, nth) => ({
        ticket: String(61_390 - nth),
        team: nth === 0 ? 'CS 60p' : null,
        since: before(95 - nth * 30),
        why: nth === 0 ? { unavailable: 3, user_disabled: 1 } : {},
      })),
    },
    undecided: { tickets: waits, since: waits > 0 ? before(3) : null },
    decisions: { hidden: tickets > 10 ? 2 : 0, is_more: tickets > 50, rows },
    plans: {
      customers: tickets === 0 ? 0 : 2,
      hidden: 0,
      unread: false,
      rows:
        tickets === 0
          ? []
          : [
              {
                customer: 'Nội Thất Gỗ Việt - 200000376002',
                plan: 'OMNICHANNEL PROFESSIONAL 2024 (2 năm)',
                ends: new Date(at - 80 * 86_400_000).toISOString(),
                days_left: -80,
                tickets: ['61301', '61302', '61303', '61304', '61305'],
                open: 27,
              },
              {
                customer: 'Gốm Sứ Làng Mơ - 200000376001',
                plan: 'OMNI SCALE 2025 (1 năm)',
                ends: new Date(at + 4 * 86_400_000).toISOString(),
                days_left: 4,
                tickets: ['61307', '61299'],
                open: 2,
              },
            ],
    },
    helpdesk: { answers: true },
    crm: {
      state: 'answers',
      error: null,
      lanes: [
        { lane: 'click', left: 24, waiting: 0 },
        { lane: 'open', left: 10, waiting: 0 },
        { lane: 'bulk', left: 6, waiting: 0 },
      ],
    },
    names: Object.fromEntries(people.map((name, nth) => [userOf(nth), name])),
    ...change,
  };
}
