import { describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { content, names, noon, useSite } from '#helpdesk/testing/client.ts';
import { startReceiver } from '#helpdesk/testing/receiver.ts';
import { accounts, shop, shopContact } from '#helpdesk/testing/replay-seed.ts';

const customers = '/api/resource/HD Customer';
const newTicket = '/api/method/helpdesk.helpdesk.doctype.hd_ticket.api.new';

describe('saving documents', () => {
  const site = useSite('1.28');
  const put = (values: Record<string, unknown>) => site.send('service', 'PUT', `${customers}/${shop}`, values);

  it('unknown fields are ignored, unset ones left out of resource answers and null in client.get', async () => {
    const written = content(await put({ custom_myplatform: 'a', nope: 'x' }));
    expect(written).toMatchObject({ custom_myplatform: 'a' });
    for (const absent of ['nope', 'domain']) expect(written).not.toHaveProperty(absent);
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

  it('a list in a text field is refused, and the document left as it was', async () => {
    const before = site.simulator.document('HD Customer', shop);
    const refused = { status: 417, body: { exc_type: 'ValidationError' } };
    expect(await put({ custom_myplatform: ['a'] })).toMatchObject(refused);
    expect(site.simulator.document('HD Customer', shop)).toEqual(before);
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

  it('deleting answers 202, and takes the assignments of a ticket along', async () => {
    const name = String(content(await site.send('agent.a', 'POST', '/api/resource/HD Ticket', { subject: 's' })).name);
    const assignment = { doctype: 'HD Ticket', name, assign_to: [accounts['agent.a'].name] };
    await site.send('service', 'POST', '/api/method/frappe.desk.form.assign_to.add', assignment);
    const todos = async () => (await site.list('service', 'ToDo', { filters: { reference_name: name } })).body.data;
    expect(await todos()).toHaveLength(1);
    expect((await site.send('service', 'DELETE', `/api/resource/HD Ticket/${name}`, {})).status).toBe(202);
    expect(await todos()).toEqual([]);
    expect((await site.get('service', `/api/resource/HD Ticket/${name}`)).status).toBe(404);
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
      site.simulator.put('Contact', { name: shopContact, full_name: 'P', email_id: accounts.portal.name, links });
    }
    const made = content(await raise({ status: 'Closed', key: 'chosen', custom_orgid: '1' }));
    expect(made).toMatchObject({ status: 'Open', raised_by: accounts.portal.name, custom_orgid: '1' });
    expect(made).toMatchObject({ contact: shopContact, customer: shop, via_customer_portal: 1 });
    expect(made.key).not.toBe('chosen');
    // Numbers that count on; since 1.28 they are texts of four digits.
    expect(made.name).toEqual(generation === '1.24' ? 2 : '0043');
  });

  it('a customer that is not the sender’s is taken by 1.24 alone, as that of a contact made for himself', async () => {
    for (const name of ['Another', 'Coveted']) site.simulator.put('HD Customer', { name, customer_name: name });
    const answer = await raise({ customer: 'Another' });
    if (generation === '1.24') expect(content(answer).customer).toBe('Another');
    else expect(answer).toMatchObject({ status: 417, body: { exc_type: 'ValidationError' } });
    const links = [{ link_doctype: 'HD Customer', link_name: 'Coveted' }];
    const emails = [{ email_id: accounts.portal.name, is_primary: 1 }];
    await site.send('portal', 'POST', '/api/resource/Contact', { first_name: 'Me', email_ids: emails, links });
    const made = content(await raise({}));
    expect([made.contact, made.customer]).toEqual(['Me-Coveted', generation === '1.24' ? 'Coveted' : undefined]);
  });

  it('a team that does not exist is refused, and no ticket made', async () => {
    const count = async () => names(await site.list('service', 'HD Ticket', { limit: '0' })).length;
    const before = await count();
    expect(await raise({ agent_group: 'Nobody' })).toMatchObject({ body: { exc_type: 'LinkValidationError' } });
    expect(await count()).toBe(before);
  });

  it('one by mail has no description when the webhook goes out, and gets it with its first message', async () => {
    const receiver = await startReceiver(() => ({ status: 200 }));
    site.simulator.put('Webhook', {
      ...{ name: 'w', enabled: 1, webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert' },
      ...{ request_url: receiver.url, webhook_json: '{"description":{{ doc.description|tojson }}}' },
    });
    const mail = { from: 'John <john@example.com>', subject: 'Máy in', text: 'Shop <b>1</b>\nhết giấy' };
    const name = await site.simulator.receiveMail(mail);
    await site.simulator.webhooks.idle();
    await receiver.close();
    const description = '<div>Shop &lt;b&gt;1&lt;/b&gt;<br>hết giấy</div>';
    expect(site.simulator.document('HD Ticket', name)).toMatchObject({
      ...{ owner: 'Administrator', subject: 'Máy in', contact: 'John Doe', description, status: 'Open' },
      ...{ raised_by: mail.from, via_customer_portal: 0 },
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ description: null });
    const one = `/api/method/helpdesk.helpdesk.doctype.hd_ticket.api.get_one?name=${name}`;
    const { communications } = content(await site.get('agent.a', one));
    expect(communications).toMatchObject([{ content: description, sender: mail.from }]);
  });
});
