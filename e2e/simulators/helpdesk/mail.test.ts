import { describe, expect, it } from 'vitest';
import type { Generation } from './api.ts';
import { content, useSite } from './testing/client.ts';
import { startReceiver } from './testing/receiver.ts';

describe.each<Generation>(['1.24', '1.28'])('tickets by e-mail in Helpdesk %s', (generation) => {
  const site = useSite(generation);

  it('have no description when the webhook goes out, and get it with their first message', async () => {
    const receiver = await startReceiver(() => ({ status: 200 }));
    site.simulator.put('Webhook', {
      ...{ name: 'w', enabled: 1, webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert' },
      request_url: receiver.url,
      webhook_json: '{"description":{{ doc.description|tojson }},"creation":{{ doc.creation|tojson }}}',
    });
    const mail = { from: 'John <john@example.com>', subject: 'Máy in', text: 'Shop <b>1</b>\nhết giấy' };
    const name = await site.simulator.receiveMail(mail);
    await site.simulator.webhooks.idle();
    await receiver.close();

    const ticket = site.simulator.document('HD Ticket', name);
    const description = '<div>Shop &lt;b&gt;1&lt;/b&gt;<br>hết giấy</div>';
    expect(ticket).toMatchObject({
      ...{ owner: 'Administrator', subject: 'Máy in', contact: 'John Doe', description, status: 'Open' },
      ...{ raised_by: mail.from, via_customer_portal: 0 },
    });
    expect(String(ticket?.modified) > String(ticket?.creation)).toBe(true);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ description: null, creation: ticket?.creation });

    const shown = content(
      await site.get('agent.a', `/api/method/helpdesk.helpdesk.doctype.hd_ticket.api.get_one?name=${name}`),
    );
    expect(shown.communications).toMatchObject([{ content: description, sender: mail.from }]);
  });
});
