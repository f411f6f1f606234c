import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { decisionsOf, nativeRules, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

/** The team of every ticket without a Medium company; no site has it at first. */
const team = 'CS later';
const RULES_FILE = new URL('../rules/later-team.json', import.meta.url).pathname;

// The older version knows no disabled teams.
test.each([
  ['is not there', '1.24', null],
  ['is not there', '1.28', null],
  ['is disabled', '1.28', { disabled: 1 }],
] as const)(
  'a team that %s, Helpdesk %s: the ticket says so, and is routed once it can be used',
  async (_, generation, unusable) => {
    let ahead = 0;
    const w = await routedWorld({ generation, clock: () => Date.now() + ahead, environment: { RULES_FILE } });
    nativeRules(w, true);
    const usable = { ...w.helpdesk.document('HD Team', 'CS 60p'), name: team, team_name: team };
    if (unusable) w.helpdesk.put('HD Team', { ...usable, ...unusable });
    const name = await w.helpdesk.insertTicket(demo.service.name, { subject: 'x', raised_by: 'la@hopthu.example' });
    await settle(w);
    expect(ticketOf(w, name)).toMatchObject({ status: 'API Error' });
    expect(w.helpdesk.document('HD Ticket', name)?.custom_platform_profile_error).toContain(team);

    w.helpdesk.put('HD Team', usable);
    for (let minutes = 0; minutes < 3; minutes += 1) {
      ahead += 60_000;
      await settle(w);
    }
    expect(ticketOf(w, name)).toMatchObject({ group: team, status: 'Complete' });
    expect(ticketOf(w, name).assigned).toHaveLength(1);
    expect(w.helpdesk.document('HD Ticket', name)?.custom_platform_profile_error || null).toBeNull();
    const [repaired] = await decisionsOf(w, name);
    expect(repaired).toMatchObject({ cause: 'repair', outcome: { team, fallback: null } });
  },
);
