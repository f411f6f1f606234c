import { describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { content, names, noon, useSite } from '#helpdesk/testing/client.ts';
import { accounts, shop, shopContact } from '#helpdesk/testing/replay-seed.ts';

const customers = '/api/resource/HD Customer';
const newTicket = '/api/method/helpdesk.helpdesk.doctype.hd_ticket.api.new';

describe('saving documents', () => {
  const site = useSite('1.28');
  const put = (values: Record<string, unknown>) => site.send('service', 'PUT', `${customers}/${shop}`, values);

  it('unknown fields are ignored, unset ones left out of resource answers and null in client.get', async () => {
    const answer = await put({ custom_myplatform: 'a', nope: 'x' });
    expect(content(answer)).toMatchObject({ custom_myplatform: 'a' });
    expect(Object.keys(content(answer))).not.toEqual(expect.arrayContaining(['nope']));
    expect(Object.keys(content(answer))).not.toContain('domain');
    const read = await site.get('agent.a', `/api/method/frappe.client.get?doctype=HD Customer&name=${shop}`);
    expect(content(read)).toMatchObject({ domain: null, custom_crm_match_confidence: 0 });
  });

  it('every save moves modified, also one that changes nothing and while the clock stands still', async () => {
    const first = content(await put({ custom_myplatform: 'same' })).modified as string;
    const second = content(await put({ custom_myplatform: 'same' })).modified as string;
    expect(second > first).toBe(true);
    expect(second).toMatch(/^2026-11-21 12:00:00\.\d{6}$/);
    expect(site.now).toBe(noon);
  });

  it('an old modified is refused, the present one accepted', async () => {
    const { modified } = content(await put({}));
    expect((await put({ modified })).status).toBe(200);
    expect(await put({ modified })).toMatchObject({ status: 417, body: { exc_type: 'TimestampMismatchError' } });
  });

  it.each([
    [{ custom_crm_company_url: 'x'.repeat(141) }, 417, 'CharacterLengthExceededError'],
    [{ custom_crm_last_checked_at: '2026-11-21T05:10:00' }, 500, 'OperationalError'],
    [{ custom_crm_last_checked_at: '2026-11-21 05:10:00Z' }, 500, 'OperationalError'],
    [{ custom_crm_last_checked_at: '2026-13-45 05:10:00' }, 500, 'OperationalError'],
    [{ customer_type: 'Nobody' }, 417, 'ValidationError'],
    [{ primary_contact: 'Nobody' }, 417, 'LinkValidationError'],
    [{ custom_myplatform: ['a'] }, 417, 'ValidationError'],
    [{ custom_crm_match_confidence: 2_147_483_648 }, 417, 'CharacterLengthExceededError'],
  ])('%j is refused with %d %s and leaves the document as it was', async (values, status, excType) => {
    const before = site.simulator.document('HD Customer', shop);
    expect(await put(values)).toMatchObject({ status, body: { exc_type: excType } });
    expect(site.simulator.document('HD Customer', shop)).toEqual(before);
  });

  it('140 characters fit, whatever they are', async () => {
    const value = '🛒'.repeat(140);
    expect(content(await put({ custom_myplatform: value })).custom_myplatform).toBe(value);
  });

  it('names are trimmed, may not hold angle brackets, and are unique without regard to case', async () => {
    const create = (name: string) => site.send('service', 'POST', customers, { customer_name: name });
    expect(content(await create('  Trim & Co / 50% #1?  ')).name).toBe('Trim & Co / 50% #1?');
    expect(await create('trim & co / 50% #1?')).toMatchObject({
      status: 409,
      body: { exc_type: 'DuplicateEntryError' },
    });
    expect(await create('a < b')).toMatchObject({ status: 409, body: { exc_type: 'NameError' } });
    expect((await site.get('service', `${customers}/${encodeURIComponent('Trim & Co / 50% #1?')}`)).status).toBe(200);
  });

  it('a deleted ticket takes its assignments along', async () => {
    const ticket = await site.send('agent.a', 'POST', '/api/resource/HD Ticket', { subject: 's' });
    const name = String(content(ticket).name);
    const assignment = { doctype: 'HD Ticket', name, assign_to: [accounts['agent.a'].name] };
    await site.send('service', 'POST', '/api/method/frappe.desk.form.assign_to.add', assignment);
    const todos = async () => (await site.list('service', 'ToDo', { filters: { reference_name: name } })).body.data;
    expect(await todos()).toHaveLength(1);
    expect((await site.send('service', 'DELETE', `/api/resource/HD Ticket/${name}`, {})).status).toBe(202);
    expect(await todos()).toEqual([]);
  });

  it('deleting answers 202, and the document is gone', async () => {
    await site.send('service', 'POST', customers, { customer_name: 'Short-lived' });
    expect(await site.send('service', 'DELETE', `${customers}/Short-lived`, {})).toMatchObject({ status: 202 });
    expect((await site.get('service', `${customers}/Short-lived`)).status).toBe(404);
  });

  it('error bodies carry tracebacks only where the site allows it', async () => {
    const bad = () => put({ customer_type: 'Nobody' });
    expect((await bad()).body).toHaveProperty('exception');
    site.simulator.settings.allowErrorTraceback = false;
    const { body } = await bad();
    expect(Object.keys(body).sort()).toEqual(['_server_messages', 'exc_type']);
    site.simulator.settings.allowErrorTraceback = true;
  });

  it('assigning keeps _assign and ToDos in step, skips who has it, and can be withdrawn by ToDo', async () => {
    const target = { doctype: 'HD Ticket', name: '0034', assign_to: [accounts['agent.a'].name] };
    const add = () => site.send('service', 'POST', '/api/method/frappe.desk.form.assign_to.add', target);
    const [first] = (await add()).body.message as { name: string }[];
    const again = await add();
    expect(again.body.message).toEqual([{ owner: accounts['agent.a'].name, name: first?.name }]);
    expect(again.body._server_messages).toContain('Already in the following Users ToDo list');
    expect(site.simulator.document('HD Ticket', '0034')?._assign).toBe('["agent.a@example.test"]');
    await site.send('service', 'PUT', `/api/resource/ToDo/${first?.name}`, { status: 'Cancelled' });
    expect(site.simulator.document('HD Ticket', '0034')?._assign).toBe('[]');
  });
});

describe.each<Generation>(['1.24', '1.28'])('what Helpdesk %s makes of a new ticket', (generation) => {
  const site = useSite(generation);
  const raise = (values: Record<string, unknown>) =>
    site.send('portal', 'POST', newTicket, { doc: { subject: 's', description: 'd', ...values } });

  it('status is forced, key chosen by the site, contact and customer found through the sender', async () => {
    if (generation === '1.24') {
      site.simulator.put('HD Customer', { name: shop, customer_name: shop });
      const links = [{ link_doctype: 'HD Customer', link_name: shop }];
      site.simulator.put('Contact', {
        name: shopContact,
        full_name: 'Portal Customer',
        email_id: accounts.portal.name,
        links,
      });
    }
    const made = content(await raise({ status: 'Closed', key: 'chosen', custom_orgid: '1' }));
    expect(made).toMatchObject({
      status: 'Open',
      status_category: 'Open',
      raised_by: accounts.portal.name,
      custom_orgid: '1',
    });
    expect(made).toMatchObject({ contact: shopContact, customer: shop, via_customer_portal: 1 });
    expect(made.key).not.toBe('chosen');
  });

  it(`a customer that is not the sender's is ${generation === '1.24' ? 'taken' : 'refused'}`, async () => {
    site.simulator.put('HD Customer', { name: 'Another', customer_name: 'Another' });
    const answer = await raise({ customer: 'Another' });
    if (generation === '1.24') expect(content(answer).customer).toBe('Another');
    else expect(answer).toMatchObject({ status: 417, body: { exc_type: 'ValidationError' } });
  });

  it('a contact that the sender made for himself is used; only 1.24 takes its customer too', async () => {
    site.simulator.put('HD Customer', { name: 'Coveted', customer_name: 'Coveted' });
    const links = [{ link_doctype: 'HD Customer', link_name: 'Coveted' }];
    const emails = [{ email_id: accounts.portal.name, is_primary: 1 }];
    await site.send('portal', 'POST', '/api/resource/Contact', { first_name: 'Me', email_ids: emails, links });
    const made = content(await raise({}));
    expect(made.contact).toBe('Me-Coveted');
    expect(made.customer).toBe(generation === '1.24' ? 'Coveted' : undefined);
  });

  it('a team that does not exist is refused, and no ticket made', async () => {
    const count = async () => names(await site.list('service', 'HD Ticket', { limit: '0' })).length;
    const before = await count();
    expect(await raise({ agent_group: 'Nobody' })).toMatchObject({
      status: 417,
      body: { exc_type: 'LinkValidationError' },
    });
    expect(await count()).toBe(before);
  });
});
