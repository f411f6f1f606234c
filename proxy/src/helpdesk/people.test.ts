import { demo, type HelpdeskDocument } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const email = (id: string) => `${id}@support.example`;

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  function fresh() {
    const { simulator } = site;
    const change = (doctype: string, name: string, values: object) =>
      simulator.put(doctype, { ...(simulator.document(doctype, name) as HelpdeskDocument), ...values });
    return { simulator, change, helpdesk: site.adapter() };
  }

  it.each([
    ['an agent', email('an'), true, true],
    ['one who has left: the account is off', email('minh'), true, true],
    ['a manager', email('truong'), true, true],
    ['a System Manager without an agent’s role or record, such as an integration', demo.sysonly.name, true, false],
    ['the helpdesk’s own account, under which mail arrives', 'Administrator', true, false],
    ['our own account, which has an agent’s roles', demo.service.name, false, false],
    ['a customer', demo.portal.name, false, false],
    ['Guest', 'Guest', false, false],
    ['nobody known', 'nobody@support.example', false, false],
    ['a name that the database only takes for the same', 'án@support.example', false, false],
    ['no name', '', false, false],
  ])('%s', async (_, account, isDesk, isAgent) => {
    const helpdesk = site.adapter();
    expect(await helpdesk.people.isDesk(account, signal)).toBe(isDesk);
    expect(await helpdesk.people.isAgent(account, signal)).toBe(isAgent);
  });

  it('a user type of the site’s own is not of the desk', async () => {
    const { change, helpdesk } = fresh();
    change('User', demo.sysonly.name, { user_type: 'Warehouse' });
    expect(await helpdesk.people.isDesk(demo.sysonly.name, signal)).toBe(false);
  });

  it.each([
    ['a customer', demo.portal.name, true],
    ['a customer, in whatever case', ` ${demo.portal.name.toUpperCase()} `, true],
    ['an agent', email('an'), false],
    ['our own account', demo.service.name, false],
    ['an address without an account', 'nobody@support.example', false],
    ['a name that the database only takes for the same', demo.portal.name.replace('a', 'á'), false],
    ['no name', '', false],
  ])('whose account is a website user’s: %s', async (_, account, expected) => {
    expect(await site.adapter().people.isWebsiteUser(account, signal)).toBe(expected);
  });

  it('an account of a website user that is switched off stays one: it may be switched on again', async () => {
    const { change, helpdesk } = fresh();
    change('User', demo.portal.name, { enabled: 0 });
    expect(await helpdesk.people.isWebsiteUser(demo.portal.name, signal)).toBe(true);
  });

  it('says who made a Contact, of exactly this name', async () => {
    const { simulator, helpdesk } = fresh();
    simulator.put('Contact', { name: 'Bà chủ', owner: demo.portal.name });
    expect(await helpdesk.people.contactOwner('Bà chủ', signal)).toBe(demo.portal.name);
    for (const other of ['bà chủ', 'Ba chu', 'Nobody'])
      expect(await helpdesk.people.contactOwner(other, signal)).toBeNull();
  });

  it('neither counts whether somebody gets tickets', async () => {
    const { change, helpdesk } = fresh();
    change('HD Agent', email('an'), { is_active: 0 });
    expect(await helpdesk.people.isAgent(email('an'), signal)).toBe(true);
    expect(await helpdesk.people.isDesk(` ${email('AN')} `, signal)).toBe(true);
  });

  it('asks about an account once a minute, and never about the helpdesk’s own', async () => {
    const { simulator, helpdesk } = fresh();
    await helpdesk.people.serviceUser(signal);
    simulator.clearJournal();
    for (const later of [0, 59_999, 1]) {
      site.now += later;
      expect(await helpdesk.people.isDesk(email('an'), signal)).toBe(true);
      expect(await helpdesk.people.isDesk('Administrator', signal)).toBe(true);
      expect(await helpdesk.people.isAgent(email('an'), signal)).toBe(true);
      expect(await helpdesk.people.isWebsiteUser(demo.portal.name, signal)).toBe(true);
    }
    expect(simulator.journal).toHaveLength(6);
  });

  it('a helpdesk that refuses the service account is one that does not work', async () => {
    const helpdesk = site.adapter({ apiKey: demo.portal.apiKey, apiSecret: demo.portal.apiSecret });
    await expect(helpdesk.people.isDesk(email('an'), signal)).rejects.toMatchObject(kind('unavailable'));
    await expect(helpdesk.people.isWebsiteUser('vy@else.example', signal)).rejects.toMatchObject(kind('unavailable'));
  });

  describe('who a credential belongs to', () => {
    it('is said in one request, agents as agents', async () => {
      expect(await site.adapter().people.identify(as(demo.agent), signal)).toEqual({
        id: demo.agent.name,
        fullName: demo.agent.fullName,
        language: null,
        isAgent: true,
      });
      expect(site.calls()).toEqual([`GET /api/method/helpdesk.api.auth.get_user ${demo.agent.name} 200`]);
    });

    it('comes with their own language, else the site’s', async () => {
      const language = async () => (await site.adapter().people.identify(as(demo.agent), signal)).language;
      site.simulator.settings.language = 'vi';
      expect(await language()).toBe('vi');
      const user = site.simulator.document('User', demo.agent.name);
      site.simulator.put('User', { ...user, name: demo.agent.name, language: 'en-GB' });
      expect(await language()).toBe('en-GB');
    });

    it.each(['portal', 'sysonly', 'administrator'] as const)('is no agent for %s', async (who) => {
      expect(await site.adapter().people.identify(as(demo[who]), signal)).toMatchObject({
        id: demo[who].name,
        isAgent: false,
      });
    });

    it.each(['token wrong:wrong', 'Bearer wrong', 'token', 'nonsense', 'Basic', ''])(
      'is nobody for the credential %j',
      async (authorization) => {
        await expect(site.adapter().people.identify({ authorization }, signal)).rejects.toMatchObject(
          kind('unauthenticated'),
        );
      },
    );
  });
});
