import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const email = (id: string) => `${id}@support.example`;
const portal = demo.portal.name;

describe('accounts', () => {
  const site = useSimulatedSite();

  it.each([
    ['an agent', email('an'), true, true, false],
    ['an agent, in whatever case', ` ${email('AN')} `, true, null, false],
    ['one who has left: the account is off', email('minh'), true, true, false],
    ['a manager', email('truong'), true, true, false],
    ['a System Manager without an agent’s role, such as an integration', demo.sysonly.name, true, false, false],
    ['the helpdesk’s own account, under which mail arrives', 'Administrator', true, false, false],
    ['our own account, which has an agent’s roles', demo.service.name, false, false, false],
    ['a customer', portal, false, false, true],
    ['a customer, in whatever case', ` ${portal.toUpperCase()} `, false, null, true],
    ['Guest', 'Guest', false, false, null],
    ['nobody known', 'nobody@support.example', false, false, false],
    ['a name that the database only takes for the same', 'án@support.example', false, false, false],
    ['a name that it takes for a customer’s', portal.replace('a', 'á'), false, false, false],
    ['no name', '', false, false, false],
  ])('%s', async (_, account, isDesk, isAgent, isWebsite) => {
    expect(await site.helpdesk.people.isDesk(account, signal)).toBe(isDesk);
    if (isAgent !== null) expect(await site.helpdesk.people.isAgent(account, signal)).toBe(isAgent);
    if (isWebsite !== null) expect(await site.helpdesk.people.isWebsiteUser(account, signal)).toBe(isWebsite);
  });

  it('neither a type of the site’s own is of the desk, nor does it matter who gets tickets or is switched off', async () => {
    site.change('User', demo.sysonly.name, { user_type: 'Warehouse' });
    expect(await site.helpdesk.people.isDesk(demo.sysonly.name, signal)).toBe(false);
    site.change('HD Agent', email('an'), { is_active: 0 });
    expect(await site.helpdesk.people.isAgent(email('an'), signal)).toBe(true);
    // It may be switched on again.
    site.change('User', portal, { enabled: 0 });
    expect(await site.helpdesk.people.isWebsiteUser(portal, signal)).toBe(true);
  });

  it('says who made a Contact, of exactly this name', async () => {
    site.simulator.put('Contact', { name: 'Bà chủ', owner: portal });
    expect(await site.helpdesk.people.contactOwner('Bà chủ', signal)).toBe(portal);
    for (const other of ['bà chủ', 'Ba chu', 'Nobody'])
      expect(await site.helpdesk.people.contactOwner(other, signal)).toBeNull();
  });

  it('asks about an account once a minute, and never about the helpdesk’s own', async () => {
    expect(await site.helpdesk.people.serviceUser(signal)).toBe(demo.service.name);
    site.simulator.clearJournal();
    for (const later of [0, 59_999, 1]) {
      site.now += later;
      expect(await site.helpdesk.people.isDesk(email('an'), signal)).toBe(true);
      expect(await site.helpdesk.people.isDesk('Administrator', signal)).toBe(true);
      expect(await site.helpdesk.people.isAgent(email('an'), signal)).toBe(true);
      expect(await site.helpdesk.people.isWebsiteUser(portal, signal)).toBe(true);
    }
    expect(site.simulator.journal).toHaveLength(6);
  });

  it('knows the names of users, also of those who have left, and of nobody else, by one request', async () => {
    const users = [email('an'), email('minh'), email('an'), 'nobody@support.example'];
    site.simulator.clearJournal();
    for (const later of [0, 479_999]) {
      site.now += later;
      expect([...(await site.helpdesk.people.userNames(users, signal))]).toEqual([
        [email('an'), 'Nguyễn Hoài An'],
        [email('minh'), 'Ngô Quang Minh'],
      ]);
    }
    expect(site.simulator.journal).toHaveLength(1);
  });

  describe('who a credential belongs to', () => {
    it('is said in one request, agents as agents, with their own language, else the site’s', async () => {
      const { name: id, fullName } = demo.agent;
      const identify = () => site.helpdesk.people.identify(as(demo.agent), signal);
      expect(await identify()).toEqual({ id, fullName, language: null, isAgent: true });
      expect(site.calls()).toEqual([`GET /api/method/helpdesk.api.auth.get_user ${id} 200`]);
      site.simulator.settings.language = 'vi';
      expect(await identify()).toMatchObject({ language: 'vi' });
      site.change('User', id, { language: 'en-GB' });
      expect(await identify()).toMatchObject({ language: 'en-GB' });
    });

    it.each(['portal', 'sysonly', 'administrator'] as const)('is no agent for %s', async (who) => {
      const user = await site.helpdesk.people.identify(as(demo[who]), signal);
      expect(user).toMatchObject({ id: demo[who].name, isAgent: false });
    });

    it.each(['token wrong:wrong', 'Bearer wrong', 'token', 'nonsense', 'Basic', ''])(
      'is nobody for the credential %j',
      async (authorization) => {
        const asked = site.helpdesk.people.identify({ authorization }, signal);
        await expect(asked).rejects.toMatchObject(kind('unauthenticated'));
      },
    );
  });
});

describe.each(generations)('a team in Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const knowsAvailability = generation === '1.28';
  const read = (name = 'CS 60p') => site.helpdesk.people.readTeam(name, signal);

  it('has its members in row order, each with what keeps them from getting tickets', async () => {
    site.change('HD Agent', email('linh'), { is_active: 0 });
    expect(await read()).toEqual({
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
    const users = ['chi', 'service', 'chi', 'gone'].map((id, index) => ({ user: email(id), idx: 4 - index }));
    site.change('HD Team', 'Medium - Grow', { users: users.toReversed() });
    expect((await read('Medium - Grow'))?.members.map(({ user, state }) => [user, state])).toEqual([
      [email('gone'), 'user_disabled'],
      [email('chi'), 'ready'],
      [email('service'), 'no_agent_record'],
    ]);
  });

  it('of several hundred is read with short requests', async () => {
    const users = Array.from({ length: 200 }, (_, index) => ({ user: `agent.number.${index}@support.example` }));
    site.change('HD Team', 'CS 60p', { users: [...users, { user: email('an') }] });
    const team = await read();
    expect(team?.members).toHaveLength(201);
    expect(team?.members.at(-1)).toMatchObject({ user: email('an'), state: 'ready' });
    for (const { path, query } of site.simulator.journal)
      expect(encodeURI(path).length + String(new URLSearchParams(query)).length).toBeLessThan(4_000);
  });

  if (knowsAvailability)
    it('may be disabled, and judges a status by its category, else as active', async () => {
      const away = site.simulator.document('HD Agent Status', 'Away');
      site.simulator.put('HD Agent Status', { ...away, name: 'Ăn trưa', agent_status: 'Ăn trưa' });
      site.change('HD Agent', email('an'), { availability: 'Ăn trưa' });
      site.change('HD Agent', email('binh'), { availability: 'Đã xóa' });
      site.change('HD Agent', email('chi'), { availability: null });
      site.change('HD Team', 'Medium - Scale', { disabled: 1 });
      const team = await read('Medium - Scale');
      expect(team?.members.map(({ availability }) => availability)).toEqual(['away', 'active', 'active']);
      expect(team?.disabled).toBe(true);
    });

  it.each(['No Such Team', 'cs 60p', 'CS 60p '])('is none under the name %j', async (name) => {
    expect(await read(name)).toBeNull();
  });

  it('is remembered for five seconds, read once by all who ask at once, and again where it could not be read', async () => {
    site.simulator.fault = () => 503;
    await expect(read()).rejects.toMatchObject(kind('unavailable'));
    site.simulator.fault = null;
    site.simulator.clearJournal();
    const reads = () => site.simulator.journal.filter(({ query }) => query.doctype === 'HD Team').length;
    await Promise.all([read(), read(), read()]);
    site.change('HD Agent', email('an'), { is_active: 0 });
    site.now += 3_999;
    expect((await read())?.members[0]?.state).toBe('ready');
    expect(reads()).toBe(1);
    site.now += 1_001;
    expect((await read())?.members[0]?.state).toBe('agent_inactive');
    expect(reads()).toBe(2);
  });
});
