import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Exchange, recordedExchanges } from '#helpdesk/testing/replay-seed.ts';
import { pythonJson, renderTemplate } from './render.ts';
import { compose } from './sender.ts';

interface RecordedWebhook {
  secret: string;
  headers: Record<string, string>;
  body: string;
}

const file = new URL('../../recordings/helpdesk-1.24/webhooks.json', import.meta.url);
const [recorded] = JSON.parse(readFileSync(file, 'utf8')) as [RecordedWebhook];

describe('what a webhook sends', () => {
  it('may be any text as JSON, and a number as text', () => {
    const template =
      '{"name":{{ doc.name | string | tojson }},"by":{{ doc.raised_by | tojson }},"x":{{ doc.x | tojson }}}';
    const raised_by = 'a"</script>{{ doc.name }}';
    expect(JSON.parse(renderTemplate(template, { name: 3, raised_by }))).toEqual({ name: '3', by: raised_by, x: null });
  });

  it('is byte for byte what was recorded, with the recorded signature', () => {
    const created = recordedExchanges('1.24').find(({ name }) => name === 'webhook-create') as Exchange;
    const webhook = created.request.json as Record<string, unknown> & { name: string };
    const stamp = '2026-11-21 05:03:45.920547';
    const message = compose(webhook, {
      ...{ name: 3, modified: stamp, creation: stamp, agent_group: null, custom_orgid: null },
      customer: 'Vinamilk Shop - 200000001',
    });
    expect(message?.body).toBe(recorded.body);
    expect(message?.headers).toEqual({
      'X-Frappe-Webhook-Signature': recorded.headers['X-Frappe-Webhook-Signature'],
    });
  });

  it('carries the signature of the vector in docs/helpdesk.md#webhooks', () => {
    const template = '{"name":"0001","subject":{{ doc.subject|tojson }},"custom_orgid":null,"n":1,"f":1.0}';
    const webhook = { name: 'x', enable_security: 1, webhook_secret: 's3cret', webhook_json: template };
    const message = compose(webhook, { subject: 'Héllo / "q"' });
    expect(message?.body).toBe(
      '{"name": "0001", "subject": "H\\u00e9llo / \\"q\\"", "custom_orgid": null, "n": 1, "f": 1.0}',
    );
    expect(message?.headers['X-Frappe-Webhook-Signature']).toBe('YGE6LNS9uzTL2MV9V/UNODmRonK36d5aPWvNYULaEZo=');
  });

  it('is nothing where the template gives no JSON', () => {
    const broken = { name: 'x', webhook_json: '{"subject":"{{ doc.subject }}"}' };
    expect(compose(broken, { subject: 'a "quoted" word' })).toBeNull();
    expect(compose({ name: 'x', webhook_json: '{{ frappe.db.sql() }}' }, {})).toBeNull();
  });

  it('is made of rows, with the headers that the webhook names', () => {
    const webhook = {
      name: 'x',
      webhook_data: [{ fieldname: 'subject', key: 'title' }],
      webhook_headers: [{ key: 'Content-Type', value: 'application/json' }],
    };
    expect(compose(webhook, { subject: 'Đơn' })).toEqual({
      body: '{"title": "\\u0110\\u01a1n"}',
      headers: { 'Content-Type': 'application/json' },
    });
  });
});

const document = { name: '0007', subject: 'a', empty: null, zero: 0 };

it.each([
  ['{{ doc.name }}/{{doc.subject}}', '0007/a'],
  ['{{ doc.empty }}', 'None'],
  ['{{ doc.no_such_field }}', ''],
  ["{{ doc.empty or 'x' }}", 'x'],
  ['{{ doc.zero or doc.empty or "y" }}', 'y'],
  ['{{ (doc.empty or "")|tojson }}', '""'],
  ['{{ doc.empty|tojson }} {{ doc.zero | tojson }}', 'null 0'],
  ['{{ doc.empty or doc.subject|tojson }}', '"a"'],
])('%s is rendered as %s', (template, text) => {
  expect(renderTemplate(template, document)).toBe(text);
});

it.each(['{{ doc.name|upper }}', '{{ doc.get("x") }}', '{{ (doc.name }}', '{{ doc.name doc.name }}', '{{ }}'])(
  '%s is not understood',
  (template) => {
    expect(() => renderTemplate(template, document)).toThrow();
  },
);

it.each([
  ['{"b":1,"a":[true,null,{}],"2":-1.50}', '{"b": 1, "a": [true, null, {}], "2": -1.50}'],
  ['"\\u007f\\n\\/\u{1f6d2}<"', '"\\u007f\\n/\\ud83d\\uded2<"'],
  [' [ 1 , "a,b:c" ] ', '[1, "a,b:c"]'],
])('%s is written as %s', (json, text) => {
  expect(pythonJson(json)).toBe(text);
});
