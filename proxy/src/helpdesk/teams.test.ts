import type { HelpdeskDocument } from '@deskside/simulators/seed/index';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const email = (id: string) => `${id}@support.example`;

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const knowsAvailability = generation === '1.28';

  function fresh() {
    const { simulator } = site;
    const change = (doctype: string, name: string, values: object) =>
      simulator.put(doctype, { ...(simulator.document(doctype, name) as HelpdeskDocument), ...values });
    return { simulator, change, helpdesk: site.adapter() };
  }

  describe('a team', () => {
    it('has its members in row order, each with what keeps them from getting tickets', async () => {
      const { change, helpdesk } = fresh();
      change('HD Agent', email('linh'), { is_active: 0 });
      expect(await helpdesk.people.readTeam('CS 60p', signal)).toEqual({
        name: 'CS 60p',
        disabled: false,
        members: [
          { user: email('an'), state: 'ready', availability: 'active' },
          { user: email('dung'), state: 'ready', availability: 'active' },
          { user: email('hoa'), state: 'ready', availability: knowsAvailability ? 'away' : 'active' },
          { user: email('khoa'), state: 'ready', availability: knowsAvailability ? 'unavailable' : 'active' },
          { user: email('linh'), state: 'agent_inactive', availability: 'active' },
          { user: email('minh'), state: 'user_disabled', availability: 'active' },
          { user: email('truong'), state: 'ready', availability: 'active' },
        ],
      });
    });

    it('names nobody twice, and says of members who are no agents that they are none', async () => {
      const { change, helpdesk } = fresh();
      const users = ['chi', 'service', 'chi', 'gone'].map((id, index) => ({ user: email(id), idx: 4 - index }));
      change('HD Team', 'Medium - Grow', { users: users.toReversed() });
      const team = await helpdesk.people.readTeam('Medium - Grow', signal);
      expect(team?.members.map(({ user, state }) => [user, state])).toEqual([
        [email('gone'), 'user_disabled'],
        [email('chi'), 'ready'],
        [email('service'), 'no_agent_record'],
      ]);
    });

    it('of several hundred is read with short requests', async () => {
      const { simulator, change, helpdesk } = fresh();
      const users = Array.from({ length: 200 }, (_, index) => ({ user: `agent.number.${index}@support.example` }));
      change('HD Team', 'CS 60p', { users: [...users, { user: email('an') }] });
      const team = await helpdesk.people.readTeam('CS 60p', signal);
      expect(team?.members).toHaveLength(201);
      expect(team?.members.at(-1)).toMatchObject({ user: email('an'), state: 'ready' });
      for (const { path, query } of simulator.journal) {
        expect(encodeURI(path).length + String(new URLSearchParams(query)).length).toBeLessThan(4_000);
      }
    });

    if (knowsAvailability) {
      it('judges a status by its category, and an unknown one as active', async () => {
        const { simulator, change, helpdesk } = fresh();
        const lunch = { ...simulator.document('HD Agent Status', 'Away'), name: 'Ăn trưa', agent_status: 'Ăn trưa' };
        simulator.put('HD Agent Status', lunch);
        change('HD Agent', email('an'), { availability: 'Ăn trưa' });
        change('HD Agent', email('binh'), { availability: 'Đã xóa' });
        change('HD Agent', email('chi'), { availability: null });
        const team = await helpdesk.people.readTeam('Medium - Scale', signal);
        expect(team?.members.map(({ availability }) => availability)).toEqual(['away', 'active', 'active']);
      });

      it('may be disabled', async () => {
        const { change, helpdesk } = fresh();
        change('HD Team', 'CS 60p', { disabled: 1 });
        expect(await helpdesk.people.readTeam('CS 60p', signal)).toMatchObject({ disabled: true });
      });
    }

    it.each(['No Such Team', 'cs 60p', 'CS 60p '])('is none under the name %j', async (name) => {
      expect(await site.adapter().people.readTeam(name, signal)).toBeNull();
    });

    it('is remembered for five seconds, read once by all who ask at once', async () => {
      const { simulator, change, helpdesk } = fresh();
      const read = () => helpdesk.people.readTeam('Medium - Scale', signal);
      const teamReads = () => simulator.journal.filter(({ query }) => query.doctype === 'HD Team').length;
      await Promise.all([read(), read(), read()]);
      change('HD Agent', email('an'), { is_active: 0 });
      site.now += 3_999;
      expect((await read())?.members[0]?.state).toBe('ready');
      expect(teamReads()).toBe(1);
      site.now += 1_001;
      expect((await read())?.members[0]?.state).toBe('agent_inactive');
      expect(teamReads()).toBe(2);
    });

    it('that could not be read is asked for again', async () => {
      const { simulator, helpdesk } = fresh();
      simulator.fault = () => 503;
      await expect(helpdesk.people.readTeam('CS 60p', signal)).rejects.toMatchObject(kind('unavailable'));
      simulator.fault = null;
      expect(await helpdesk.people.readTeam('CS 60p', signal)).toMatchObject({ name: 'CS 60p' });
    });

    it('that the service account may not read means a helpdesk that does not work', async () => {
      const helpdesk = site.adapter({ apiKey: demo.portal.apiKey, apiSecret: demo.portal.apiSecret });
      await expect(helpdesk.people.readTeam('CS 60p', signal)).rejects.toMatchObject(kind('unavailable'));
    });
  });

  it('knows the names of users, also of those who have left, and of nobody else', async () => {
    const users = [email('an'), email('minh'), email('an'), 'nobody@support.example'];
    expect([...(await site.adapter().people.userNames(users, signal))]).toEqual([
      [email('an'), 'Nguyễn Hoài An'],
      [email('minh'), 'Ngô Quang Minh'],
    ]);
  });
});
